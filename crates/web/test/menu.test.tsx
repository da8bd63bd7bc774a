import { act } from 'preact/test-utils';
import { afterEach, expect, it } from 'vitest';
import { DESTINATIONS } from '../src/view/destinations.ts';
import { Menu } from '../src/view/menu.tsx';
import { user } from './support/boards.ts';
import { closePage, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

afterEach(closePage);

it('the menu has each page once', async () => {
  const { client } = onlineClient({ session: () => Promise.resolve({ user: user('Ada') }) });
  renderPage(client, <Menu currentPage="lobby" />);
  await act(() => client.start());
  const links = [...findElement('#menu').querySelectorAll('a')];
  const addresses = links.map((link) => link.getAttribute('href'));
  expect(addresses.toSorted()).toEqual([...DESTINATIONS.map(({ path }) => path), '/friends', '/games', '/groups', '/settings', '/sign-in', '/sign-up', `/u/${user('Ada').id}`].toSorted());
  expect(new Set(links.map((link) => link.textContent)).size).toBe(links.length);
});
