import { beforeEach, describe, expect, it } from 'vitest';
import { LiveTables } from '../src/store/live-tables.ts';
import type { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch, TABLE } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';

const OTHER = '0192f0c1-2345-7000-8000-000000000002';

let socket: FakeSocket;
let live: LiveTables;
const asked = (): string[] =>
  socket.sent.flatMap((frame) => (frame.t === 'watch' || frame.t === 'unwatch' ? [`${frame.t} ${frame.table.slice(-1)}`] : []));

beforeEach(() => {
  const made = onlineClient();
  socket = made.socket;
  live = new LiveTables(made.client);
});

describe('LiveTables', () => {
  it('follows only displayed tables', () => {
    const leave = live.show(TABLE);
    live.show(OTHER);
    leave();
    expect(asked()).toEqual(['watch 1', 'watch 2', 'unwatch 1']);
  });

  it('follows nothing while the tab is hidden, and continues afterwards', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    live.show(TABLE);
    socket.receive(match.snapshot(null));
    live.setPageVisible(false);
    expect(live.storeOf(TABLE).state.value?.seq).toBe(match.seq);
    live.show(OTHER);
    expect(asked()).toEqual(['watch 1', 'unwatch 1']);
    live.setPageVisible(true);
    expect(socket.ofKind('watch').slice(1)).toEqual([
      { t: 'watch', table: TABLE, match: match.snapshot(null).match, after: match.seq, preview: true },
      { t: 'watch', table: OTHER, preview: true },
    ]);
  });

  it('receives the events of each table', () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    live.show(TABLE);
    socket.receive(match.snapshot(null));
    socket.receive(match.move('e2e4'));
    expect(live.storeOf(TABLE).state.value?.pieces['e4']).toBe('wP');
    expect(live.storeOf(TABLE)).toBe(live.storeOf(TABLE));
  });
});
