import { Refusal } from '../../connection/outbox.ts';
import { errorText } from '../../text/error-text.ts';

/** The fields of the dialog for a new table that the server may find fault with. */
const FIELDS = ['setup', 'time', 'rated', 'seating', 'draws', 'absence', 'watchers', 'chat', 'admission', 'hotseat', 'limit'] as const;

/** A field of the dialog for a new table. */
export type Field = (typeof FIELDS)[number];

/** The server's error, and the field it belongs to; `null` if to none. */
export interface Wrong {
  readonly field: Field | null;
  readonly message: string;
}

/** Finds the field that a refusal is about: what is wrong with a setting begins with its name. */
export function wrongField(error: unknown): Wrong {
  const message = error instanceof Error ? errorText(error) : String(error);
  if (!(error instanceof Refusal)) return { field: null, message };
  if (error.code === 'bad_setup') return { field: 'setup', message };
  if (error.code !== 'bad_setting') return { field: null, message };
  const name = error.message.split(/\W/, 1)[0]?.replace(/^move_limit_ms$/, 'limit');
  return { field: FIELDS.find((field) => field === name) ?? null, message };
}

/** Returns the error of one field; with `null`, the error that belongs to none. */
export function faultOf(wrong: Wrong | null, field: Field | null): string | null {
  return wrong?.field === field ? wrong.message : null;
}
