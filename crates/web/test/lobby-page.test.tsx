import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { Api } from '../src/store/api.ts';
import type { Client } from '../src/store/client.ts';
import { ClientProvider } from '../src/view/context.ts';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { page } from '../src/view/router.ts';
import { MATCH, TABLE } from './support/match.ts';
import { closePage, hook } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

function openLobby(quickJoin: Api['quickJoin']): Client {
  const { client } = onlineClient({ quickJoin });
  act(() =>
    render(
      <ClientProvider value={client}>
        <Lobby />
      </ClientProvider>,
      document.body,
    ),
  );
  return client;
}

async function pressQuick(variant: string): Promise<void> {
  await act(async () => {
    hook(`quick-${variant}`).click();
    await Promise.resolve();
  });
}

afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

describe('playing at once', () => {
  it('asks for the variant and goes to the table', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return Promise.resolve({ table: TABLE, match: MATCH, seat: 'white' });
    });
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'classic' }]);
    expect(page.value).toEqual({ kind: 'table', table: TABLE });
  });

  it('asks once while the answer is on its way', async () => {
    const asked: unknown[] = [];
    openLobby((body) => {
      asked.push(body);
      return new Promise(() => undefined);
    });
    await pressQuick('dilkel');
    await pressQuick('classic');
    expect(asked).toEqual([{ variant: 'dilkel' }]);
  });

  it('says why there is no seat, and can be asked again', async () => {
    const client = openLobby(() => Promise.reject(new Refusal('rate_limited', 'too many tables')));
    await pressQuick('dilkel');
    expect(client.notices.value.map((notice) => notice.text)).toEqual(['too many tables']);
    expect(hook('quick-dilkel')).toHaveProperty('disabled', false);
    expect(page.value).toEqual({ kind: 'lobby' });
  });
});
