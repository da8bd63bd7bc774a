import type { JSX } from 'preact';
import type { LinkView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

interface Shown {
  readonly links: readonly LinkView[];
  /** Returns the purpose of a link. */
  label(this: void, link: LinkView): string;
  onRevoke(this: void, link: LinkView): void;
}

/** The links to a table that are in use, each with the way to revoke it. */
export function MadeLinks({ links, label, onRevoke }: Shown): JSX.Element | null {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{text.links.made}</h3>
      <ul data-testid="made-links">
        {links.map((link) => (
          <li key={link.id} data-color={link.seat}>
            <span class="link-recipient">
              {label(link)}
              <span class="quiet">
                {link.used ? text.links.used : text.links.left(Math.max(0, link.expires_at_ms - Date.now()))}
              </span>
            </span>
            <button
              type="button"
              class="button small"
              data-testid={`revoke-${link.id}`}
              aria-label={`${text.links.revoke}: ${label(link)}`}
              onClick={() => onRevoke(link)}
            >
              {text.links.revoke}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
