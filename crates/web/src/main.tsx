import { render } from 'preact';
import { browserSurroundings, Connection } from './connection/connection.ts';
import { serviceWorkers, Updates } from './offline/updates.ts';
import { httpApi } from './store/api.ts';
import { Client } from './store/client.ts';
import { takeHandoverSecret } from './store/table-secrets.ts';
import { browserPersistence } from './store/persistence.ts';
import { followOtherTabs } from './store/preferences.ts';
import { App } from './view/app.tsx';
import { followPreferences } from './view/appearance.ts';
import { ClientProvider } from './view/context.ts';
import { startRouter } from './view/router.ts';
import './view/styles/index.css';

const updates = new Updates();
const client = new Client(httpApi, browserPersistence(), (events) => new Connection(events, browserSurroundings(location)));

addEventListener('online', () => client.connection.nudge());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') client.connection.nudge();
});

startRouter();
followOtherTabs(client.preferences);
const spoken = followPreferences(client.preferences);
const handover = takeHandoverSecret(location, history);
void (handover === undefined ? client.start() : client.receive(handover));
// A link for another device, pasted where the page is open already.
addEventListener('hashchange', () => {
  const pasted = takeHandoverSecret(location, history);
  if (pasted !== undefined) void client.receive(pasted);
});

const root = document.getElementById('app');
if (root === null) throw new Error('index.html holds the element #app');
// Nothing is drawn in a language that another is about to take the place of.
await spoken;
render(
  <ClientProvider value={client}>
    <App updates={updates} />
  </ClientProvider>,
  root,
);

// The page comes first: what is kept for later is fetched when it stands.
if (import.meta.env.PROD) addEventListener('load', () => void updates.begin(serviceWorkers()), { once: true });
client.outdated.subscribe((outdated) => {
  if (outdated) updates.check();
});
