import { test } from 'vitest';
import { signUp, userId } from '../src/accounts.ts';
import { Browsers } from '../src/browsers.ts';
import { expectGoodPageAtAllSizes } from '../src/good-page.ts';
import { LANGUAGES_WITH_SIZES, SIZES } from '../src/sizes.ts';

const chromium = new Browsers();

test.each(LANGUAGES_WITH_SIZES)('players are invited, answer, play, and are invited again: %s, on a %s', async (locale, size) => {
  const viewport = SIZES[size];
  const options = { viewport, locale, reducedMotion: 'reduce' } as const;
  const guest = await chromium.openBrowser('guest', undefined, options);
  const name = `Otto ${size} ${locale}`;
  await signUp(guest, name);
  const id = await userId(guest);
  const host = await chromium.openBrowser('host', undefined, options);
  await signUp(host, `Pia ${size} ${locale}`);
  await host.goTo(`/u/${id}`);
  await host.byTestId('follows-add').click();
  await host.byTestId('follows-remove').waitFor();

  // A new table for the player, who declines.
  await host.byTestId('report-user').click();
  await host.byTestId(`invite-player-${id}`).click();
  await host.choose('variant', 'classic');
  await host.choose('privacy', 'private');
  await expectGoodPageAtAllSizes(host, `invite-new-${locale}`);
  await host.byTestId('create').click();
  await host.byTestId('board').waitFor();
  await guest.byTestId('invitation').waitFor();
  await expectGoodPageAtAllSizes(guest, `invitation-${locale}`);
  await guest.byTestId('invitation-decline').click();
  await guest.byTestId('invitation').waitFor({ state: 'detached' });

  // A player who has declined is not invited to the same table again, but to another one.
  await host.byTestId('invite-players').click();
  await host.page.locator('[data-testid="invited-player"][data-declined="true"]').waitFor();
  await host.byTestId('invite-players').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(host, `invite-players-${locale}`);
  await host.goTo('/friends');
  await host.byTestId(`invite-player-${id}`).click();
  await expectGoodPageAtAllSizes(host, `invite-dialog-${locale}`);
  await host.byTestId('invite-to-new').click();
  await host.byTestId('create').click();
  await host.page.waitForURL(/\/t\//);
  await guest.goTo('/');
  await guest.byTestId('invitation-row').waitFor();
  await guest.byTestId('invitation-later').click();
  await guest.byTestId('invitation-row').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(guest, `invitation-list-${locale}`);
  await guest.byTestId('invitation-row').getByTestId('invitation-accept').click();
  await guest.page.waitForSelector('[data-mine="true"]');
  await guest.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');

  // After the match, one press invites the other player to a new table.
  await guest.byTestId('resign').click();
  await guest.byTestId('resign-confirm').click();
  await guest.byTestId('invite-again').waitFor();
  await guest.byTestId('invite-again').scrollIntoViewIfNeeded();
  await expectGoodPageAtAllSizes(guest, `invite-again-${locale}`);
  await guest.byTestId('invite-again').click();
  await guest.byTestId('invite').waitFor();
  await host.byTestId('invitation').waitFor();
  await host.byTestId('invitation-accept').click();
  await host.page.waitForSelector('[data-testid="board"]:not([data-turn=""])');
  chromium.expectNoErrors();
});
