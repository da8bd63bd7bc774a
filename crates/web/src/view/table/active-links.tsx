import type { JSX } from 'preact';
import type { LinkView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

interface ActiveLinksProps {
  readonly links: readonly LinkView[];
  /** Returns the purpose of a link. */
  label(this: void, link: LinkView): string;
  onRevoke(this: void, link: LinkView): void;
}

/** The active links to a table, each with a button that revokes it. */
export function ActiveLinks({ links, label, onRevoke }: ActiveLinksProps): JSX.Element | null {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{text.links.ownLinks}</h3>
      <ul data-testid="made-links">
        {links.map((link) => (
          <li key={link.id} data-color={link.seat}>
            <span class="link-recipient">
              {label(link)}
              <span class="quiet">
                {link.used ? text.links.used : text.links.expiresIn(Math.max(0, link.expires_at_ms - Date.now()))}
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
