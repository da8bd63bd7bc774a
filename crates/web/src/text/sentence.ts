import type { AbortCause, Color, Entry, Event, SuspensionView, OutcomeView, StateView } from '../protocol/generated.ts';
import { onlySeat } from '../store/own-seats.ts';
import { colorOf, roleOf, type RoleLetter } from '../store/pieces.ts';
import type { Ply } from '../store/replay.ts';
import type { TableState } from '../store/table.ts';
import { text } from './index.ts';
import { nameOf } from './name-of.ts';

/**
 * The events that have no sentence. If the last event is one of them, the sentence is about an
 * earlier event.
 */
const EVENTS_WITHOUT_SENTENCE: ReadonlySet<Event['type']> = new Set(['ended', 'message_sent', 'interrupted']);

/** The events that the headline already names while the match is suspended. */
const SUSPENDING_EVENTS: ReadonlySet<Event['type']> = new Set(['paused', 'waiting', 'resuming']);

/**
 * Returns a sentence about the last event that the headline does not name, such as "Blue queen a7
 * to e7, check to you". Returns an empty text if there is no such event.
 */
export function lastSentence(state: TableState): string {
  const { closed, suspension } = state.state;
  const entry = state.history.findLast(
    ({ event: { type } }) =>
      !EVENTS_WITHOUT_SENTENCE.has(type) && !(closed === true && type === 'closed') && !(suspension !== undefined && SUSPENDING_EVENTS.has(type)),
  );
  return entry === undefined ? '' : eventSentence(entry, state);
}

/** Returns a sentence about an event. */
export function eventSentence(entry: Entry, state: TableState): string {
  const { event } = entry;
  switch (event.type) {
    case 'opened':
    case 'message_sent':
    case 'interrupted':
    case 'ended':
      return '';
    case 'seated':
      return text.events.seated(event.color, nameOf(event.user));
    case 'vacated':
      return text.events.vacated(event.color);
    case 'host_changed':
      return text.events.host(nameOf(event.host));
    case 'rematch_requested':
      return event.color === onlySeat(state) ? text.postGame.ownRequest : text.postGame.wantsRematch(event.color);
    case 'rematch_agreed':
      return text.events.rematchAgreed(event.color);
    case 'rematch_declined':
      return text.postGame.declinesRematch(event.color);
    case 'rematched':
      return text.events.rematched;
    case 'closed':
      return event.reason === undefined ? text.events.closed : text.events.closedByModerator(event.reason);
    case 'started':
      return text.events.started(event.first_player);
    case 'moved': {
      const ply = state.plies.findLast((candidate) => candidate.seq === entry.seq);
      return ply === undefined ? '' : moveSentence(ply, state);
    }
    case 'eliminated': {
      const checks = entry.checks ?? [];
      const out = text.events.eliminated(event.color, event.cause);
      return checks.length === 0 ? out : `${out}, ${text.events.check(checks, onlySeat(state))}`;
    }
    case 'requested':
    case 'agreed':
    case 'declined':
      return requestSentence(event, state);
    case 'taken_back':
      return text.events.takenBack(event.plies);
    case 'paused':
      return text.events.paused;
    case 'waiting':
      return text.events.waiting(event.color);
    case 'resuming':
      return text.events.resuming(event.color ?? null);
    case 'resumed':
      return text.events.resumed;
    case 'vacation_started':
      return text.events.vacationStarted(event.color, event.until_ms);
    case 'vacation_ended':
      return text.events.vacationEnded(event.color);
    case 'substituted':
      return text.events.stoodIn(event.color, nameOf(event.bot));
    case 'returned':
      return text.events.returned(event.color);
    case 'aborted':
      return text.events.aborted(abortReason(event.cause, state));
    default:
      // An event of a later version.
      return '';
  }
}

/**
 * Returns a sentence about a request or an answer. If the viewer has agreed, it names the players
 * who have not answered.
 */
function requestSentence(event: Extract<Event, { type: 'requested' | 'agreed' | 'declined' }>, state: TableState): string {
  const said = text.requests[event.request].sentences[event.type](event.color);
  const open = state.state.requests?.find((one) => one.request === event.request);
  if (open === undefined || state.viewerSeat === null || !open.agreed.includes(state.viewerSeat)) return said;
  const waiting = state.state.active_players.filter((color) => !open.agreed.includes(color));
  const subject = open.by === onlySeat(state) ? text.requests[event.request].ownRequest : text.request.agreed;
  return `${subject}. ${text.request.waits(waiting)}`;
}

function moveSentence(ply: Ply, state: TableState): string {
  const said = [moveText(ply)];
  const taken = ply.captured === null ? null : colorOf(ply.captured, state.seats);
  const takenRole = ply.captured === null ? null : roleOf(ply.captured);
  if (taken !== null && takenRole !== null) said.push(text.events.captures(taken, takenRole));
  const promotion = promotionOf(ply);
  if (promotion !== null) said.push(text.events.promotes(promotion));
  if (ply.checks.length > 0) said.push(text.events.check(ply.checks, onlySeat(state)));
  return said.join(', ');
}

function moveText(ply: Ply): string {
  if (ply.notation.startsWith('O-O-O')) return text.events.castles(ply.color, 'long');
  if (ply.notation.startsWith('O-O')) return text.events.castles(ply.color, 'short');
  const role = ply.piece === null ? null : roleOf(ply.piece);
  return text.events.move(ply.color, role ?? 'P', ply.from, ply.to);
}

function promotionOf(ply: Ply): RoleLetter | null {
  return /[qrbn]$/.test(ply.mv) ? roleOf(`-${ply.mv.slice(-1).toUpperCase()}`) : null;
}

/** Returns the colors that share the first place. */
export function winners(outcome: OutcomeView): Color[] {
  return (Object.keys(outcome.places) as Color[]).filter((color) => outcome.places[color] === 1);
}

/**
 * Returns the result of a match in a few words. It addresses the viewer as the winner if `you` has
 * won.
 */
export function outcomeHeadline(outcome: OutcomeView, seats: number, you: Color | null = null): string {
  const best = winners(outcome);
  const [winner] = best;
  if (winner === undefined) return text.table.drawn;
  if (best.length === 1) return winner === you ? text.table.youWin : text.table.wins(winner);
  return best.length === seats ? text.table.drawn : text.table.drawnAmong(best);
}

/** Returns how a match ended. */
export function outcomeSentence({ outcome, stalemated, active_players }: StateView): string {
  if (outcome === undefined) return '';
  return stalemated === undefined ? text.reasons[outcome.reason] : text.table.stalemated(stalemated, active_players.length);
}

/**
 * Returns the reason why a match was aborted. It names the player who did not make a first move in
 * time.
 */
export function abortReason(cause: AbortCause, state: TableState): string {
  const awaited = cause === 'first_move' ? awaitedPlayer(state) : null;
  return awaited === null ? text.abortCauses[cause] : text.events.noFirstMove(awaited);
}

/** Returns the player who was to move at the end of the history, or `null` after a takeback. */
function awaitedPlayer({ history, seats }: TableState): Color | null {
  const colors = seats.map((seat) => seat.color);
  const eliminated = new Set<Color>();
  const nextPlayer = (from: Color): Color | null => {
    const after = colors.indexOf(from) + 1;
    return [...colors.slice(after), ...colors.slice(0, after)].find((color) => !eliminated.has(color)) ?? null;
  };
  let turn: Color | null = null;
  for (const { event } of history) {
    if (event.type === 'started') turn = event.first_player;
    else if (event.type === 'moved') turn = nextPlayer(event.color);
    else if (event.type === 'taken_back') turn = null;
    else if (event.type === 'eliminated') {
      eliminated.add(event.color);
      if (turn === event.color) turn = nextPlayer(event.color);
    }
  }
  return turn;
}

/** Returns the state of the match in a few words. */
export function headline(state: TableState): string {
  const { phase, turn, outcome, aborted, closed, suspension } = state.state;
  if (phase === 'open') return text.table.waiting;
  if (outcome !== undefined) return outcomeHeadline(outcome, state.seats.length, onlySeat(state));
  if (aborted !== undefined) return text.table.aborted;
  if (closed === true) return text.table.closed;
  if (suspension !== undefined) return suspensionHeadline(suspension);
  if (turn === undefined) return '';
  const isOwn = turn === onlySeat(state) && !state.seats.some((seat) => seat.color === turn && seat.substitute !== undefined);
  return isOwn ? text.table.yourMove : text.table.toMove(turn);
}

function suspensionHeadline({ kind, color }: SuspensionView): string {
  if (kind === 'waiting' && color !== undefined) return text.suspension.waiting(color);
  return kind === 'resuming' ? text.suspension.resuming : text.suspension.paused;
}
