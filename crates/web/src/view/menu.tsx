import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { waitingGames } from '../store/waiting-games.ts';
import { text } from '../text/index.ts';
import { useClient } from './context.ts';
import { useHandover } from './handover.tsx';
import { Bars } from './icons.tsx';
import { ariaCurrent, DESTINATIONS } from './destinations.ts';
import type { Page } from './router.ts';
import { openRulesDialog } from './rules/rules-dialog.tsx';
import { openSettingsDialog } from './settings/settings-dialog.tsx';

/** The user's menu. On a narrow screen it includes the links that do not fit into the header. */
export function Menu({ currentPage }: { currentPage: Page['kind'] }): JSX.Element {
  const client = useClient();
  const user = client.user.value;
  const waiting = waitingGames(client.ownTables.value).length;
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
          {DESTINATIONS.map(({ kind, path, label: word }) => (
            <a
              key={kind}
              href={path}
              aria-current={ariaCurrent(kind, currentPage)}
              onClick={(event) => {
                close();
                if (kind === 'rules') openRulesDialog(event, currentPage);
              }}
            >
              {text.nav[word]}
            </a>
          ))}
        </nav>
        {user !== null && (
          <a href={`/u/${user.id}`} aria-current={ariaCurrent('user', currentPage)} data-testid="menu-page" onClick={close}>
            {text.nav.page}
          </a>
        )}
        {user !== null && (
          <a href="/games" aria-current={ariaCurrent('games', currentPage)} data-testid="menu-games" onClick={close}>
            {text.games.title}
            {waiting > 0 && <span class="menu-count">{text.number(waiting)}</span>}
          </a>
        )}
        {user !== null && (
          <a href="/friends" aria-current={ariaCurrent('friends', currentPage)} data-testid="menu-friends" onClick={close}>
            {text.friends.title}
          </a>
        )}
        {user !== null && (
          <a href="/groups" aria-current={ariaCurrent('groups', currentPage)} data-testid="menu-groups" onClick={close}>
            {text.groups.title}
          </a>
        )}
        {client.status.isOperator.value === true && (
          <a href="/admin" aria-current={ariaCurrent('admin', currentPage)} data-testid="menu-admin" onClick={close}>
            {text.admin.title}
          </a>
        )}
        <a
          href="/settings"
          aria-current={ariaCurrent('settings', currentPage)}
          onClick={(event) => {
            close();
            openSettingsDialog(event, currentPage);
          }}
        >
          {text.nav.settings}
        </a>
        {user !== null && (
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
        )}
        {user?.account !== true && (
          <>
            <a href="/sign-in" aria-current={ariaCurrent('sign-in', currentPage)} data-testid="menu-sign-in" onClick={close}>
              {text.signIn.title}
            </a>
            {user !== null && (
              <a href="/sign-up" aria-current={ariaCurrent('sign-up', currentPage)} data-testid="menu-sign-up" onClick={close}>
                {text.account.create}
              </a>
            )}
          </>
        )}
        {client.signedOutUser.value !== null && (
          <button
            type="button"
            data-testid="menu-start-again"
            onClick={() => {
              close();
              void client.startAgain();
            }}
          >
            {text.signedOut.startAgain}
          </button>
        )}
        {client.previousUser.value !== null && (
          <button
            type="button"
            data-testid="menu-back"
            onClick={() => {
              close();
              void client.restorePreviousUser();
            }}
          >
            {text.takeOver.goBack(client.previousUser.value.name)}
          </button>
        )}
        {user?.account === true && (
          <button
            type="button"
            data-testid="menu-sign-out"
            onClick={() => {
              close();
              void client.signOut().catch((failure: unknown) => client.report(failure));
            }}
          >
            {text.sessions.signOut}
          </button>
        )}
      </div>
      {dialog}
    </>
  );
}
