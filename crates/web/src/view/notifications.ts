import { serviceWorkers } from '../offline/updates.ts';

/** A notification that is shown; the function takes it away. */
export type Close = () => void;

/** A notification to be shown. One with the same tag takes the place of the one before. */
export interface Message {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

/** The title of a notification that is taken away before anybody can read it. */
const PROBE = 'Quadrex';

/**
 * Set if `new Notification` works: Chrome on Android has it and throws. Unknown until it was tried.
 */
let constructs: boolean | undefined;

/**
 * Resolves with whether notifications can be shown here, by their constructor or by the service worker. Without the
 * permission the constructor shows nothing, so trying it is free; with the permission it is the last thing tried.
 */
export async function canNotify(): Promise<boolean> {
  const permission = permissionNow();
  if (permission === null) return false;
  if (permission !== 'granted' && tryConstructor()) return true;
  return (await registration()) !== null || tryConstructor();
}

/** Asks the user for the permission, unless it was given or refused before; resolves with whether it is given. */
export async function askPermission(): Promise<boolean> {
  try {
    // Old browsers take a callback and return nothing.
    const answer: NotificationPermission | undefined = await Notification.requestPermission();
    return (answer ?? permissionNow()) === 'granted';
  } catch {
    return permissionNow() === 'granted';
  }
}

/** Shows a notification in the way that works here; resolves with `null` if none does, or none is allowed. */
export async function notify(message: Message, onPress: () => void): Promise<Close | null> {
  if (permissionNow() !== 'granted') return null;
  return byConstructor(message, onPress) ?? (await byServiceWorker(message));
}

function byConstructor({ title, body, tag }: Message, onPress: () => void): Close | null {
  if (constructs === false) return null;
  try {
    const notification = new Notification(title, { body, tag });
    constructs = true;
    const close = (): void => notification.close();
    notification.addEventListener('click', () => {
      onPress();
      close();
    });
    return close;
  } catch {
    constructs = false;
    return null;
  }
}

/** The worker itself brings the page to the front when its notification is pressed. */
async function byServiceWorker({ title, body, tag }: Message): Promise<Close | null> {
  try {
    const worker = await registration();
    if (worker === null) return null;
    await worker.showNotification(title, { body, tag, data: { path: location.pathname } });
    return () => void closeAll(worker, tag);
  } catch {
    return null;
  }
}

async function closeAll(worker: ServiceWorkerRegistration, tag: string): Promise<void> {
  try {
    for (const notification of await worker.getNotifications({ tag })) notification.close();
  } catch {
    // It stays until the user takes it away.
  }
}

/** The registration of a worker that can show notifications; `null` if there is none. */
async function registration(): Promise<ServiceWorkerRegistration | null> {
  try {
    const found = await serviceWorkers()?.getRegistration();
    return found?.active && 'showNotification' in found ? found : null;
  } catch {
    return null;
  }
}

function tryConstructor(): boolean {
  if (constructs !== undefined) return constructs;
  try {
    new Notification(PROBE, { silent: true, tag: PROBE }).close();
    constructs = true;
  } catch {
    constructs = false;
  }
  return constructs;
}

function permissionNow(): NotificationPermission | null {
  try {
    return 'Notification' in globalThis ? Notification.permission : null;
  } catch {
    return null;
  }
}
