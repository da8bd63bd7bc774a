import { describe, expect, test } from 'vitest';
import { signIn, userId, userName } from '../src/accounts.ts';
import { BrowsersOf } from '../src/browsers.ts';
import { expectGoodPage } from '../src/good-page.ts';
import { OPERATOR, OperatedServer } from '../src/operator.ts';
import { seatPlayers } from '../src/players.ts';

const chromium = new BrowsersOf(() => OperatedServer.start());

const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

test('a player reports a chat line, and an operator reads the report and closes it', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [ada, rude] = inTurn;
  if (ada === undefined || rude === undefined) throw new Error('two play');
  const name = await userName(rude);
  await rude.sendMessage('you fool');
  await ada.openChat();
  await ada.byTestId('chat-log').getByRole('button', { name }).click();
  await ada.byTestId('report').click();
  await ada.byTestId('report-text').fill('He insults me.');
  await ada.byTestId('report-send').click();
  await ada.byTestId('report-thanks').waitFor();

  const operator = await chromium.openBrowser('operator');
  await signIn(operator, OPERATOR);
  await operator.goTo('/admin/reports');
  await operator.byTestId('report-row').filter({ hasText: 'He insults me.' }).getByRole('link').click();
  await operator.byTestId('report-messages').locator('[data-reported="true"]').filter({ hasText: 'you fool' }).waitFor();
  await expectGoodPage(operator, 'people-report');
  await operator.byTestId('close-table').click();
  await operator.byTestId('reason-input').fill('insults');
  await operator.byTestId('reason-submit').click();
  await ada.page.getByText('insults').first().waitFor();
  await operator.byTestId('report-facts').getByRole('link', { name, exact: true }).click();
  await operator.byTestId('action-warn').click();
  await operator.byTestId('reason-input').fill('Please stop insulting others.');
  await operator.byTestId('reason-submit').click();
  await operator.byTestId('admin-warnings').filter({ hasText: 'not confirmed yet' }).waitFor();
  await rude.byTestId('warning').filter({ hasText: 'Please stop insulting others.' }).waitFor();
  await expectGoodPage(rude, 'people-warning');
  await rude.byTestId('acknowledge').click();
  await rude.byTestId('warning').waitFor({ state: 'detached' });
  await operator.page.goBack();
  await operator.byTestId('set-outcome').selectOption('warned');
  await operator.byTestId('note-input').fill('the first time');
  await operator.byTestId('close-report').click();
  await operator.byTestId('report-closure').filter({ hasText: 'the first time' }).waitFor();
  await operator.goTo('/admin/reports?state=closed');
  await operator.byTestId('report-row').filter({ hasText: 'He insults me.' }).waitFor();
  chromium.expectNoErrors();
});

test('a guest deletes everything, and starts again as another one', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [ada, ben] = inTurn;
  if (ada === undefined || ben === undefined) throw new Error('two play');
  const name = await userName(ada);
  await ada.goTo('/settings');
  await ada.byTestId('delete-user').click();
  await ada.byTestId('deletion-confirm').click();
  await ada.page.getByText(`${name} no longer exists.`).waitFor();
  await ben.byTestId('result').waitFor();
  await ada.byTestId('start-again').click();
  await ada.page.waitForFunction((before) => document.querySelector('[data-testid="user"]')?.textContent?.trim() !== before, name);
  chromium.expectNoErrors();
});

test('the messages of a muted or blocked player are hidden, and the settings end that', async () => {
  const { inTurn } = await seatPlayers(chromium, { variant: 'classic' });
  const [ada, rude] = inTurn;
  if (ada === undefined || rude === undefined) throw new Error('two play');
  const name = await userName(rude);
  await rude.sendMessage('buy my book');
  await ada.openChat();
  await ada.byTestId('chat-log').getByRole('button', { name }).click();
  await ada.byTestId('mutes-add').click();
  await ada.byTestId('player-result').filter({ hasText: name }).waitFor();
  await ada.byTestId('blocks-add').click();
  await ada.byTestId('blocks-remove').waitFor();
  await ada.page.keyboard.press('Escape');
  expect(await ada.byTestId('chat-log').innerText()).not.toContain('buy my book');
  await ada.page.reload();
  await ada.openChat();
  await ada.byTestId('chat-log').getByText('No messages yet.').waitFor();
  const table = new URL(ada.page.url()).pathname;
  await ada.goTo('/settings');
  await ada.byTestId('list-mutes').getByRole('button').click();
  await ada.byTestId('list-blocks').getByRole('button').click();
  await ada.byTestId('list-blocks').waitFor({ state: 'detached' });
  await ada.goTo(table);
  await ada.openChat();
  await ada.waitForChat('buy my book');
  chromium.expectNoErrors();
});

describe.each(Object.entries(SIZES))('on a %s', (size, viewport) => {
  test.each(['en', 'de', 'es'])('the dialogs about players are complete and accessible: %s', async (locale) => {
    const other = await chromium.openBrowser('other', undefined, { viewport, locale });
    const id = await userId(other);
    const person = await chromium.openBrowser('person', undefined, { viewport, locale, reducedMotion: 'reduce' });
    await userName(person);
    await person.goTo(`/u/${id}`);
    await person.byTestId('report-user').click();
    await expectGoodPage(person, `people-dialog-${size}-${locale}`);
    await person.byTestId('blocks-add').click();
    await person.byTestId('mutes-add').click();
    await person.byTestId('mutes-remove').waitFor();
    await expectGoodPage(person, `people-blocked-${size}-${locale}`);
    await person.byTestId('report').click();
    await person.byTestId('report-form').waitFor();
    await expectGoodPage(person, `people-report-${size}-${locale}`);
    await person.goTo('/settings');
    await person.byTestId('list-blocks').scrollIntoViewIfNeeded();
    await expectGoodPage(person, `people-hidden-users-${size}-${locale}`);
    await person.byTestId('delete-user').click();
    await person.byTestId('deletion-confirm').waitFor();
    await expectGoodPage(person, `people-deletion-${size}-${locale}`);
    chromium.expectNoErrors();
  });
});
