import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchId, Side } from '../../protocol/generated.ts';
import { onlySeat } from '../../store/own-seats.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline, eventSentence } from '../../text/sentence.ts';
import { boardView } from '../board/orientation.tsx';

/** The number of events in the log. Several may arrive at once. */
const SHOWN_EVENTS = 4;

/**
 * The sentences in the log, by event number. A sentence never changes, because screen readers would
 * read out a changed text again.
 */
interface Announced {
  readonly match: MatchId;
  readonly sentences: Map<number, string>;
  wasOwnTurn: boolean;
}

/**
 * A log for screen readers, which read out each new entry. The entries are the events and the
 * orientation of the board, which is read out again when the board is turned. The entry of an event
 * also says if the viewer's turn begins.
 */
export function Announcer({ state, bottom }: { readonly state: TableState; readonly bottom: Side }): JSX.Element {
  const log = useRef<Announced | null>(null);
  if (log.current?.match !== state.match) log.current = { match: state.match, sentences: new Map(), wasOwnTurn: false };
  const announced = log.current;
  const isOwnTurn = beginsOwnTurn(state);
  const shown = state.history.filter(({ event }) => event.type !== 'message_sent').slice(-SHOWN_EVENTS);
  for (const entry of shown) {
    if (announced.sentences.has(entry.seq)) continue;
    const sentence = entry.event.type === 'ended' ? headline(state) : eventSentence(entry, state);
    const isTurn = isOwnTurn && !announced.wasOwnTurn && entry === shown.at(-1);
    announced.sentences.set(entry.seq, isTurn ? `${text.table.yourMove}. ${sentence}` : sentence);
  }
  announced.wasOwnTurn = isOwnTurn;

  // Screen readers read out only entries that are added to an existing log.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const view = boardView(state.seats, bottom, onlySeat(state));
  return (
    <div class="visually-hidden" role="log" aria-live="polite" data-testid="announcer">
      {isMounted && <p key={view}>{view}</p>}
      {shown.map(({ seq }) => (
        <p key={seq}>{announced.sentences.get(seq)}</p>
      ))}
    </div>
  );
}

/**
 * Returns whether it is the viewer's turn. The viewer must hold exactly one seat and have a legal
 * move, because a turn without a legal move ends at once.
 */
function beginsOwnTurn(state: TableState): boolean {
  const { turn, phase, suspension } = state.state;
  return phase === 'running' && suspension === undefined && turn !== undefined && turn === onlySeat(state) && state.legalMoves.length > 0;
}
