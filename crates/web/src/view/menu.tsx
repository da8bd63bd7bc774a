import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { useHandover } from './handover.tsx';
import { Bars } from './icons.tsx';
import { current, DESTINATIONS } from './destinations.ts';
import type { Page } from './router.ts';
import { stayForSettings } from './settings/settings-dialog.tsx';

/** The user's menu; on a narrow screen also the destinations that the header has no room for. */
export function Menu({ shown }: { shown: Page['kind'] }): JSX.Element {
  const client = useClient();
  const user = client.user.value;
  const list = useRef<HTMLDivElement>(null);
  const { open, dialog } = useHandover();
  const close = (): void => list.current?.hidePopover?.();
  return (
    <>
      <button type="button" class="menu-button" popovertarget="menu" aria-label={text.nav.menu(user?.name ?? text.brand)} data-testid="menu">
        <span class="user" data-testid="user">
          {user?.name ?? ''}
        </span>
        <Bars />
      </button>
      <div ref={list} id="menu" class="menu" popover="auto">
        {user !== null && <p class="menu-user">{text.guest(user.name)}</p>}
        <nav class="menu-nav" aria-label={text.nav.label}>
          {DESTINATIONS.map(({ kind, path, word }) => (
            <a key={kind} href={path} aria-current={current(kind, shown)} onClick={close}>
              {text.nav[word]}
            </a>
          ))}
        </nav>
        {user !== null && (
          <a href={`/u/${user.id}`} aria-current={current('user', shown)} onClick={close}>
            {text.nav.page}
          </a>
        )}
        {user !== null && (
          <a href={`/u/${user.id}`} data-testid="menu-page" onClick={close}>
            {text.nav.page}
          </a>
        )}
        <a
          href="/settings"
          aria-current={current('settings', shown)}
          onClick={(event) => {
            close();
            stayForSettings(event, shown);
          }}
        >
          {text.nav.settings}
        </a>
        <button
          type="button"
          data-testid="menu-handover"
          onClick={() => {
            close();
            open(location.pathname);
          }}
        >
          {text.handover.open}
        </button>
        {client.previousUser.value !== null && (
          <button
            type="button"
            data-testid="menu-back"
            onClick={() => {
              close();
              void client.restorePreviousUser();
            }}
          >
            {text.takeOver.back(client.previousUser.value.name)}
          </button>
        )}
      </div>
      {dialog}
    </>
  );
}
