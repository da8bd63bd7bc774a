import type { JSX } from 'preact';
import { text } from '../text/index.ts';

/** The page for an unknown address. */
export function NotFound(): JSX.Element {
  return (
    <main id="content" class="empty-page">
      <h1>{text.notFound.title}</h1>
      <p>{text.notFound.hint}</p>
      <a class="button primary" href="/">
        {text.toLobby}
      </a>
    </main>
  );
}
