import type { JSX } from 'preact';
import type { SeatView, UserView } from '../../protocol/generated.ts';
import { isActive, momentOf, type TableState } from '../../store/table.ts';
import type { TableStore } from '../../store/table-store.ts';
import { bankLeft_ms, playerAt } from '../../store/time-left.ts';
import { text } from '../../text/index.ts';
import { nameOf } from '../../text/name-of.ts';
import type { ScreenSide } from '../board/geometry.ts';
import { BoardPlate } from '../board/board-plate.tsx';
import { placeNote, plateNoteText } from '../board/plate-note.tsx';
import { PlayerName } from '../people/player-name.tsx';
import { useStableElements } from '../stable-elements.ts';
import { BotIcon } from '../user-name.tsx';
import { AddBot } from './add-bot.tsx';
import { Clock } from './clock.tsx';
import { Kick } from './kick.tsx';
import { useLastPainted } from './render-steps.ts';
import { SeatCaptures } from './seat-captures.tsx';
import { SeatLamps } from './seat-indicators.tsx';
import { useTimer } from './use-timer.ts';

/** The interval between two updates of an absent player's time, in milliseconds. */
const BANK_TICK_MS = 500;

interface SeatPlateProps {
  readonly store: TableStore;
  readonly state: TableState;
  readonly seat: SeatView;
  /** The side of the screen at which the seat is displayed. */
  readonly screenSide: ScreenSide;
}

/**
 * The plate of a seat: its player, the clock, and its state (to move, in check, eliminated,
 * absent).
 */
export function SeatPlate({ store, state, seat, screenSide }: SeatPlateProps): JSX.Element {
  const { color } = seat;
  const { turn, checks, phase } = state.state;
  const name = nameAt(state, seat);
  const inMatch = isActive(state, color);
  const player = playerAt(state, color);
  const bankLeft = phase === 'running' && inMatch ? bankLeft_ms(state, color, performance.now()) : null;
  useTimer(bankLeft !== null && player?.bank_running === true, BANK_TICK_MS);
  const note = bankLeft === null ? seatNote(state, seat) : [text.table.reconnecting(Math.ceil(bankLeft / 1_000))];
  return (
    <BoardPlate
      color={color}
      name={name}
      shownName={
        seat.user !== null && name === nameOf(seat.user) ? (
          <PlayerName user={seat.user} moment={momentOf(state)}>
            {name}
          </PlayerName>
        ) : undefined
      }
      screenSide={screenSide}
      isToMove={turn === color}
      inMatch={inMatch}
      isTaken={seat.user !== null}
      isOwn={state.ownSeats.includes(color)}
      check={checks.includes(color)}
      hasLamps={phase !== 'open'}
      icons={seat.user?.bot !== undefined && <BotIcon />}
    >
      {phase !== 'open' && <Clock state={state} color={color} />}
      {store.maySit && seat.user === null ? (
        <button
          type="button"
          class="button small seat-button"
          data-testid={`sit-${color}`}
          aria-label={text.lobby.sit(color)}
          onClick={() => void store.sit(color)}
        >
          {text.table.sit}
        </button>
      ) : (
        // A new text gets a new element, so that browsers do not count it as a layout shift.
        <p key={note.join()} class="plate-note">
          <SeatIcons state={state} seat={seat} />
          {plateNoteText(note)}
        </p>
      )}
      {phase !== 'open' && <SeatLamps state={state} color={color} />}
      {phase === 'open' && store.isHost && seat.user === null && !state.settings.rated && <AddBot store={store} seat={seat} variant={state.settings.variant} />}
      {substituteOf(state, seat) !== null && state.ownSeats.includes(color) && (
        <button
          type="button"
          class="button small seat-button"
          data-testid={`take-back-${color}`}
          aria-label={text.bots.resumeAs(color)}
          onClick={() => void store.sit(color)}
        >
          {text.bots.resume}
        </button>
      )}
      {mayKick(store, state, seat) && <Kick store={store} seat={seat} />}
      {phase === 'open' && state.ownSeats.length > 1 && state.ownSeats.includes(color) && (
        <button
          type="button"
          class="button small seat-button"
          data-testid={`leave-${color}`}
          aria-label={text.hotseat.leaveSeatOf(color)}
          onClick={() => void store.leave(color)}
        >
          {text.hotseat.leaveSeat}
        </button>
      )}
      {phase !== 'open' && <LaterCaptures state={state} seat={seat} />}
    </BoardPlate>
  );
}

/** The captures of a seat. They change after the rest of the plate has been painted. */
function LaterCaptures({ state, seat }: Pick<SeatPlateProps, 'state' | 'seat'>): JSX.Element {
  const painted = useLastPainted(state);
  return useStableElements()('captures', [painted, seat], () => <SeatCaptures state={painted} seat={seat} />);
}

/** Returns the name at a seat. If a user holds several seats, it is the color of the seat. */
function nameAt({ seats }: TableState, { color, user }: SeatView): string {
  if (user === null) return text.table.openSeat;
  return seats.filter((seat) => seat.user?.id === user.id).length > 1 ? text.colors[color] : nameOf(user);
}

/** The icons of the host and of the player's presence. */
function SeatIcons({ state, seat: { color, user } }: Pick<SeatPlateProps, 'state' | 'seat'>): JSX.Element {
  const player = playerAt(state, color);
  return (
    <>
      {user !== null && user.id === state.host.id && (
        <span class="host-mark" data-testid="host" role="img" aria-label={text.table.host} title={text.table.host}>
          ★
        </span>
      )}
      {player !== null && state.state.phase !== 'ended' && (user?.bot === undefined || user.bot.kind === 'account') && (
        <span
          class="presence"
          data-testid={`presence-${color}`}
          data-presence={player.presence}
          data-here={player.presence === 'connected'}
          role="img"
          aria-label={text.table.presence[player.presence]}
          title={text.table.presence[player.presence]}
        />
      )}
    </>
  );
}

/** Returns whether the user may kick the player: only the host, and only before the start. */
function mayKick(store: TableStore, state: TableState, seat: SeatView): boolean {
  return state.state.phase === 'open' && store.isHost && seat.user !== null && seat.user.id !== state.host.id;
}

/** Returns the bot that plays for an absent player, or `null` if there is none. */
function substituteOf(state: TableState, { color, substitute }: SeatView): UserView | null {
  return state.state.phase === 'running' && isActive(state, color) ? (substitute ?? null) : null;
}

/** Returns the most important fact about a seat, in parts. */
function seatNote(state: TableState, seat: SeatView): readonly string[] {
  const { outcome, eliminated } = state.state;
  const elimination = eliminated.find((one) => one.color === seat.color);
  const rank = outcome?.places[seat.color];
  if (rank !== undefined) return placeNote(rank, elimination?.cause);
  return [elimination === undefined ? noteInMatch(state, seat) : text.causes[elimination.cause]];
}

/** Returns the most important fact about a seat before and during the match. */
function noteInMatch(state: TableState, seat: SeatView): string {
  const { color, user } = seat;
  const { requests = [], turn, phase } = state.state;
  const open = requests.find(({ agreed }) => agreed.includes(color));
  if (open !== undefined) return text.requests[open.request][open.by === color ? 'seatAsks' : 'seatAgrees'];
  const bot = substituteOf(state, seat);
  if (bot !== null) return text.bots.standsIn(nameOf(bot));
  const vacation = state.state.vacations?.find((one) => one.color === color);
  if (vacation !== undefined) return text.vacation.until(vacation.until_ms);
  if (phase === 'running' && playerAt(state, color)?.presence === 'gone') return text.table.gone;
  // In correspondence the first move has the time of every move.
  if (turn === color && state.state.clock?.first_move === true && state.settings.time.kind !== 'correspondence') return text.table.firstMove;
  if (turn === color) return state.ownSeats.includes(color) ? text.table.ownTurn : text.table.turn;
  if (state.ownSeats.includes(color)) return text.table.you;
  if (user === null) return phase === 'open' ? '' : text.colors[color];
  // The note contains what the name does not say: the color, or the user who holds several seats.
  return nameAt(state, seat) === nameOf(user) ? text.colors[color] : nameOf(user);
}
