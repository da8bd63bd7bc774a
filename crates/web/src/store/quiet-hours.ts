import { OFFSET_KEY } from './notification-keys.ts';
import type { NotificationsApi } from './notifications-api.ts';
import type { QuietHours } from '../protocol/generated.ts';
import type { Persistence } from './persistence.ts';

/** The quiet hours that are offered first, in minutes since midnight. */
export const USUAL_QUIET_HOURS = { from_minute: 22 * 60, to_minute: 7 * 60 };

/** Returns the present offset of the local time from UTC, in minutes. */
export function utcOffset(): number {
  // The negation of zero would be another zero.
  return 0 - new Date().getTimezoneOffset();
}

/** Returns a time of day as fields for times write it: `22:05`. */
export function formatMinute(minute: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Returns the minutes since midnight of a time of day, or `null` if the field is empty. */
export function parseMinute(written: string): number | null {
  const match = /^(\d{2}):(\d{2})/.exec(written);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/** Stores that the user has quiet hours with this offset, or none. */
export function rememberOffset(persistence: Persistence, quiet: QuietHours | undefined): void {
  persistence.set(OFFSET_KEY, quiet === undefined ? '' : String(quiet.utc_offset_minutes));
}

/**
 * Moves the quiet hours with the local time, which changes twice a year in many countries and on
 * journeys.
 */
export async function keepQuietHours(api: Pick<NotificationsApi, 'settings' | 'choose'>, persistence: Persistence): Promise<void> {
  const stored = persistence.get(OFFSET_KEY);
  const offset = utcOffset();
  if (stored === null || stored === '' || Number(stored) === offset) return;
  const { turn, started, quiet_hours } = await api.settings();
  if (quiet_hours === undefined) return rememberOffset(persistence, undefined);
  const moved = { ...quiet_hours, utc_offset_minutes: offset };
  await api.choose({ turn, started, quiet_hours: moved });
  rememberOffset(persistence, moved);
}
