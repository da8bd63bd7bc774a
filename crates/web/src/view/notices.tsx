import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';

/** Sentences that come and go: why something was refused. */
export function Notices(): JSX.Element {
  const client = useClient();
  return (
    <div class="notices" role="alert" data-testid="notices">
      {client.notices.value.map((notice) => (
        <div class="notice" key={notice.id}>
          <span class="notice-text">{notice.text}</span>
          <button type="button" class="notice-close" aria-label={text.dismiss} onClick={() => client.dismiss(notice.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
