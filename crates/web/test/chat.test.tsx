import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Color, Room, ChatMessage } from '../src/protocol/generated.ts';
import { persistenceIn } from '../src/store/persistence.ts';
import { Mutes } from '../src/store/mutes.ts';
import { user } from './support/boards.ts';
import { MATCH, ScriptedMatch, SETTINGS, TABLE, type Step } from './support/match.ts';
import { click, closePage, fill, hook, isThere, openTable, showTable, write } from './support/page.tsx';
import { noticesOf } from './support/notices.ts';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

function said(name: string, words: ChatMessage, room: Room = 'seated', color?: Color): Step {
  return { event: { type: 'message_sent', user: user(name), room, message: words, ...(color === undefined ? {} : { color }) } };
}
const lines = (): string[] => [...hook('chat-log').querySelectorAll('.chat-message')].map((line) => line.textContent ?? '');

beforeEach(() => localStorage.clear());
afterEach(closePage);

describe('the chat', () => {
  it('counts what is said unseen, and shows it with the phrases translated', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red', ['h2h4']);
    expect(hook('unread').dataset['count']).toBe('0');
    act(() => socket.say({ ...match.step(said('Ben', { phrase: 'good_luck' }, 'seated', 'blue')), legal_moves: ['h2h4'] }));
    act(() => socket.say({ ...match.step(said('Ada', { text: 'and you' }, 'seated', 'red')), legal_moves: ['h2h4'] }));
    expect(hook('unread').dataset['count'], 'one’s own words are no news').toBe('1');
    click(hook('tab-chat'));
    expect(lines()).toEqual(['Ben Good luck!', 'Ada and you']);
    expect(hook('unread').dataset['count']).toBe('0');
    expect(hook('status').textContent, 'the status is about the match').toContain('Red moves first');
    expect(hook('chat-log').getAttribute('role')).toBe('log');
  });

  it('is written to the room one belongs to', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red');
    click(hook('tab-chat'));
    write('chat-input', '  well played ');
    click(hook('phrase-oops'));
    closePage();
    match.state = { ...match.state, eliminated: [{ color: 'red', cause: 'mate' }], active_players: ['blue', 'yellow', 'green'] };
    const after = openTable(match, 'red');
    click(hook('tab-chat'));
    write('chat-input', 'now I may talk');
    expect([...socket.ofKind('chat'), ...after.ofKind('chat')].map(({ room, message: words }) => [room, words])).toEqual([
      ['seated', { text: 'well played' }],
      ['seated', { phrase: 'oops' }],
      ['bystanders', { text: 'now I may talk' }],
    ]);
  });

  it('keeps what was refused in the field, before what was written meanwhile, and says why', async () => {
    const { client, socket } = showTable();
    act(() => socket.say(new ScriptedMatch('dilkel', FOUR).begin('red').snapshot('red')));
    click(hook('tab-chat'));
    write('chat-input', 'the sixth');
    expect(hook<HTMLInputElement>('chat-input').value).toBe('');
    fill('chat-input', 'and more');
    const cmd = socket.ofKind('chat')[0]?.cmd ?? '';
    await act(async () => {
      socket.say({ t: 'refused', table: TABLE, cmd, code: 'rate_limited', message: 'wait a moment' });
      await vi.waitFor(() => expect(noticesOf(client)).toEqual(['Wait a moment.']));
    });
    expect(hook<HTMLInputElement>('chat-input').value).toBe('the sixth and more');
  });

  it('offers what the host allows', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.view = { settings: { ...SETTINGS, variant: 'dilkel', chat: 'phrases' } };
    openTable(match, 'red');
    click(hook('tab-chat'));
    expect([isThere('chat-input'), isThere('phrase-hello')]).toEqual([false, true]);
    closePage();
    match.view = { settings: { ...SETTINGS, variant: 'dilkel', chat: 'off' } };
    openTable(match, 'red');
    expect(isThere('tab-chat'), 'nothing is shown of a chat that is off').toBe(false);
    expect(isThere('moves')).toBe(true);
    closePage();
    openTable(match, null);
    click(hook('tab-chat'));
    expect(isThere('chat-input'), 'the setting is about the players').toBe(true);
  });

  it('mutes people for this browser alone', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    match.step(said('Ben', { text: 'noise' }));
    match.step(said('Cleo', { text: 'sense' }));
    openTable(match, 'red');
    click(hook('tab-chat'));
    expect(lines()).toEqual(['Ben noise', 'Cleo sense']);
    click(hook('mute-id-of-ben'));
    expect(lines()).toEqual(['Cleo sense']);
    closePage();
    openTable(match, 'red');
    click(hook('tab-chat'));
    expect(lines(), 'it is remembered').toEqual(['Cleo sense']);
    click(hook('mute-id-of-ben'));
    expect(lines()).toEqual(['Ben noise', 'Cleo sense']);
  });

  it('asks for what was kept from a player once it may hear it', () => {
    const match = new ScriptedMatch('dilkel', FOUR).begin('red');
    const socket = openTable(match, 'red');
    match.step(said('Eve', { text: 'red is lost' }, 'bystanders'));
    act(() => socket.say({ t: 'skip', table: TABLE, match: MATCH, seq: match.seq }));
    expect(socket.ofKind('watch')).toHaveLength(1);
    const places = { red: 4, blue: 1, yellow: 2, green: 3 };
    const end = { event: { type: 'ended', reason: 'resign', places }, state: { phase: 'ended', turn: null } } as const;
    act(() => socket.say(match.step(end)));
    expect(socket.ofKind('watch').at(-1)).toEqual({ t: 'watch', table: TABLE });
    act(() => socket.say(match.snapshot('red')));
    click(hook('tab-chat'));
    expect(lines()).toEqual(['Evespectator red is lost']);
  });
});

describe('Mutes', () => {
  it('begin anew where what is stored cannot be read', () => {
    for (const stored of ['{', '7', '[1, "a"]']) {
      localStorage.setItem('quadrex.muted', stored);
      expect([...new Mutes(persistenceIn(() => localStorage)).muted.value]).toEqual(stored === '[1, "a"]' ? ['a'] : []);
    }
  });
});
