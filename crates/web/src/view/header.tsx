import type { JSX } from 'preact';
import type { Updates } from '../offline/updates.ts';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Brand, Gear } from './icons.tsx';
import { Menu } from './menu.tsx';
import { current, DESTINATIONS } from './destinations.ts';
import type { Page } from './router.ts';
import { stayForSettings } from './settings/settings-dialog.tsx';

/** The bar above every page: the pages one may go to, the line to the server, who one is. */
export function Header({ shown, updates }: { shown: Page['kind']; updates: Updates }): JSX.Element {
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
          {DESTINATIONS.map(({ kind, path, word }) => (
            <a key={kind} class="nav-link" href={path} aria-current={current(kind, shown)}>
              {text.nav[word]}
            </a>
          ))}
        </nav>
        {(client.isOutdated.value || updates.isWaiting.value) && (
          <button type="button" class="button small" data-testid="update" onClick={() => updates.reload()} title={text.outdated}>
            {text.reload}
          </button>
        )}
        <span class="line" role="status" data-testid="connection" data-state={line}>
          <span class="line-dot" aria-hidden="true" />
          <span class="line-text">{text.line[line]}</span>
        </span>
        <a
          class="icon-button gear"
          href="/settings"
          aria-label={text.nav.settings}
          title={text.nav.settings}
          aria-current={current('settings', shown)}
          onClick={(event) => stayForSettings(event, shown)}
        >
          <Gear />
        </a>
        <Menu shown={shown} />
      </header>
    </>
  );
}

/** Past the header: to what the page is about. */
function skip(event: Event): void {
  event.preventDefault();
  const main = document.querySelector<HTMLElement>('main');
  if (main === null) return;
  main.tabIndex = -1;
  main.focus();
}
