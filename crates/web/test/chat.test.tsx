import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessage, Color, RelatedUsers, Room } from '../src/protocol/generated.ts';
import type { RelationKind } from '../src/store/relations.ts';
import { user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, ScriptedMatch, SETTINGS, TABLE, type MatchStep } from './support/match.ts';
import { click, closePage, fillField, byTestId, exists, renderTableAfterSnapshot, renderTable, submitField } from './support/page.tsx';
import { noticesOf } from './support/notices.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

function said(name: string, words: ChatMessage, room: Room = 'seated', color?: Color): MatchStep {
  return { event: { type: 'message_sent', user: user(name), room, message: words, ...(color === undefined ? {} : { color }) } };
}
const lines = (): string[] => [...byTestId('chat-log').querySelectorAll('.chat-message')].map((line) => line.textContent ?? '');

beforeEach(() => localStorage.clear());
afterEach(closePage);

describe('the chat', () => {
  it('counts unread messages, and shows them with translated phrases', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red', ['h2h4']);
    expect(byTestId('unread').dataset['count']).toBe('0');
    act(() => socket.receive({ ...match.step(said('Ben', { phrase: 'good_luck' }, 'seated', 'blue')), legal_moves: ['h2h4'] }));
    act(() => socket.receive({ ...match.step(said('Ada', { text: 'and you' }, 'seated', 'red')), legal_moves: ['h2h4'] }));
    expect(byTestId('unread').dataset['count'], 'own messages are not unread').toBe('1');
    click(byTestId('tab-chat'));
    expect(lines()).toEqual(['Ben Good luck!', 'Ada and you']);
    expect(byTestId('unread').dataset['count']).toBe('0');
    expect(byTestId('status').textContent, 'the status is about the match').toContain('Red moves first');
    expect(byTestId('chat-log').getAttribute('role')).toBe('log');
  });

  it('sends to the room of the viewer', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red');
    click(byTestId('tab-chat'));
    submitField('chat-input', '  well played ');
    click(byTestId('phrase-oops'));
    closePage();
    match.state = { ...match.state, eliminated: [{ color: 'red', cause: 'mate' }], active_players: ['blue', 'yellow', 'green'] };
    const after = renderTableAfterSnapshot(match, 'red');
    click(byTestId('tab-chat'));
    submitField('chat-input', 'now I may talk');
    expect([...socket.ofKind('chat'), ...after.ofKind('chat')].map(({ room, message: words }) => [room, words])).toEqual([
      ['seated', { text: 'well played' }],
      ['seated', { phrase: 'oops' }],
      ['bystanders', { text: 'now I may talk' }],
    ]);
  });

  it('puts a refused message back before newer text, and shows the reason', async () => {
    const { client, socket } = renderTable();
    act(() => socket.receive(new ScriptedMatch('dilkel', FOUR).startMatch('red').snapshot('red')));
    click(byTestId('tab-chat'));
    submitField('chat-input', 'the sixth');
    expect(byTestId<HTMLInputElement>('chat-input').value).toBe('');
    fillField('chat-input', 'and more');
    const cmd = socket.ofKind('chat')[0]?.cmd ?? '';
    await act(async () => {
      socket.receive({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'wait a moment' });
      await vi.waitFor(() => expect(noticesOf(client)).toEqual(['Wait a moment.']));
    });
    expect(byTestId<HTMLInputElement>('chat-input').value).toBe('the sixth and more');
  });

  it('offers what the settings allow', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.view = { settings: { ...SETTINGS, variant: 'dilkel', chat: 'phrases' } };
    renderTableAfterSnapshot(match, 'red');
    click(byTestId('tab-chat'));
    expect([exists('chat-input'), exists('phrase-hello')]).toEqual([false, true]);
    closePage();
    match.view = { settings: { ...SETTINGS, variant: 'dilkel', chat: 'off' } };
    renderTableAfterSnapshot(match, 'red');
    expect(exists('tab-chat'), 'a chat that is off is hidden').toBe(false);
    expect(exists('moves')).toBe(true);
    closePage();
    renderTableAfterSnapshot(match, null);
    click(byTestId('tab-chat'));
    expect(exists('chat-input'), 'the setting restricts players only').toBe(true);
  });

  it('hides the messages of muted and blocked users', async () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    match.step(said('Ben', { text: 'noise' }));
    match.step(said('Cleo', { text: 'sense' }));
    match.step(said('Dora', { text: 'spam' }));
    const setRelation = vi.fn(() => Promise.resolve());
    const relations = (kind: RelationKind): Promise<RelatedUsers> => Promise.resolve({ users: kind === 'blocks' ? [{ user: user('Dora'), since_ms: 0 }] : [] });
    renderTableAfterSnapshot(match, 'red', undefined, { relations, setRelation });
    await act(flushTasks);
    click(byTestId('tab-chat'));
    expect(lines()).toEqual(['Ben noise', 'Cleo sense']);
    click(byTestId('mute-id-of-ben'));
    expect(lines()).toEqual(['Cleo sense']);
    expect(byTestId('mute-id-of-ben').getAttribute('aria-pressed')).toBe('true');
    await act(flushTasks);
    click(byTestId('mute-id-of-ben'));
    expect(lines()).toEqual(['Ben noise', 'Cleo sense']);
    expect(setRelation.mock.calls).toEqual([
      ['mutes', 'id-of-ben', true],
      ['mutes', 'id-of-ben', false],
    ]);
  });

  it('requests the chat that was withheld from a player once it is readable', () => {
    const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
    const socket = renderTableAfterSnapshot(match, 'red');
    match.step(said('Eve', { text: 'red is lost' }, 'bystanders'));
    act(() => socket.receive({ t: 'skip', table: TABLE, match: MATCH, seq: match.seq }));
    expect(socket.ofKind('watch')).toHaveLength(1);
    const places = { red: 4, blue: 1, yellow: 2, green: 3 };
    const end = { event: { type: 'ended', reason: 'resign', places }, state: { phase: 'ended', turn: null } } as const;
    act(() => socket.receive(match.step(end)));
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE });
    act(() => socket.receive(match.snapshot('red')));
    click(byTestId('tab-chat'));
    expect(lines()).toEqual(['Evespectator red is lost']);
  });
});
