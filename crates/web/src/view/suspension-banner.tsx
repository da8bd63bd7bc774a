import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { suspensionText } from '../text/suspension-text.ts';
import { useClient } from './context.ts';

/** The banner on every page of a suspended user: the reason and the end of the suspension. */
export function SuspensionBanner(): JSX.Element {
  const suspension = useClient().status.suspension.value;
  return (
    <div role="status">
      {suspension !== null && (
        <aside class="suspended" data-testid="suspended" aria-label={text.suspended.title}>
          <p>
            <strong>{suspensionText(suspension)}</strong>
          </p>
          <p>{text.suspended.rights}</p>
        </aside>
      )}
    </div>
  );
}
