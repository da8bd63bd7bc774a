import { Refusal } from '../connection/outbox.ts';
import type { Square, UserSuspensionView } from '../protocol/generated.ts';

/** A fact that the user should know at once. The view turns it into a sentence. */
export type NoticeContent =
  | { readonly kind: 'error'; readonly error: Error }
  /** The user is suspended, so an action was refused. */
  | { readonly kind: 'suspended'; readonly suspension: UserSuspensionView }
  /** The user has left rated matches and has to wait for the next one. */
  | { readonly kind: 'rated_wait'; readonly until_ms: number }
  /** Other users were invited. */
  | { readonly kind: 'invited'; readonly names: readonly string[] }
  /** A sign-in with another service has failed. The code says why. */
  | { readonly kind: 'sign_in_failed'; readonly code: string }
  /** The browser blocks cookies, so the server cannot recognize the user. */
  | { readonly kind: 'cookies_blocked' }
  /** The browser stores no data for this page, so the secret of a link is lost with the tab. */
  | { readonly kind: 'links_not_stored' }
  /**
   * The pawn of a neighbor has passed this square. The notice explains why it cannot be captured en
   * passant.
   */
  | { readonly kind: 'neighbor_en_passant'; readonly square: Square }
  /** A premove was canceled because it was not legal on its turn. */
  | { readonly kind: 'premove_illegal'; readonly from: Square; readonly to: Square }
  /** A premoved recapture was canceled because nothing was captured on its target. */
  | { readonly kind: 'premove_not_needed'; readonly from: Square; readonly to: Square };

/** A message shown to the user for a while. */
export interface Notice {
  readonly id: number;
  readonly content: NoticeContent;
}

/** Returns whether two notices say the same. */
export function isSameNotice(a: NoticeContent, b: NoticeContent): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf(content: NoticeContent): string {
  if (content.kind !== 'error') return JSON.stringify(content);
  const { error } = content;
  // Every error of `fetch` means that the server cannot be reached, but its message depends on the
  // browser.
  if (error instanceof TypeError) return 'away';
  return `${error instanceof Refusal ? 'refusal' : 'error'} ${error.message}`;
}
