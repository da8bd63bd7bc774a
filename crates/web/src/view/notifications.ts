import { serviceWorkers } from '../offline/updates.ts';

/** Closes a displayed notification. */
export type CloseNotification = () => void;

/** The content of a notification. It replaces a displayed notification with the same tag. */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** The path of the page that opens when the user presses the notification. */
  readonly path: string;
}

/** The title of a test notification, which is closed at once. */
const PROBE_TITLE = 'Quadrex';

/**
 * True if `new Notification` works; `undefined` until it has been tried. In Chrome on Android the
 * constructor exists but throws.
 */
let constructorWorks: boolean | undefined;

/**
 * Returns whether notifications can be displayed, by their constructor or by the service worker.
 * Without the permission, the constructor displays nothing, so it is tried before the service
 * worker. With the permission it would display a notification, so it is tried after the service
 * worker.
 */
export async function canNotify(): Promise<boolean> {
  const permission = permissionNow();
  if (permission === null) return false;
  if (permission !== 'granted' && tryConstructor()) return true;
  return (await registration()) !== null || tryConstructor();
}

/** Asks the user for the permission if it is still undecided. Returns whether it is granted. */
export async function askPermission(): Promise<boolean> {
  try {
    // Old browsers take a callback and return nothing.
    const answer: NotificationPermission | undefined = await Notification.requestPermission();
    return (answer ?? permissionNow()) === 'granted';
  } catch {
    return permissionNow() === 'granted';
  }
}

/**
 * Displays a notification. Resolves with `null` if the browser cannot display it or the permission
 * is missing.
 */
export async function notify(message: NotificationContent, onPress: () => void): Promise<CloseNotification | null> {
  if (permissionNow() !== 'granted') return null;
  return byConstructor(message, onPress) ?? (await byServiceWorker(message));
}

function byConstructor({ title, body, tag }: NotificationContent, onPress: () => void): CloseNotification | null {
  if (constructorWorks === false) return null;
  try {
    const notification = new Notification(title, { body, tag });
    constructorWorks = true;
    const close = (): void => notification.close();
    notification.addEventListener('click', () => {
      onPress();
      close();
    });
    return close;
  } catch {
    constructorWorks = false;
    return null;
  }
}

/**
 * Displays a notification by the service worker, which opens the page when the notification is
 * clicked.
 */
async function byServiceWorker({ title, body, tag, path }: NotificationContent): Promise<CloseNotification | null> {
  try {
    const worker = await registration();
    if (worker === null) return null;
    await worker.showNotification(title, { body, tag, data: { path } });
    return () => void closeAll(worker, tag);
  } catch {
    return null;
  }
}

/** Closes the notifications with a tag that the service worker has displayed. */
export async function closeNotifications(tag: string): Promise<void> {
  const worker = permissionNow() === 'granted' ? await registration() : null;
  if (worker !== null) await closeAll(worker, tag);
}

async function closeAll(worker: ServiceWorkerRegistration, tag: string): Promise<void> {
  try {
    for (const notification of await worker.getNotifications({ tag })) notification.close();
  } catch {
    // The notification stays until the user closes it.
  }
}

/**
 * Returns the registration of a service worker that can display notifications, or `null` if there
 * is none.
 */
async function registration(): Promise<ServiceWorkerRegistration | null> {
  try {
    const worker = await serviceWorkers()?.getRegistration();
    return worker?.active && 'showNotification' in worker ? worker : null;
  } catch {
    return null;
  }
}

function tryConstructor(): boolean {
  if (constructorWorks !== undefined) return constructorWorks;
  try {
    new Notification(PROBE_TITLE, { silent: true, tag: PROBE_TITLE }).close();
    constructorWorks = true;
  } catch {
    constructorWorks = false;
  }
  return constructorWorks;
}

function permissionNow(): NotificationPermission | null {
  try {
    return 'Notification' in globalThis ? Notification.permission : null;
  } catch {
    return null;
  }
}
