/*
 * The service worker: it keeps the client's own files, so that the page comes up without a line, and a page that is open
 * finds the parts it was built with when the server has moved on to newer ones. What is live (/api, /ws) it never
 * touches. A newer worker waits until all pages of the older are closed, or until the user asks for the update: nobody is
 * interrupted in the middle of a match.
 */

/** The parts of a worker's surroundings that are used; the library of the DOM does not have them. */
interface Worker {
  addEventListener(type: 'install' | 'activate', on: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', on: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'notificationclick', on: (event: Press) => void): void;
  addEventListener(type: 'fetch', on: (event: { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window' }): Promise<readonly Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
}

/** A page of this server that is open. */
interface Window {
  readonly url: string;
  focus(): Promise<unknown>;
}

/** A notification was pressed; its data is what the page gave it. */
interface Press {
  readonly notification: { readonly data: { readonly path: string }; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

/** Filled in when the client is built: all its files but the page, and a name for this very set of them. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const CACHES = 'quadrex-';
const CACHE = CACHES + SHELL_VERSION;
/** The page every address of the client is answered with. */
const PAGE = '/';
/** The folder whose file names hold a hash of their content. */
const HASHED = '/assets/';

const worker = globalThis as unknown as Worker;

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith(HASHED)) event.respondWith(keptFirst(request));
  else if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(lineFirst(request));
  else if (SHELL_FILES.includes(url.pathname)) event.respondWith(lineFirst(request));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(bringUp(event.notification.data.path));
});

/** Brings the page of a notification to the front, or opens it anew. */
async function bringUp(path: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  await (page === undefined ? worker.clients.openWindow(path) : page.focus());
}

/** Fetches the files anew: what the browser keeps by itself may be older than this worker. */
async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...SHELL_FILES].map((path) => new Request(path, { cache: 'reload' })));
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHES) && name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function keptFirst(request: Request): Promise<Response> {
  // What is kept can be lost or damaged.
  return (await caches.match(request).catch(() => undefined)) ?? fetch(request);
}

async function lineFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.mode === 'navigate' ? PAGE : request);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Returns whether a path is a page of the client, and not a file or a response of the server that is opened in a tab. */
function isPage(path: string): boolean {
  return !/^\/(?:api|ws|metrics|health|pictures)(?:\/|$)/.test(path) && !path.includes('.');
}
