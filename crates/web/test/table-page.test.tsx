import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { LinkView, Request, RequestView } from '../src/protocol/generated.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { PRIVATE_SETTINGS, ScriptedMatch, TABLE } from './support/match.ts';
import { click, closePage, byTestId, exists, pressKey, findElement, renderTableAfterSnapshot, renderTable, square, submitField } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

/** Adds a request by Blue. */
function ask(request: Request, match: ScriptedMatch, socket: FakeSocket): void {
  const requests: RequestView[] = [{ request, by: 'blue', agreed: ['blue'] }];
  act(() => socket.receive(match.step({ event: { type: 'requested', request, color: 'blue' }, state: { requests } })));
}

const moves = (socket: FakeSocket): string[] => socket.ofKind('move').map((frame) => frame.move);

afterEach(closePage);

describe('the board', () => {
  it('shows the pieces of any geometry', () => {
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red');
    expect(document.querySelectorAll('[data-square]')).toHaveLength(160);
    expect(document.querySelectorAll('[data-piece]')).toHaveLength(64);
    expect(square('g1').dataset['piece']).toBe('rK');
    expect(square('a7').getAttribute('aria-label')).toBe('a7, blue queen');
    expect(byTestId('board').dataset).toMatchObject({ seq: '6', turn: 'red', variant: 'dilkel' });
  });

  it('is played by a click on a piece and one on a target', () => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['h2h3', 'h2h4', 'e1f3']);
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

  it('offers no moves to other players', () => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('blue'), 'red');
    click(square('h2'));
    click(square('h4'));
    expect(moves(socket)).toEqual([]);
  });

  it('is played by keyboard alone, across the cut-out corners', () => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['e1f3']);
    act(() => findElement('[data-square][tabindex="0"]').focus());
    expect(document.activeElement).toBe(square('d1'));
    pressKey('ArrowLeft');
    pressKey('ArrowDown');
    expect(document.activeElement).toBe(square('d1'));
    pressKey('ArrowRight');
    pressKey('Enter');
    expect(square('e1').getAttribute('aria-selected')).toBe('true');
    pressKey('Escape');
    expect(square('e1').getAttribute('aria-selected')).toBe('false');
    pressKey(' ');
    for (const step of ['ArrowUp', 'ArrowUp', 'ArrowRight']) pressKey(step);
    expect(document.activeElement).toBe(square('f3'));
    pressKey('Enter');
    expect(moves(socket)).toEqual(['e1f3']);
  });

  it('has one square in the tab order at a time', () => {
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['e1f3']);
    click(square('e1'));
    expect([...document.querySelectorAll<HTMLElement>('[data-square][tabindex="0"]')]).toEqual([square('e1')]);
  });

  it('puts the viewer at the bottom and spectators at the south', () => {
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Ada', yellow: 'Cleo', green: 'Dora' }), 'blue');
    expect(byTestId('seat-blue').dataset['place']).toBe('bottom');
    expect(byTestId('seat-red').dataset['place']).toBe('right');
    closePage();
    renderTableAfterSnapshot(new ScriptedMatch('dilkel', { red: 'Ben', blue: 'Eve', yellow: 'Cleo', green: 'Dora' }), null);
    expect(byTestId('seat-red').dataset['place']).toBe('bottom');
  });

  it("marks each seat's last move and the kings in check", () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.move('h2h4');
    match.move('a7e7', { checks: ['red'] });
    renderTableAfterSnapshot(match, 'red');
    expect(square('h2').dataset).toMatchObject({ mark: 'from', color: 'red' });
    expect(square('h4').dataset).toMatchObject({ mark: 'to', color: 'red' });
    expect(square('e7').dataset).toMatchObject({ mark: 'to', color: 'blue' });
    expect(square('g1').dataset['check']).toBe('');
    expect(byTestId('seat-red').dataset).toMatchObject({ check: 'true', turn: 'false', in: 'true' });
    expect(byTestId('announcer').textContent).toContain('Blue queen a7 to e7, check to you');
  });
});

describe('promotion', () => {
  function promoting(): { socket: FakeSocket; match: ScriptedMatch } {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.pieces['e13'] = 'rP';
    delete match.pieces['e14'];
    match.state = { ...match.state, reserves: { red: { rooks: 0, bishops: 0, knights: 2 } } };
    return { match, socket: renderTableAfterSnapshot(match, 'red', ['e13e14q', 'e13e14n', 'h2h4']) };
  }

  it('offers the queen and the reserve, with counts', () => {
    const { socket } = promoting();
    click(square('e13'));
    click(square('e14'));
    expect(moves(socket)).toEqual([]);
    expect(byTestId('promote-q').textContent).toBe('');
    expect(byTestId('promote-n').textContent).toBe('2');
    // An unavailable piece is shown with the count 0 and the reason. A press does nothing.
    expect(byTestId('promote-r').textContent).toBe('0');
    expect(byTestId('promote-r').getAttribute('aria-label')).toBe('Rook: 0 in reserve, because none of yours was captured');
    expect(byTestId('promote-r').getAttribute('aria-disabled')).toBe('true');
    expect(findElement('.promotion-hint').textContent).toBe('A queen always; others only if you lost one.');
    click(byTestId('promote-r'));
    expect(moves(socket)).toEqual([]);
    click(byTestId('promote-n'));
    expect(moves(socket)).toEqual(['e13e14n']);
    expect(exists('promote-q')).toBe(false);
  });

  it('is canceled by Escape', () => {
    const { socket } = promoting();
    click(square('e13'));
    click(square('e14'));
    expect(document.activeElement).toBe(byTestId('promote-q'));
    pressKey('ArrowLeft');
    expect(document.activeElement).toBe(byTestId('promote-n'));
    pressKey('Escape');
    expect(document.querySelector('.promotion')).toBeNull();
    expect(moves(socket)).toEqual([]);
  });

  it('shows no counts in classic', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    match.pieces = { e7: 'wP', a1: 'wK', h8: 'bK' };
    renderTableAfterSnapshot(match, 'white', ['e7e8q', 'e7e8r', 'e7e8b', 'e7e8n']);
    click(square('e7'));
    click(square('e8'));
    expect(['q', 'r', 'b', 'n'].map((letter) => byTestId(`promote-${letter}`).textContent)).toEqual(['', '', '', '']);
  });
});

describe('typed moves', () => {
  it('are played, or a sentence gives the reason', () => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['h2h4', 'e13e14q']);
    submitField('move-input', 'zz9');
    expect(findElement('#move-input-wrong').textContent).toContain('zz9');
    submitField('move-input', 'h2h5');
    expect(findElement('#move-input-wrong').textContent).toContain('not legal');
    submitField('move-input', 'h2-h4');
    expect(findElement('#move-input-wrong').textContent).toBe('');
    expect(byTestId<HTMLInputElement>('move-input').value).toBe('');
    expect(moves(socket)).toEqual(['h2h4']);
  });

  it('ask for a promotion', () => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('red'), 'red', ['e13e14q', 'e13e14n']);
    submitField('move-input', 'e13e14');
    click(byTestId('promote-q'));
    expect(moves(socket)).toEqual(['e13e14q']);
  });

  it('are refused when nobody is to move', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('blue');
    const { turn: _, ...before } = match.state;
    match.state = before;
    renderTableAfterSnapshot(match, 'red');
    submitField('move-input', 'h2h4');
    expect(findElement('#move-input-wrong').textContent).toBe('It is not your turn.');
  });
});

describe('around the board', () => {
  it('offers open seats to users who may take them', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: null, yellow: null, green: null });
    const socket = renderTableAfterSnapshot(match, null);
    expect(exists('sit-red')).toBe(false);
    click(byTestId('sit-yellow'));
    expect(socket.ofKind('sit')).toMatchObject([{ table: TABLE, seat: 'yellow' }]);
    act(() => socket.receive(match.step({ event: { type: 'seated', color: 'yellow', user: user('Ada'), nonce: 'n' } })));
    expect(exists('sit-blue')).toBe(false);
    click(byTestId('leave'));
    expect(socket.ofKind('leave')).toHaveLength(1);
  });

  it('offers the seats of a private table to its host and invited users only', () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ben', blue: null, yellow: null, green: null });
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' }, host: user('Ben') };
    renderTableAfterSnapshot(match, null);
    expect(exists('sit-blue')).toBe(false);
    closePage();
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' }, host: user('Ada') };
    renderTableAfterSnapshot(match, null);
    expect(byTestId('sit-blue')).toBeTruthy();
    expect(byTestId('copy-invite')).toBeTruthy();
  });

  it('lets the host invite spectators during a match, if the settings allow it', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' } };
    renderTableAfterSnapshot(match, 'red');
    const after = byTestId('move-input').compareDocumentPosition(byTestId('make-link-watch'));
    expect(after & Node.DOCUMENT_POSITION_FOLLOWING).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    closePage();
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel', watchers: 'nobody' } };
    renderTableAfterSnapshot(match, 'red');
    expect(exists('make-link-watch')).toBe(false);
  });

  it('lists the links of a private table to its host, who can revoke them', async () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada' });
    match.view = { settings: { ...PRIVATE_SETTINGS, variant: 'dilkel' }, host: user('Ada') };
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
    renderTableAfterSnapshot(match, 'red', [], { links: () => Promise.resolve({ links }), revokeLink });
    await act(flushTasks);
    expect(byTestId('made-links').textContent).toMatch(/Blue seat.*Spectator/);
    click(byTestId('revoke-l2'));
    await act(flushTasks);
    expect(revoked).toEqual(['l2']);
    expect(exists('revoke-l2')).toBe(false);
    expect(byTestId('revoke-l1').getAttribute('aria-label')).toBe('Revoke: Blue seat');
  });

  it('accepts the secret of a link that is pasted into the open page', () => {
    sessionStorage.clear();
    history.replaceState(null, '', `/t/${TABLE}`);
    const { socket } = renderTable();
    act(() => socket.receive({ t: 'refused', table: TABLE, code: 'not_found', message: 'there is no such table' }));
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
    const socket = renderTableAfterSnapshot(new ScriptedMatch('dilkel', FOUR).startMatch('blue'), 'red');
    click(byTestId('resign'));
    expect(socket.ofKind('resign')).toEqual([]);
    click(byTestId('resign-confirm'));
    expect(socket.ofKind('resign')).toHaveLength(1);
    expect(exists('resign-confirm')).toBe(false);
  });

  it('offers the possible actions about a draw', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.state = { ...match.state, can_claim_draw: true };
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    click(byTestId('draw-ask'));
    click(byTestId('draw-claim'));
    ask('draw', match, socket);
    click(byTestId('draw-accept'));
    click(byTestId('draw-decline'));
    expect(socket.ofKind('request').map((frame) => frame.action)).toEqual(['ask', 'accept', 'decline']);
    expect(socket.ofKind('claim_draw')).toHaveLength(1);
    expect(byTestId('draw-ask')).toHaveProperty('disabled', true);
    expect(byTestId('seat-blue').textContent).toContain('Draw?');
  });

  it('requests a takeback when there is a move, and answers one', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    expect(byTestId('takeback-ask')).toHaveProperty('disabled', true);
    act(() => socket.receive(match.move('h2h4')));
    click(byTestId('takeback-ask'));
    ask('takeback', match, socket);
    click(byTestId('takeback-accept'));
    expect(socket.ofKind('request')).toMatchObject([
      { request: 'takeback', action: 'ask' },
      { request: 'takeback', action: 'accept' },
    ]);
    expect(byTestId('draw-ask')).toHaveProperty('disabled', false);
    const back = { event: { type: 'taken_back', plies: 1 }, squares: { h4: null, h2: 'rP' } } as const;
    act(() => socket.receive(match.step({ ...back, state: { requests: [] } }, ['h2h3'])));
    expect(byTestId('takeback-ask')).toHaveProperty('disabled', true);
    expect(byTestId('moves').textContent).not.toContain('h2-h4');
  });

  it('requests a pause, and ends it', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red');
    click(byTestId('pause-ask'));
    expect(exists('resume')).toBe(false);
    const suspension = { kind: 'paused', left_ms: 600_000 } as const;
    act(() => socket.receive(match.step({ event: { type: 'paused' }, state: { suspension } })));
    expect(byTestId('pause-ask')).toHaveProperty('disabled', true);
    click(byTestId('resume'));
    click(byTestId('abort-ask'));
    click(byTestId('abort-confirm'));
    expect(socket.ofKind('request').map((frame) => frame.request)).toEqual(['pause', 'abort']);
    expect(socket.ofKind('resume')).toHaveLength(1);
  });

  it('marks eliminated players with the cause, and shows the result with places', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red');
    act(() =>
      socket.receive(
        match.step({
          event: { type: 'eliminated', color: 'blue', cause: 'mate', by: ['green'] },
          state: { eliminated: [{ color: 'blue', cause: 'mate' }], active_players: ['red', 'yellow', 'green'] },
        }),
      ),
    );
    expect(byTestId('seat-blue').dataset['in']).toBe('false');
    expect(byTestId('seat-blue').textContent).toContain('Mated');
    expect(exists('result')).toBe(false);
    const places = { red: 1, yellow: 2, green: 3, blue: 4 };
    act(() =>
      socket.receive(
        match.step({
          event: { type: 'ended', reason: 'resign', places },
          state: { phase: 'ended', turn: null, outcome: { reason: 'resign', places } },
        }),
      ),
    );
    expect(byTestId('status').textContent).toBe('You winby resignation');
    expect(byTestId('result').dataset['reason']).toBe('resign');
    expect([...document.querySelectorAll('.places li')].map((item) => item.getAttribute('data-color'))).toEqual([
      'red', 'yellow', 'green', 'blue',
    ]);
    expect(exists('resign')).toBe(false);
    expect(byTestId('board').dataset['turn']).toBe('');
  });

  it('shows the turn in the title', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    expect(document.title).toBe('● Your move · Quadrex');
    act(() => socket.receive(match.move('h2h4')));
    expect(document.title).toBe('Blue to move · Quadrex');
  });

  it('has a page for a missing table', () => {
    const { socket } = renderTable();
    act(() => socket.receive({ t: 'refused', table: TABLE, code: 'not_found', message: 'there is no such table' }));
    expect(byTestId('missing').textContent).toContain('Table not found');
  });

  it('reports a kick in place of the board', () => {
    const match = new ScriptedMatch('dilkel', {});
    const socket = renderTableAfterSnapshot(match, 'red', []);
    const message = 'the host has kicked you from this table';
    act(() => socket.receive({ t: 'refused', table: TABLE, code: 'kicked', message }));
    expect(byTestId('missing').textContent).toContain('You can no longer watch this table');
    expect(byTestId('missing').textContent).toContain('The host removed you from this table.');
  });
});
