import type { JSX } from 'preact';
import type { Updates } from '../offline/updates.ts';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { WaitingLink } from './games/waiting-link.tsx';
import { Brand, Gear } from './icons.tsx';
import { Menu } from './menu.tsx';
import { ariaCurrent, DESTINATIONS } from './destinations.ts';
import type { Page } from './router.ts';
import { openRulesDialog } from './rules/rules-dialog.tsx';
import { openSettingsDialog } from './settings/settings-dialog.tsx';

/** The header of every page: the main links, the connection state, and the user's menu. */
export function Header({ currentPage, updates }: { currentPage: Page['kind']; updates: Updates }): JSX.Element {
  const client = useClient();
  const line = client.connectionState.value;
  return (
    <>
      <a class="skip-link" href="#content" onClick={skip}>
        {text.nav.skip}
      </a>
      <header class="header">
        <a class="brand" href="/" aria-label={`${text.brand}: ${text.lobby.title}`}>
          <Brand />
          <span class="brand-name">{text.brand}</span>
        </a>
        <nav class="nav" aria-label={text.nav.label}>
          {DESTINATIONS.map(({ kind, path, label: word }) => (
            <a
              key={kind}
              class="nav-link"
              href={path}
              aria-current={ariaCurrent(kind, currentPage)}
              onClick={kind === 'rules' ? (event) => openRulesDialog(event, currentPage) : undefined}
            >
              {text.nav[word]}
            </a>
          ))}
        </nav>
        {(client.isOutdated.value || updates.isWaiting.value) && (
          <button type="button" class="button small" data-testid="update" onClick={() => updates.reload()} title={text.outdated}>
            {text.reload}
          </button>
        )}
        <WaitingLink />
        <span class="line" role="status" data-testid="connection" data-state={line}>
          <span class="line-dot" aria-hidden="true" />
          <span class="line-text">{text.connection[line]}</span>
        </span>
        <a
          class="icon-button gear"
          href="/settings"
          aria-label={text.nav.settings}
          title={text.nav.settings}
          aria-current={ariaCurrent('settings', currentPage)}
          onClick={(event) => openSettingsDialog(event, currentPage)}
        >
          <Gear />
        </a>
        <Menu currentPage={currentPage} />
      </header>
    </>
  );
}

/** Moves the focus past the header to the content of the page. */
function skip(event: Event): void {
  event.preventDefault();
  const main = document.querySelector<HTMLElement>('main');
  if (main === null) return;
  main.tabIndex = -1;
  main.focus();
}
