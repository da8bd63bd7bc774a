import type { NoticeContent } from '../store/notices.ts';
import { errorText } from './error-text.ts';
import { text } from './index.ts';
import { ratedWaitText } from './rated-wait-text.ts';
import { suspensionText } from './suspension-text.ts';

/** Returns the sentence of a notice in the user's language. */
export function noticeText(content: NoticeContent): string {
  switch (content.kind) {
    case 'error':
      return errorText(content.error);
    case 'suspended':
      return suspensionText(content.suspension);
    case 'rated_wait':
      return ratedWaitText(content.until_ms - Date.now());
    case 'invited':
      return text.invitations.sent(content.names);
    case 'sign_in_failed':
      return text.signInFailed(content.code);
    case 'cookies_blocked':
      return text.storage.cookies;
    case 'links_not_stored':
      return text.storage.links;
    case 'neighbor_en_passant':
      return text.play.neighborEnPassant(content.square);
    case 'premove_illegal':
      return text.play.premoveDropped(content.from, content.to);
    case 'premove_not_needed':
      return text.play.premoveNotNeeded(content.from, content.to);
  }
}
