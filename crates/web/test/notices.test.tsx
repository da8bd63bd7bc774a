import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { chooseLanguage } from '../src/text/languages.ts';
import { Notices } from '../src/view/notices.tsx';
import { closePage, byTestId, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

afterEach(async () => {
  closePage();
  await chooseLanguage('en');
});

describe('notices', () => {
  it('translates a notice on the page when the language changes', async () => {
    const { client } = onlineClient();
    renderPage(client, <Notices />);
    act(() => client.notify({ kind: 'premove_illegal', from: 'e2', to: 'd5' }));
    expect(byTestId('notices').textContent).toContain('Your premove e2-d5 is not legal');
    await act(() => chooseLanguage('de'));
    expect(byTestId('notices').textContent).toContain('e2-d5');
    expect(byTestId('notices').textContent).not.toContain('Your premove');
  });

  it('shows notices with the same content once', () => {
    const { client } = onlineClient();
    client.notify({ kind: 'premove_illegal', from: 'e2', to: 'd5' });
    client.notify({ kind: 'premove_illegal', from: 'e2', to: 'd5' });
    client.report(new TypeError('Failed to fetch'));
    client.report(new TypeError('NetworkError when attempting to fetch resource.'));
    client.report(new Refusal('stale', 'the board has changed'));
    expect(client.notices.value.map(({ content }) => content)).toMatchObject([
      { kind: 'premove_illegal' },
      { kind: 'error', error: { name: 'TypeError' } },
      { kind: 'error', error: { name: 'Refusal' } },
    ]);
  });
});
