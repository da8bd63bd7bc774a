import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { LinkView, Request, RequestView } from '../src/protocol/generated.ts';
import { user } from './support/boards.ts';
import { settled } from './support/explorer.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { PRIVATE, ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, hook, isThere, key, one, openTable, showTable, square, write } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

/** Blue asks all others for their consent. */
function ask(request: Request, match: ScriptedMatch, socket: FakeSocket): void {
  const requests: RequestView[] = [{ request, by: 'blue', agreed: ['blue'] }];
  act(() => socket.say(match.step({ event: { type: 'requested', request, color: 'blue' }, state: { requests } })));
}

const moves = (socket: FakeSocket): string[] => socket.ofKind('move').map((frame) => frame.move);

afterEach(closePage);

describe('the board', () => {
  it('shows the pieces of any geometry', () => {
    openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red');
    expect(document.querySelectorAll('[data-square]')).toHaveLength(160);
    expect(document.querySelectorAll('[data-piece]')).toHaveLength(64);
    expect(square('g1').dataset['piece']).toBe('rK');
    expect(square('a7').getAttribute('aria-label')).toBe('a7, blue queen');
    expect(hook('board').dataset).toMatchObject({ seq: '6', turn: 'red', variant: 'dilkel' });
  });

  it('is played by pressing a piece and then a target', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['h2h3', 'h2h4', 'e1f3']);
    click(square('h2'));
    expect(square('h2').getAttribute('aria-selected')).toBe('true');
    expect([...document.querySelectorAll<HTMLElement>('[data-target]')].map((cell) => cell.dataset['square'])).toEqual([
      'h4', 'h3',
    ]);
    click(square('e1'));
    expect(square('f3').dataset['target']).toBe('step');
    click(square('h2'));
    click(square('h4'));
    expect(moves(socket)).toEqual(['h2h4']);
    expect(square('h4').dataset['piece']).toBe('rP');
    expect(document.querySelector('[data-target]')).toBeNull();
  });

  it('offers nothing to those who are not to move', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('blue'), 'red');
    click(square('h2'));
    click(square('h4'));
    expect(moves(socket)).toEqual([]);
  });

  it('is played by keyboard alone, over the edges of the cross', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['e1f3']);
    act(() => one('[data-square][tabindex="0"]').focus());
    expect(document.activeElement).toBe(square('d1'));
    key('ArrowLeft');
    key('ArrowDown');
    expect(document.activeElement).toBe(square('d1'));
    key('ArrowRight');
    key('Enter');
    expect(square('e1').getAttribute('aria-selected')).toBe('true');
    key('Escape');
    expect(square('e1').getAttribute('aria-selected')).toBe('false');
    key(' ');
    for (const step of ['ArrowUp', 'ArrowUp', 'ArrowRight']) key(step);
    expect(document.activeElement).toBe(square('f3'));
    key('Enter');
    expect(moves(socket)).toEqual(['e1f3']);
  });

  it('has one square in the tab order at a time', () => {
    openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['e1f3']);
    click(square('e1'));
    expect([...document.querySelectorAll<HTMLElement>('[data-square][tabindex="0"]')]).toEqual([square('e1')]);
  });

  it('puts the viewer at the bottom and spectators at the south', () => {
    openTable(new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Ada', yellow: 'Cleo', green: 'Dora' }), 'blue');
    expect(hook('seat-blue').dataset['place']).toBe('bottom');
    expect(hook('seat-red').dataset['place']).toBe('right');
    closePage();
    openTable(new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Eve', yellow: 'Cleo', green: 'Dora' }), null);
    expect(hook('seat-red').dataset['place']).toBe('bottom');
  });

  it("marks each seat's last move and the kings in check", () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.move('h2h4');
    match.move('a7e7', { checks: ['red'] });
    openTable(match, 'red');
    expect(square('h2').dataset).toMatchObject({ mark: 'from', color: 'red' });
    expect(square('h4').dataset).toMatchObject({ mark: 'to', color: 'red' });
    expect(square('e7').dataset).toMatchObject({ mark: 'to', color: 'blue' });
    expect(square('g1').dataset['check']).toBe('');
    expect(hook('seat-red').dataset).toMatchObject({ check: 'true', turn: 'false', in: 'true' });
    expect(hook('announcer').textContent).toContain('Blue queen a7 to e7, check to you');
  });
});

describe('promotion', () => {
  function promoting(): { socket: FakeSocket; match: ScriptedMatch } {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.pieces['e13'] = 'rP';
    delete match.pieces['e14'];
    match.state = { ...match.state, reserves: { red: { rooks: 0, bishops: 0, knights: 2 } } };
    return { match, socket: openTable(match, 'red', ['e13e14q', 'e13e14n', 'h2h4']) };
  }

  it('offers the queen and what the reserve holds, with counts', () => {
    const { socket } = promoting();
    click(square('e13'));
    click(square('e14'));
    expect(moves(socket)).toEqual([]);
    expect(hook('promote-q').textContent).toBe('');
    expect(hook('promote-n').textContent).toBe('2');
    expect(isThere('promote-r')).toBe(false);
    click(hook('promote-n'));
    expect(moves(socket)).toEqual(['e13e14n']);
    expect(isThere('promote-q')).toBe(false);
  });

  it('is given up by Escape', () => {
    const { socket } = promoting();
    click(square('e13'));
    click(square('e14'));
    expect(document.activeElement).toBe(hook('promote-q'));
    key('ArrowRight');
    expect(document.activeElement).toBe(hook('promote-n'));
    key('Escape');
    expect(document.querySelector('.promotion')).toBeNull();
    expect(moves(socket)).toEqual([]);
  });

  it('counts nothing in classic', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).begin('white');
    match.pieces = { e7: 'wP', a1: 'wK', h8: 'bK' };
    openTable(match, 'white', ['e7e8q', 'e7e8r', 'e7e8b', 'e7e8n']);
    click(square('e7'));
    click(square('e8'));
    expect(['q', 'r', 'b', 'n'].map((letter) => hook(`promote-${letter}`).textContent)).toEqual(['', '', '', '']);
  });
});

describe('typed moves', () => {
  it('are played, or a sentence says why not', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['h2h4', 'e13e14q']);
    write('move-input', 'zz9');
    expect(one('#move-input-wrong').textContent).toContain('zz9');
    write('move-input', 'h2h5');
    expect(one('#move-input-wrong').textContent).toContain('not legal');
    write('move-input', 'h2-h4');
    expect(one('#move-input-wrong').textContent).toBe('');
    expect(hook<HTMLInputElement>('move-input').value).toBe('');
    expect(moves(socket)).toEqual(['h2h4']);
  });

  it('ask what a pawn becomes', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('red'), 'red', ['e13e14q', 'e13e14n']);
    write('move-input', 'e13e14');
    click(hook('promote-q'));
    expect(moves(socket)).toEqual(['e13e14q']);
  });

  it('are not for a moment when nobody is to move', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('blue');
    const { turn: _, ...before } = match.state;
    match.state = before;
    openTable(match, 'red');
    write('move-input', 'h2h4');
    expect(one('#move-input-wrong').textContent).toBe('It is not your turn.');
  });
});

describe('around the board', () => {
  it('offers open seats to those who may sit', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: null, yellow: null, green: null });
    const socket = openTable(match, null);
    expect(isThere('sit-red')).toBe(false);
    click(hook('sit-yellow'));
    expect(socket.ofKind('sit')).toMatchObject([{ table: TABLE, seat: 'yellow' }]);
    act(() => socket.say(match.step({ event: { type: 'seated', color: 'yellow', user: user('Ada'), nonce: 'n' } })));
    expect(isThere('sit-blue')).toBe(false);
    click(hook('leave'));
    expect(socket.ofKind('leave')).toHaveLength(1);
  });

  it('keeps the seats of a private table for its host and the invited', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: null, yellow: null, green: null });
    match.view = { settings: { ...PRIVATE, variant: 'dilkel' }, host: user('Ben') };
    openTable(match, null);
    expect(isThere('sit-blue')).toBe(false);
    closePage();
    match.view = { settings: { ...PRIVATE, variant: 'dilkel' }, host: user('Ada') };
    openTable(match, null);
    expect(hook('sit-blue')).toBeTruthy();
    expect(hook('make-link-any')).toBeTruthy();
  });

  it('lets the host of a private match invite spectators where there may be any, below what one plays with', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.view = { settings: { ...PRIVATE, variant: 'dilkel' } };
    openTable(match, 'red');
    const after = hook('move-input').compareDocumentPosition(hook('make-link-watch'));
    expect(after & Node.DOCUMENT_POSITION_FOLLOWING).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    closePage();
    match.view = { settings: { ...PRIVATE, variant: 'dilkel', watchers: 'nobody' } };
    openTable(match, 'red');
    expect(isThere('make-link-watch')).toBe(false);
  });

  it('lists the links of a private table for its host, who revokes them', async () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada' });
    match.view = { settings: { ...PRIVATE, variant: 'dilkel' }, host: user('Ada') };
    const times = { used: false, created_at_ms: 0, expires_at_ms: Date.now() + 3_600_000 };
    let links: LinkView[] = [
      { id: 'l1', kind: 'invite', seat: 'blue', uses: 'single', ...times },
      { id: 'l2', kind: 'watch', uses: 'open', ...times },
    ];
    const revoked: string[] = [];
    const revokeLink = (_table: string, id: string): Promise<void> => {
      revoked.push(id);
      links = links.filter((link) => link.id !== id);
      return Promise.resolve();
    };
    openTable(match, 'red', [], { links: () => Promise.resolve({ links }), revokeLink });
    await act(settled);
    expect(hook('made-links').textContent).toMatch(/Blue seat.*Spectator/);
    click(hook('revoke-l2'));
    await act(settled);
    expect(revoked).toEqual(['l2']);
    expect(isThere('revoke-l2')).toBe(false);
    expect(hook('revoke-l1').getAttribute('aria-label')).toBe('Revoke: Blue seat');
  });

  it('takes the key of a link that is pasted while it is shown', () => {
    sessionStorage.clear();
    history.replaceState(null, '', `/t/${TABLE}`);
    const { socket } = showTable();
    act(() => socket.say({ t: 'refused', table: TABLE, code: 'not_found', message: 'there is no such table' }));
    history.replaceState(null, '', `/t/${TABLE}#watch=s3cret`);
    act(() => void dispatchEvent(new Event('hashchange')));
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE, secret: 's3cret' });
    expect(location.hash).toBe('');
    act(() => void dispatchEvent(new Event('hashchange')));
    expect(socket.ofKind('watch')).toHaveLength(2);
    sessionStorage.clear();
    history.replaceState(null, '', '/');
  });

  it('asks before resigning', () => {
    const socket = openTable(new ScriptedMatch('dilkel', FOUR).begin('blue'), 'red');
    click(hook('resign'));
    expect(socket.ofKind('resign')).toEqual([]);
    click(hook('resign-confirm'));
    expect(socket.ofKind('resign')).toHaveLength(1);
    expect(isThere('resign-confirm')).toBe(false);
  });

  it('offers what may be done about a draw', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.state = { ...match.state, can_claim_draw: true };
    const socket = openTable(match, 'red', ['h2h4']);
    click(hook('draw-ask'));
    click(hook('draw-claim'));
    ask('draw', match, socket);
    click(hook('draw-accept'));
    click(hook('draw-decline'));
    expect(socket.ofKind('request').map((frame) => frame.action)).toEqual(['ask', 'accept', 'decline']);
    expect(socket.ofKind('claim_draw')).toHaveLength(1);
    expect(hook('draw-ask')).toHaveProperty('disabled', true);
    expect(hook('seat-blue').textContent).toContain('Draw?');
  });

  it('asks for a takeback once there is a move to take back, and answers one', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red', ['h2h4']);
    expect(hook('takeback-ask')).toHaveProperty('disabled', true);
    act(() => socket.say(match.move('h2h4')));
    click(hook('takeback-ask'));
    ask('takeback', match, socket);
    click(hook('takeback-accept'));
    expect(socket.ofKind('request')).toMatchObject([
      { request: 'takeback', action: 'ask' },
      { request: 'takeback', action: 'accept' },
    ]);
    expect(hook('draw-ask')).toHaveProperty('disabled', false);
    const back = { event: { type: 'taken_back', plies: 1 }, squares: { h4: null, h2: 'rP' } } as const;
    act(() => socket.say(match.step({ ...back, state: { requests: [] } }, ['h2h3'])));
    expect(hook('takeback-ask')).toHaveProperty('disabled', true);
    expect(hook('moves').textContent).not.toContain('h2-h4');
  });

  it('asks for a pause, and ends it', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red');
    click(hook('pause-ask'));
    expect(isThere('resume')).toBe(false);
    const suspension = { kind: 'paused', left_ms: 600_000 } as const;
    act(() => socket.say(match.step({ event: { type: 'paused' }, state: { suspension: suspension } })));
    expect(hook('pause-ask')).toHaveProperty('disabled', true);
    click(hook('resume'));
    click(hook('abort-ask'));
    click(hook('abort-confirm'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause', 'abort']);
    expect(socket.ofKind('resume')).toHaveLength(1);
  });

  it('greys who is out, with the cause, and shows the result with places', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red');
    act(() =>
      socket.say(
        match.step({
          event: { type: 'eliminated', color: 'blue', cause: 'mate', by: ['green'] },
          state: { eliminated: [{ color: 'blue', cause: 'mate' }], active_players: ['red', 'yellow', 'green'] },
        }),
      ),
    );
    expect(hook('seat-blue').dataset['in']).toBe('false');
    expect(hook('seat-blue').textContent).toContain('Mated');
    expect(isThere('result')).toBe(false);
    const places = { red: 1, yellow: 2, green: 3, blue: 4 };
    act(() =>
      socket.say(
        match.step({
          event: { type: 'ended', reason: 'resign', places },
          state: { phase: 'ended', turn: null, outcome: { reason: 'resign', places } },
        }),
      ),
    );
    expect(hook('status').textContent).toBe('You winby resignation');
    expect(hook('result').dataset['reason']).toBe('resign');
    expect([...document.querySelectorAll('.places li')].map((item) => item.getAttribute('data-color'))).toEqual([
      'red', 'yellow', 'green', 'blue',
    ]);
    expect(isThere('resign')).toBe(false);
    expect(hook('board').dataset['turn']).toBe('');
  });

  it('says in the title whose turn it is', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red', ['h2h4']);
    expect(document.title).toBe('● Your move · Quadrex');
    act(() => socket.say(match.move('h2h4')));
    expect(document.title).toBe('Blue to move · Quadrex');
  });

  it('has a page for a table that is not there', () => {
    const { socket } = showTable();
    act(() => socket.say({ t: 'refused', table: TABLE, code: 'not_found', message: 'there is no such table' }));
    expect(hook('missing').textContent).toContain('Table not found');
  });

  it('says that the host has kicked the user, in place of a board that stands still', () => {
    const match = new ScriptedMatch('dilkel', {});
    const socket = openTable(match, 'red', []);
    const message = 'the host has kicked you from this table';
    act(() => socket.say({ t: 'refused', table: TABLE, code: 'kicked', message }));
    expect(hook('missing').textContent).toContain('You can no longer watch this table');
    expect(hook('missing').textContent).toContain('The host has kicked you from this table.');
  });
});
