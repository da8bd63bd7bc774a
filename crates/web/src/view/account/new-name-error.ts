import { Refusal } from '../../connection/outbox.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';

/** Returns the text of an error at the name of a new account. */
export function newNameError(error: Error): string {
  if (!(error instanceof Refusal)) return errorText(error);
  if (error.code === 'name_taken') return text.account.nameTaken;
  if (error.code === 'bad_setting') return text.ownName.unavailable;
  return error.code === 'busy' ? text.signIn.busy : errorText(error);
}
