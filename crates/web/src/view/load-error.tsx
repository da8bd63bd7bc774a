import type { JSX } from 'preact';
import { errorText } from '../text/error-text.ts';
import { text } from '../text/index.ts';

/** The reason why a part of a page could not be loaded, with a button to try again. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }): JSX.Element {
  return (
    <div class="load-error" role="alert">
      <p>{errorText(error)}</p>
      <button type="button" class="button small" onClick={onRetry}>
        {text.archive.tryAgain}
      </button>
    </div>
  );
}
