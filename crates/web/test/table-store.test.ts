import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TableStore } from '../src/store/table-store.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { MATCH, ScriptedMatch, TABLE } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';
import { noticesOf } from './support/notices.ts';

const NO_KEYS = { invite: undefined, watch: undefined };

describe('TableStore', () => {
  let match: ScriptedMatch;
  let socket: FakeSocket;
  let store: TableStore;
  let said: () => string[];

  beforeEach(() => {
    const made = onlineClient();
    socket = made.socket;
    said = () => noticesOf(made.client);
    match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    store = new TableStore(made.client, TABLE, NO_KEYS);
    store.follow();
    socket.receive(match.snapshot('white', ['e2e4', 'd2d4']));
  });

  it('shows a move at once, and allows no other one meanwhile', () => {
    void store.move('e2e4');
    expect(socket.ofKind('move')).toMatchObject([{ after: 4, move: 'e2e4' }]);
    expect(store.pieces.value).toMatchObject({ e4: 'wP' });
    expect(store.pieces.value['e2']).toBeUndefined();
    expect(store.state.value?.pieces['e2']).toBe('wP');
    expect(store.legalMoves.value.canMove('d2')).toBe(false);
    void store.move('d2d4');
    expect(socket.ofKind('move')).toHaveLength(1);
  });

  it('names the match in all commands', () => {
    void store.move('e2e4');
    void store.sendMessage('seated', { text: 'hello' });
    expect(socket.ofKind('move')).toMatchObject([{ match: MATCH }]);
    expect(socket.ofKind('chat')).toMatchObject([{ match: MATCH }]);
  });

  it('shows the move after its ack until its event arrives', async () => {
    const moving = store.move('e2e4');
    socket.receive({ t: 'ack', table: TABLE, match: MATCH, cmd: socket.ofKind('move')[0]?.cmd ?? '', seq: 5 });
    await moving;
    expect(store.pieces.value['e4']).toBe('wP');
    socket.receive(match.move('e2e4'));
    expect(store.pendingMove.value).toBeNull();
    expect(store.pieces.value['e4']).toBe('wP');
    expect(store.state.value?.state.turn).toBe('black');
  });

  it('reverts a refused move and shows the reason', async () => {
    const moving = store.move('e2e4');
    const cmd = socket.ofKind('move')[0]?.cmd ?? '';
    socket.receive({ t: 'refused', table: TABLE, cmd, code: 'stale', message: 'the board has changed' });
    await moving;
    expect(store.pieces.value['e2']).toBe('wP');
    expect(store.legalMoves.value.canMove('e2')).toBe(true);
    expect(said()).toEqual(['The board has changed. Look again before you move.']);
  });

  it('keeps the move pending during requests of others', () => {
    void store.move('e2e4');
    socket.receive(match.step({ event: { type: 'requested', request: 'draw', color: 'black' } }));
    expect(store.pendingMove.value?.mv).toBe('e2e4');
  });

  it('drops the move when the match has continued without it', () => {
    void store.move('e2e4');
    match.move('d2d4');
    socket.receive(match.snapshot('white'));
    expect(store.pendingMove.value).toBeNull();
    expect(store.pieces.value['d4']).toBe('wP');
  });

  it('shows a promotion as the chosen piece', () => {
    match.pieces = { e7: 'wP', e1: 'wK', a8: 'bK' };
    match.step({ event: { type: 'declined', request: 'draw', color: 'black' } });
    socket.receive(match.snapshot('white', ['e7e8q']));
    void store.move('e7e8q');
    expect(store.pieces.value['e8']).toBe('wQ');
  });

  it('reports why a premove is dropped', () => {
    for (const [to, why] of [
      ['d5', 'Your premove e2-d5 is not legal and was canceled.'],
      ['d2', 'Nothing was captured on d2: your premove e2-d2 was canceled.'],
    ] as const) {
      match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('black');
      const { client, socket: line } = onlineClient();
      const waiting = new TableStore(client, TABLE, NO_KEYS);
      waiting.follow();
      line.receive(match.snapshot('white'));
      expect(waiting.setPremove({ from: 'e2', to, promotion: null })).toBe(true);
      line.receive({ ...match.move('a7a6'), legal_moves: ['e2e4'] });
      expect(noticesOf(client)).toEqual([why]);
    }
  });

  it('takes a seat and watches with its invite', () => {
    const { client, socket: other } = onlineClient();
    const invited = new TableStore(client, TABLE, { invite: 'i-secret', watch: 'w-secret' });
    invited.follow();
    expect(other.ofKind('watch')).toEqual([{ t: 'watch', table: TABLE, secret: 'i-secret' }]);
    void invited.sit('black');
    void invited.sit(null);
    expect(other.ofKind('sit')).toMatchObject([{ seat: 'black', invite: 'i-secret' }, { invite: 'i-secret' }]);
    expect(other.ofKind('sit')[1]).not.toHaveProperty('seat');
  });

  it('reports an unavailable table', () => {
    const { client, socket: other } = onlineClient();
    const hidden = new TableStore(client, TABLE, NO_KEYS);
    hidden.follow();
    other.receive({ t: 'refused', table: TABLE, code: 'not_found', message: 'there is no such table' });
    expect(hidden.unavailable.value).toMatchObject({ code: 'not_found' });
  });

  it('returns links with the secret in the fragment', async () => {
    const createInvite = vi.fn(() => Promise.resolve({ secret: 's1', expires_at_ms: 0 }));
    const createWatchLink = vi.fn(() => Promise.resolve({ secret: 's2', expires_at_ms: 0 }));
    const { client } = onlineClient({ createInvite, createWatchLink });
    const hosted = new TableStore(client, TABLE, NO_KEYS);
    expect(await hosted.createInvite('blue')).toMatch(new RegExp(`/t/${TABLE}#invite=s1$`));
    expect(await hosted.createWatchLink()).toMatch(/#watch=s2$/);
    await hosted.createInvite(null);
    expect(createInvite.mock.calls).toEqual([
      [TABLE, { seat: 'blue', uses: 'single' }],
      [TABLE, { uses: 'open' }],
    ]);
  });
});
