import type { Client } from '../../src/store/client.ts';
import { noticeText } from '../../src/text/notice-text.ts';

/** Returns the sentences of the notices that a client shows. */
export function noticesOf(client: Client): string[] {
  return client.notices.value.map((notice) => noticeText(notice.content));
}
