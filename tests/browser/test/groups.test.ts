import { expect, test } from 'vitest';
import { signUp, userId } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

test.each(LANGUAGES_WITH_SIZES)('a group gathers its members at a table, and has standings: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' } as const;
  const owner = await chromium.openBrowser('owner', undefined, options);
  await signUp(owner, `Olga ${size} ${locale}`);
  await owner.byTestId('menu').click();
  await owner.byTestId('menu-groups').click();
  await owner.page.locator('.empty').waitFor();
  await expectGoodPageAtAllSizes(owner, `groups-empty-${locale}`);
  await owner.byTestId('create-group').click();
  await owner.byTestId('group-name-input').fill('Thursday four');
  await owner.byTestId('group-text-input').fill('Every Thursday at eight.\nLate arrivals buy the cake.');
  await expectGoodPageAtAllSizes(owner, `group-new-${locale}`);
  await owner.byTestId('group-save').click();
  const link = new URL(await owner.byTestId('group-link').inputValue());
  expect((await owner.page.goto(owner.page.url()))?.status()).toBe(200);
  await owner.byTestId('group').getByRole('heading', { name: 'Thursday four' }).waitFor();

  // A guest joins by the link; without it the group does not exist.
  const guest = await chromium.openBrowser('guest', undefined, options);
  const id = await userId(guest);
  await guest.goTo(link.pathname);
  await guest.byTestId('missing').waitFor();
  await guest.goTo('/');
  await guest.openLink(link);
  await guest.byTestId('join-group').waitFor();
  await expectGoodPageAtAllSizes(guest, `group-join-${locale}`);
  await guest.byTestId('join-group').click();
  await guest.byTestId('group-members').waitFor();
  expect(new URL(guest.page.url()).hash).toBe('');

  // The owner opens a table for the group, and the guest sits down there.
  await owner.byTestId('group-new-table').click();
  await owner.choose('variant', 'classic');
  await owner.choose('seat', 'white');
  await expectGoodPageAtAllSizes(owner, `group-table-${locale}`);
  await owner.byTestId('create').click();
  await owner.byTestId('board').waitFor();
  await guest.page.reload();
  await guest.byTestId('group-tables').getByTestId('sit-black').click();
  await guest.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  await owner.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  await guest.byTestId('resign').click();
  await guest.byTestId('resign-confirm').click();
  await guest.byTestId('rematch').waitFor();
  await expect
    .poll(async () => {
      await owner.goTo(link.pathname);
      await owner.page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
      return owner.byTestId('standing').count();
    })
    .toBe(2);
  expect(await owner.byTestId('standing').first().innerText()).toContain(`Olga ${size} ${locale}`.slice(0, 4));
  await owner.byTestId('member-actions').click();
  await expectGoodPageAtAllSizes(owner, `group-${locale}`);

  // The owner removes the guest, for whom the group no longer exists, and deletes the group.
  await owner.byTestId('member-remove').click();
  await owner.byTestId('member-remove-confirm').click();
  await owner.byTestId('removed-member').waitFor();
  await expectGoodPageAtAllSizes(owner, `group-removed-${locale}`);
  await guest.goTo(link.pathname);
  await guest.byTestId('missing').waitFor();
  expect(await owner.page.locator(`[data-user="${id}"]`).count()).toBe(0);
  await owner.byTestId('delete-group').click();
  await owner.byTestId('delete-group-confirm').click();
  await owner.byTestId('create-group').waitFor();
  await owner.page.locator('.empty').waitFor();
  chromium.expectNoErrors();
});
