import { Refusal } from '../../connection/outbox.ts';
import { errorText } from '../../text/error-text.ts';

/** The fields of the dialog for a new table that a refusal can name. */
const FIELDS = ['setup', 'time', 'seating', 'draws', 'absence', 'watchers', 'chat', 'admission', 'rated', 'rating_range', 'hotseat', 'anonymous', 'limit'] as const;

/** A field of the dialog for a new table. */
export type TableField = (typeof FIELDS)[number];

/**
 * An error from the server, and the field that it concerns; the field is `null` if the error
 * concerns none.
 */
export interface FieldProblem {
  readonly field: TableField | null;
  readonly message: string;
}

/**
 * Returns the field that a refusal concerns. The message about a setting begins with the setting's
 * name.
 */
export function fieldProblem(error: unknown): FieldProblem {
  const message = error instanceof Error ? errorText(error) : String(error);
  if (!(error instanceof Refusal)) return { field: null, message };
  if (error.code === 'bad_setup') return { field: 'setup', message };
  if (error.code !== 'bad_setting') return { field: null, message };
  const name = error.message.split(/\W/, 1)[0]?.replace(/^move_limit_ms$/, 'limit');
  return { field: FIELDS.find((field) => field === name) ?? null, message };
}

/** Returns the error of a field or, for `null`, the error that concerns no field. */
export function messageFor(problem: FieldProblem | null, field: TableField | null): string | null {
  return problem?.field === field ? problem.message : null;
}
