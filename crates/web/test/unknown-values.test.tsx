import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { AbortCause, Cause, Event, Phrase, Reason, RefusalCode, ReportOutcome, ReportReason, Request, Speed, TimeSetting, Variant } from '../src/protocol/generated.ts';
import { LANGUAGE_TAGS } from '../src/store/languages.ts';
import { notationsOf, playerCount } from '../src/store/variants.ts';
import { loadCatalogue } from '../src/text/languages.ts';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { emblemParts } from '../src/view/variant-emblem.tsx';
import { seats, user } from './support/boards.ts';
import { flushTasks } from './support/explorer.ts';
import { lobbyFrame, ownTable } from './support/lobby.ts';
import { ScriptedMatch } from './support/match.ts';
import { byTestId, closePage, renderPage, renderTableAfterSnapshot } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

/** A value of a later version of the server, where this version knows others. */
function later<Value extends string>(): Value {
  return 'of_a_later_version' as Value;
}

afterEach(closePage);

describe.each(LANGUAGE_TAGS)('the catalogue %s', (language) => {
  it('has a text for every value that it does not know', async () => {
    const { causes, shortCauses, reasons, abortCauses, variants, events, play, requests, refusal, time, people, reports, chat, ratings, settings } = await loadCatalogue(language);
    const request = requests[later<Request>()];
    const texts = [
      causes[later<Cause>()],
      shortCauses[later<Cause>()],
      reasons[later<Reason>()],
      abortCauses[later<AbortCause>()],
      variants[later<Variant>()].name,
      events.eliminated('red', later<Cause>()),
      play.eliminatedBy[later<Cause>()](['blue']),
      people.reasons[later<ReportReason>()],
      reports.outcomes[later<ReportOutcome>()],
      chat.phrases[later<Phrase>()],
      ratings.speeds[later<Speed>()],
      ...(['seating', 'absence', 'draws', 'chat', 'watchers', 'admission'] as const).map((name) => (settings[name] as Record<string, string>)[later()] ?? ''),
      request.ask,
      request.ownRequest,
      request.seatAsks,
      ...Object.values(request.sentences).map((sentence) => sentence('red')),
      refusal(later<RefusalCode>(), 'the server is full'),
    ];
    expect(texts.filter((text) => typeof text !== 'string' || text.length < 3 || /undefined|later/.test(text))).toEqual([]);
    expect(refusal(later<RefusalCode>(), 'the server is full')).toMatch(/the server is full/i);
    expect(time({ kind: later() } as unknown as TimeSetting)).toBe('');
  });
});

describe('a page of an earlier version', () => {
  it('shows a match that was aborted for a cause that it does not know', async () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const cause = later<AbortCause>();
    match.step({ event: { type: 'aborted', cause }, state: { phase: 'ended', turn: null, aborted: cause } });
    renderTableAfterSnapshot(match, 'white');
    await act(flushTasks);
    expect(byTestId('status').textContent).toBe('AbortedFor another reason');
  });

  it('shows a player who was eliminated for a cause that it does not know', async () => {
    const match = new ScriptedMatch('dilkel', { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dan' }).startMatch('red');
    const cause = later<Cause>();
    match.step({ event: { type: 'eliminated', color: 'red', cause }, state: { turn: 'blue', eliminated: [{ color: 'red', cause }], active_players: ['blue', 'yellow', 'green'] } });
    renderTableAfterSnapshot(match, 'red');
    await act(flushTasks);
    expect(byTestId('status').textContent).toContain('Red is eliminated');
    expect(byTestId('seat-red').textContent).toContain('Eliminated');
  });

  it('shows requests and events that it does not know', async () => {
    const match = new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');
    const request = later<Request>();
    match.step({ event: { type: 'requested', color: 'black', request } as Event, state: { requests: [{ request, by: 'black', agreed: ['black'] }] } });
    match.step({ event: { type: later() } as unknown as Event });
    renderTableAfterSnapshot(match, 'white');
    await act(flushTasks);
    expect(byTestId(`request-${request}`).textContent).toContain('Black has a request');
  });

  it('lists a table with a variant that it does not know', async () => {
    const variant = later<Variant>();
    const { client, socket } = onlineClient();
    renderPage(client, <Lobby />);
    const table = ownTable('t-1');
    act(() => socket.receive({ t: 'own_tables', tables: [] }));
    act(() => socket.receive(lobbyFrame([{ ...table, host: user('Ben'), seats: seats({ white: 'Ben', black: null }), settings: { ...table.settings, variant } }])));
    await act(flushTasks);
    expect(byTestId('table-row').textContent).toContain('Unknown game');
    expect(playerCount(variant)).toBe(4);
    expect(notationsOf(variant).game).toBe('PGN4');
    expect(emblemParts(variant).armies).toHaveLength(4);
  });
});
