import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { noticeText } from '../text/notice-text.ts';
import { useClient } from './context.ts';

/** The messages to the user, such as the reason of a refusal. */
export function Notices(): JSX.Element {
  const client = useClient();
  return (
    <div class="notices" role="alert" data-testid="notices">
      {client.notices.value.map((notice) => (
        <div class="notice" key={notice.id}>
          <span class="notice-text">{noticeText(notice.content)}</span>
          <button type="button" class="notice-close" aria-label={text.dismiss} onClick={() => client.dismiss(notice.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
