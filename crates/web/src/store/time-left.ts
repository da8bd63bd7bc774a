import type { Color, PlayerView } from '../protocol/generated.ts';
import { isActive, clockLeft_ms, type TableState } from './table.ts';

/** The time displayed at a seat at one moment. */
export interface SeatTime {
  /**
   * The kind of time: the clock, the limit for the first move, or the limit for the current move.
   */
  readonly kind: 'clock' | 'first_move' | 'limit';
  readonly left_ms: number;
  readonly running: boolean;
}

/** Returns the time displayed at a seat at a local time, or `null` if there is none. */
export function seatTime(table: TableState, color: Color, now_ms: number): SeatTime | null {
  if (!isActive(table, color)) return null;
  const { clock, move_left_ms, turn } = table.state;
  const running = table.state.suspension === undefined && turn === color;
  if (clock === undefined) {
    if (move_left_ms === undefined || turn !== color) return null;
    return { kind: 'limit', left_ms: running ? timeLeft_ms(table, move_left_ms, now_ms) : move_left_ms, running };
  }
  if (clock.first_move === true && clock.running === color && table.settings.time.kind !== 'correspondence') {
    return { kind: 'first_move', left_ms: timeLeft_ms(table, clock.delay_left_ms, now_ms), running: true };
  }
  const left = clockLeft_ms(table, color, now_ms);
  return left === null ? null : { kind: 'clock', left_ms: left, running: clock.running === color };
}

/**
 * Returns the part of `left` that remains at a local time. The time has been running since the
 * state arrived.
 */
export function timeLeft_ms(table: TableState, left: number, now_ms: number): number {
  return Math.max(0, left - (now_ms - table.arrived_ms));
}

/** Returns the presence of the player on a seat, or `null` for an empty seat. */
export function playerAt(table: TableState, color: Color): PlayerView | null {
  return table.players.find((player) => player.color === color) ?? null;
}

/**
 * Returns the time left in a player's reconnect bank at a local time in milliseconds. Returns
 * `null` unless the player is reconnecting.
 */
export function bankLeft_ms(table: TableState, color: Color, now_ms: number): number | null {
  const player = playerAt(table, color);
  if (player === null || player.presence !== 'reconnecting' || player.bank_left_ms === undefined) return null;
  if (player.bank_running !== true) return player.bank_left_ms;
  return Math.max(0, player.bank_left_ms - (now_ms - table.players_arrived_ms));
}

/**
 * Returns the remaining delay before a color's clock runs, in milliseconds; `null` if no delay
 * runs.
 */
export function delayLeft_ms(table: TableState, color: Color, now_ms: number): number | null {
  const { clock, suspension } = table.state;
  if (table.settings.time.kind !== 'delay' || clock?.running !== color) return null;
  if (clock.first_move === true || suspension !== undefined) return null;
  const left = clock.delay_left_ms - Math.max(0, now_ms - table.arrived_ms);
  return left > 0 ? left : null;
}
