import type { UserSuspensionView } from '../protocol/generated.ts';
import { text } from './index.ts';

/** Returns the end of a suspension and its reason in the user's language. */
export function suspensionText({ until_ms, reason }: UserSuspensionView): string {
  const words = text.suspended;
  return `${until_ms === undefined ? words.title : words.until(text.moment(until_ms))} ${words.reason(reason)}`;
}
