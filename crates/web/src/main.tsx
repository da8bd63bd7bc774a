import { render } from 'preact';
import { Connection } from './connection/connection.ts';
import { browserEnvironment } from './connection/transport.ts';
import { serviceWorkers, Updates } from './offline/updates.ts';
import { httpApi } from './store/api.ts';
import { Client } from './store/client.ts';
import { usesNotifications } from './store/notification-keys.ts';
import { takeSignInFailure } from './store/sign-in-failure.ts';
import { takeHandoverSecret } from './store/table-secrets.ts';
import { browserPersistence } from './store/persistence.ts';
import { followOtherTabs } from './store/preferences.ts';
import { currentLanguage } from './text/languages.ts';
import { App } from './view/app.tsx';
import { followPreferences } from './view/appearance.ts';
import { ClientProvider } from './view/context.ts';
import { followFocus } from './view/opener.ts';
import { renderInOwnTask } from './view/render-queue.ts';
import { startRouter } from './view/router.ts';
import './view/styles/index.css';

const updates = new Updates();
const client = new Client(httpApi, browserPersistence(), (events) => new Connection(events, browserEnvironment(location)));

addEventListener('online', () => client.connection.networkReturned());
// A user who touches the page should not have to wait for the next attempt to reconnect.
addEventListener('pointerdown', () => client.connection.connect(), { passive: true });
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') client.connection.checkNow();
});

startRouter();
followFocus();
followOtherTabs(client.preferences);
const languageLoaded = followPreferences(client.preferences);
const handover = takeHandoverSecret(location, history);
void (handover === undefined ? client.start() : client.openHandover(handover));
const failure = takeSignInFailure(location, history);
if (failure !== null) client.notify({ kind: 'sign_in_failed', code: failure }, null);
// A handover link may be pasted into the address of an open page.
addEventListener('hashchange', () => {
  const pastedHandover = takeHandoverSecret(location, history);
  if (pastedHandover !== undefined) void client.openHandover(pastedHandover);
});

renderInOwnTask();
const root = document.getElementById('app');
if (root === null) throw new Error('index.html holds the element #app');
// The first rendering waits for the texts in the user's language, so that no other language appears
// first.
await languageLoaded;
render(
  <ClientProvider value={client}>
    <App updates={updates} />
  </ClientProvider>,
  root,
);

// The page loads first; files for later visits are fetched after it. It has loaded already if the
// texts of the language arrived late.
if (import.meta.env.PROD) {
  const register = (): void => void updates.register(serviceWorkers());
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
if (usesNotifications(client.persistence)) {
  void import('./store/push-upkeep.ts').then(({ keepNotifications }) => keepNotifications(client, currentLanguage), () => undefined);
}
client.isOutdated.subscribe((outdated) => {
  if (outdated) updates.check();
});
