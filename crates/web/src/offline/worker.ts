/*
 * The service worker. It caches the client's files. So the page opens without a network, and an
 * open page still finds its files when the server already has a newer version. The worker never
 * caches live data (/api, /ws). A newer worker waits until all pages of the older one are closed,
 * or until the user asks for the update, so that no match is interrupted.
 */

import { notificationOf, renewSubscription, type OpenPage, type SubscriptionChange } from './push-messages.ts';

/**
 * The part of a service worker's global scope that is used here. TypeScript's DOM library does not
 * declare it.
 */
interface ServiceWorkerScope {
  addEventListener(type: 'install' | 'activate', on: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', on: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'notificationclick', on: (event: NotificationClick) => void): void;
  addEventListener(type: 'push', on: (event: Push) => void): void;
  addEventListener(type: 'pushsubscriptionchange', on: (event: SubscriptionChange & Lasting) => void): void;
  addEventListener(type: 'fetch', on: (event: { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<readonly FocusablePage[]>;
    openWindow(path: string): Promise<unknown>;
  };
  readonly registration: ServiceWorkerRegistration;
}

/** An event that lasts until some work is done. */
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

/** An open page of this server. */
interface FocusablePage extends OpenPage {
  focus(): Promise<unknown>;
}

/** A message from the server. */
interface Push extends Lasting {
  readonly data: { json(): unknown } | null;
}

/** A click on a notification. Its `data` comes from the page that displayed the notification. */
interface NotificationClick extends Lasting {
  readonly notification: { readonly data: { readonly path: string }; close(): void };
}

/**
 * Set by the build: the client's files except the page itself, and a version of this set of files.
 */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const CACHE_PREFIX = 'quadrex-';
const CACHE = CACHE_PREFIX + SHELL_VERSION;
/** The path of the HTML page, which is the response to every address of the client. */
const PAGE_PATH = '/';
/** The folder of files whose names contain a hash of their content. */
const HASHED_FILES = '/assets/';

const worker = globalThis as unknown as ServiceWorkerScope;

worker.addEventListener('install', (event) => event.waitUntil(cacheFiles()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith(HASHED_FILES)) event.respondWith(fromCacheFirst(request));
  else if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(fromServerFirst(request));
  else if (SHELL_FILES.includes(url.pathname)) event.respondWith(fromServerFirst(request));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data.path));
});

worker.addEventListener('push', (event) => event.waitUntil(showMessage(event)));
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renewSubscription(event, worker.registration.pushManager, (path, init) => fetch(path, init))),
);

/** Shows a message from the server as a notification, unless the user sees its page. */
async function showMessage({ data }: Push): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const notification = notificationOf(messageOf(data), pages);
  if (notification !== null) await worker.registration.showNotification(notification.title, notification.options);
}

function messageOf(data: Push['data']): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Brings a page with this path to the front, or opens one. */
async function showPage(path: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  await (page === undefined ? worker.clients.openWindow(path) : page.focus());
}

/**
 * Fetches the files without the browser's HTTP cache, which may contain files of an older version.
 */
async function cacheFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE_PATH, ...SHELL_FILES].map((path) => new Request(path, { cache: 'reload' })));
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function fromCacheFirst(request: Request): Promise<Response> {
  // Entries of the cache can be lost or damaged.
  return (await caches.match(request).catch(() => undefined)) ?? fetch(request);
}

async function fromServerFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.mode === 'navigate' ? PAGE_PATH : request);
    if (kept === undefined) throw error;
    return kept;
  }
}

/**
 * Returns whether a path belongs to a page of the client, not to a file or a response of the
 * server.
 */
function isPage(path: string): boolean {
  return !/^\/(?:api|ws|metrics|health|pictures)(?:\/|$)/.test(path) && !path.includes('.');
}
