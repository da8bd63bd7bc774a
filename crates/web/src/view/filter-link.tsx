import type { JSX } from 'preact';

/** A link to the same page with another filter. */
export function FilterLink({ href, chosen, words }: { href: string; chosen: boolean; words: string }): JSX.Element {
  return (
    <li>
      <a class="chip" href={href} aria-current={chosen ? 'true' : undefined}>
        {words}
      </a>
    </li>
  );
}
