import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { Brand } from './icons.tsx';

/** The bar above every page: the way home, the line to the server, who one is. */
export function Header(): JSX.Element {
  const client = useClient();
  const line = client.lineState.value;
  const user = client.user.value;
  return (
    <header class="header">
      <a class="brand" href="/" aria-label={`${text.brand}: ${text.lobby.title}`}>
        <Brand />
        <span class="brand-name">{text.brand}</span>
      </a>
      {client.outdated.value && (
        <button type="button" class="button small" onClick={() => location.reload()} title={text.outdated}>
          {text.reload}
        </button>
      )}
      <span class="line" role="status" data-testid="connection" data-state={line}>
        <span class="line-dot" aria-hidden="true" />
        <span class="line-text">{text.line[line]}</span>
      </span>
      <span class="user" data-testid="user" title={user === null ? undefined : text.guest(user.name)}>
        {user?.name ?? ''}
      </span>
    </header>
  );
}
