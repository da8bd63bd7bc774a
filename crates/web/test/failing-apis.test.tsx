import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '../src/connection/connection.ts';
import { serviceWorkers, Updates } from '../src/offline/updates.ts';
import { replaceAddress } from '../src/store/address.ts';
import { Client } from '../src/store/client.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { followPreferences } from '../src/view/appearance.ts';
import { isAnimationOff } from '../src/view/board/motion.ts';
import { SettingsForm } from '../src/view/settings/settings-form.tsx';
import { SettingsPage } from '../src/view/settings/settings-page.tsx';
import { KeysHelp } from '../src/view/table/keys-help.tsx';
import { copyText } from '../src/view/table/copy-link.tsx';
import type * as Notifications from '../src/view/notifications.ts';
import { SoundPlayer } from '../src/view/table/sounds.ts';
import { user } from './support/boards.ts';
import { FakeSocket } from './support/fake-socket.ts';
import { ScriptedMatch } from './support/match.ts';
import { closePage, exists, findElement, renderTableAfterSnapshot, pressSquare, renderPage, square } from './support/page.tsx';
import { NO_API, onlineClient } from './support/stub-client.ts';

const uncaught: unknown[] = [];
const note = (event: PromiseRejectionEvent | ErrorEvent): void => void uncaught.push(event);
const noteRejection = (error: unknown): void => void uncaught.push(error);

beforeEach(() => {
  uncaught.length = 0;
  addEventListener('error', note);
  process.on('unhandledRejection', noteRejection);
});
afterEach(async () => {
  closePage();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  localStorage.clear();
  await Promise.resolve();
  process.off('unhandledRejection', noteRejection);
  removeEventListener('error', note);
  expect(uncaught).toEqual([]);
});

function refuse(): never {
  throw new TypeError('not here');
}

const begun = (): ScriptedMatch => new ScriptedMatch('classic', { white: 'Ada', black: 'Ben' }).startMatch('white');

describe('an interface of the browser that', () => {
  // An existing observer works: no known browser throws.
  it.each([
    ['matchMedia', 'throws'],
    ['matchMedia', 'is missing'],
    ['AudioContext', 'throws'],
    ['AudioContext', 'is missing'],
    ['IntersectionObserver', 'is missing'],
    ['ResizeObserver', 'is missing'],
  ])('fails does not stop a table: %s %s', async (name, how) => {
    vi.stubGlobal(name, function fail() { return refuse(); });
    if (how === 'is missing') Reflect.deleteProperty(globalThis, name);
    const match = begun();
    const socket = renderTableAfterSnapshot(match, 'white');
    await followPreferences(onlineClient().client.preferences);
    dispatchEvent(new Event('pointerdown'));
    pressSquare('e2');
    act(() => socket.receive(match.move('e2e4')));
    expect(square('e4').dataset['piece']).toBe('wP');
    expect(exists('moves')).toBe(true);
  });

  it('has no animations moves the pieces at once', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    document.documentElement.dataset['motion'] = 'system';
    const { animate } = Element.prototype;
    Object.defineProperty(Element.prototype, 'animate', { value: undefined, configurable: true, writable: true });
    expect(isAnimationOff()).toBe(true);
    Object.defineProperty(Element.prototype, 'animate', { value: () => undefined, configurable: true, writable: true });
    expect(isAnimationOff()).toBe(false);
    Object.defineProperty(Element.prototype, 'animate', { value: animate, configurable: true, writable: true });
  });

  it('refuses sounds during a match leaves it silent', () => {
    const sounds = new SoundPlayer();
    let made = 0;
    vi.stubGlobal('AudioContext', class {
      state = 'running';
      currentTime = 0;
      constructor() { made += 1; }
      createOscillator(): never { return refuse(); }
      createGain(): object { return {}; }
      close(): Promise<void> { return Promise.reject(new Error('closed already')); }
    });
    sounds.enable();
    sounds.play(['move', 'check']);
    sounds.enable();
    sounds.play(['move']);
    sounds.close();
    expect(made).toBe(1);
  });

  it('cannot start its sounds shows no error', async () => {
    vi.stubGlobal('AudioContext', class {
      state = 'suspended';
      resume(): Promise<void> { return Promise.reject(new Error('not allowed')); }
      close(): Promise<void> { return Promise.resolve(); }
    });
    const sounds = new SoundPlayer();
    sounds.enable();
    await new Promise((done) => setImmediate(done));
    sounds.close();
    expect(uncaught).toEqual([]);
  });

  it('cannot copy leaves the link selected and reports no success', async () => {
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('no')) } });
    document.execCommand = refuse;
    const input = document.createElement('input');
    const select = vi.spyOn(input, 'select');
    expect(await copyText('link', input)).toBe(false);
    expect(select).toHaveBeenCalledOnce();
    vi.stubGlobal('navigator', {});
    expect(await copyText('link', input)).toBe(false);
  });

  it('has no modal dialogs shows plain ones', () => {
    const { showModal, close } = HTMLDialogElement.prototype;
    Object.assign(HTMLDialogElement.prototype, { showModal: refuse, close: undefined });
    renderPage(onlineClient().client, <KeysHelp variant="dilkel" onClose={() => undefined} />);
    expect(findElement('dialog').hasAttribute('open')).toBe(true);
    closePage();
    Object.assign(HTMLDialogElement.prototype, { showModal, close });
  });

  it('refuses service workers or access to them leaves a working page', async () => {
    vi.stubGlobal('navigator', Object.defineProperty({}, 'serviceWorker', { get: refuse }));
    expect(serviceWorkers()).toBeUndefined();
    await new Updates().register(serviceWorkers());
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await new Updates().register({ register: () => Promise.reject(new Error('blocked')) } as unknown as ServiceWorkerContainer);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('refuses changes of the address leaves it unchanged', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    replaceAddress({ state: null, replaceState: refuse } as unknown as History, '/x');
    expect(warn).toHaveBeenCalledOnce();
  });

  it('refuses a socket is tried again', () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const states: string[] = [];
    const open = vi.fn<() => WebSocket>(refuse);
    const events = { onState: (state: string) => void states.push(state), onSessionEnd: () => undefined, onRightsChange: () => undefined, onWelcome: () => undefined, onLobby: () => undefined, onOwnTables: () => undefined, onInvitations: () => undefined };
    new Connection(events, { openSocket: open, random: () => 0 }).connect();
    open.mockImplementation(() => new FakeSocket() as unknown as WebSocket);
    vi.advanceTimersByTime(60_000);
    expect(open.mock.calls.length).toBeGreaterThan(1);
    expect(states).toContain('connecting');
  });
});

describe('a browser without cookies', () => {
  it('is reported to the user, without more and more new sessions', async () => {
    const session = vi.fn(() => Promise.resolve({ user: user('Ada') }));
    let socket = new FakeSocket();
    const client = new Client({ ...NO_API, session }, browserPersistence(), (events) =>
      new Connection(events, { openSocket: () => (socket = new FakeSocket()) as unknown as WebSocket, random: () => 0 }),
    );
    await client.start();
    const welcome = (name: string | null): void => {
      socket.open();
      socket.receive({ t: 'welcome', protocol: 'quadrex.v1', version: '0.1.0', user: name === null ? null : user(name) });
    };
    welcome(null);
    await Promise.resolve();
    expect(session).toHaveBeenCalledTimes(1);
    expect(client.user.value).toBeNull();
    expect(client.notices.value).toMatchObject([{ content: { kind: 'cookies_blocked' } }]);

    // If a cookie that was confirmed before is lost later, the browser is signed out.
    await client.start();
    welcome('Ada');
    socket.lose();
    client.connection.checkNow();
    welcome(null);
    expect(client.signedOutUser.value).toEqual(user('Ada'));
    expect(session).toHaveBeenCalledTimes(2);
  });
});

describe('settings that are not stored', () => {
  it('are marked as such', () => {
    renderPage(onlineClient().client, <SettingsPage />);
    expect(document.body.textContent).toContain('are saved in this browser');
    closePage();
    vi.stubGlobal('localStorage', null);
    renderPage(onlineClient().client, <SettingsPage />);
    expect(document.body.textContent).toContain('does not store data for this page');
  });
});

describe('notifications', () => {
  /** Loads a fresh module, since the module remembers which way works. */
  async function fresh(): Promise<typeof Notifications> {
    vi.resetModules();
    return import('../src/view/notifications.ts');
  }

  /** The constructor as in Chrome on Android. */
  class Illegal {
    static permission: NotificationPermission = 'granted';
    static requestPermission = (): Promise<NotificationPermission> => Promise.resolve(Illegal.permission);
    constructor() {
      throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
    }
  }

  function workers(registration: object | undefined): void {
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  }

  const MESSAGE = { title: 'Your move', body: 'e4', tag: 't1', path: '/t/t1' };

  it('come from the service worker if the constructor throws', async () => {
    vi.stubGlobal('Notification', Illegal);
    const close = vi.fn();
    const showNotification = vi.fn(() => Promise.resolve());
    workers({ active: {}, showNotification, getNotifications: () => Promise.resolve([{ close }]) });
    const { canNotify, notify } = await fresh();
    expect(await canNotify()).toBe(true);
    const shut = await notify(MESSAGE, refuse);
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Your move', { body: 'e4', tag: 't1', data: { path: '/t/t1' } });
    shut?.();
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  it.each([
    ['no worker', undefined],
    ['a worker that is not ready', { active: null, showNotification: refuse }],
    ['a worker without notifications', { active: {} }],
  ])('are neither shown nor offered where the constructor throws and there is %s', async (_, registration) => {
    vi.stubGlobal('Notification', Illegal);
    workers(registration);
    const { canNotify, notify } = await fresh();
    expect(await notify(MESSAGE, refuse)).toBeNull();
    expect(await canNotify()).toBe(false);
  });

  it('are not displayed if the worker refuses, if there are none, or without permission', async () => {
    vi.stubGlobal('Notification', Illegal);
    workers({ active: {}, showNotification: () => Promise.reject(new TypeError('no')), getNotifications: refuse });
    expect(await (await fresh()).notify(MESSAGE, refuse)).toBeNull();
    vi.stubGlobal('Notification', { permission: 'denied' });
    expect(await (await fresh()).notify(MESSAGE, refuse)).toBeNull();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'Notification');
    expect(await (await fresh()).canNotify()).toBe(false);
  });

  it('ask for the permission also if that fails or works by callback', async () => {
    vi.stubGlobal('Notification', { permission: 'granted', requestPermission: () => Promise.resolve(undefined) });
    expect(await (await fresh()).askPermission()).toBe(true);
    vi.stubGlobal('Notification', { permission: 'default', requestPermission: refuse });
    expect(await (await fresh()).askPermission()).toBe(false);
  });

  it('have a switch in the settings only if they work', async () => {
    vi.stubGlobal('Notification', class { static permission = 'default'; close(): void {} });
    renderPage(onlineClient().client, <SettingsForm />);
    await vi.waitFor(() => expect(exists('set-notify')).toBe(true));
  });

  it('do not disturb a match if none can be displayed', async () => {
    vi.stubGlobal('Notification', Illegal);
    workers(undefined);
    localStorage.setItem('quadrex.preferences', JSON.stringify({ version: 1, notify: true }));
    const match = new ScriptedMatch('classic', { white: 'Ben', black: 'Ada' }).startMatch('white');
    const socket = renderTableAfterSnapshot(match, 'black', []);
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    act(() => socket.receive(match.move('e2e4')));
    await new Promise((done) => setImmediate(done));
    expect(square('e4').dataset['piece']).toBe('wP');
  });
});

describe('a second finger while a piece is dragged', () => {
  const finger = (id: number, at: { x: number; y: number }): PointerEventInit => ({
    bubbles: true, button: 0, pointerId: id, pointerType: 'touch', isPrimary: id === 1, clientX: at.x, clientY: at.y,
  });
  const down = (name: string, id: number): void => void act(() => void square(name).dispatchEvent(new PointerEvent('pointerdown', finger(id, { x: 0, y: 0 }))));
  const glide = (id: number, y: number): void => void act(() => void dispatchEvent(new PointerEvent('pointermove', finger(id, { x: 0, y }))));
  const lift = (type: 'pointerup' | 'pointercancel', id: number, y: number): void => void act(() => void dispatchEvent(new PointerEvent(type, finger(id, { x: 0, y }))));

  beforeEach(() => {
    renderTableAfterSnapshot(begun(), 'white', ['e2e4', 'e2e3', 'd2d4']);
    // There is no layout in this environment, so a height stands for a square.
    document.elementFromPoint = (_, y) => square(y > 50 ? 'e4' : 'e3');
  });

  const dragged = (): number => document.querySelectorAll('.dragged, .piece[style*="translate"]').length;

  it('is ignored until the first one ends', () => {
    down('e2', 1);
    glide(1, 60);
    expect(dragged()).toBe(1);
    down('d2', 2);
    glide(2, 60);
    lift('pointerup', 2, 60);
    expect(dragged(), 'the first finger still drags its piece').toBe(1);
    glide(1, 80);
    lift('pointerup', 1, 80);
    expect(dragged()).toBe(0);
    expect(square('e4').dataset['piece']).toBe('wP');
    expect(square('d2').dataset['piece']).toBe('wP');
  });

  it('is ignored also after the browser cancels the first one', () => {
    down('e2', 1);
    glide(1, 60);
    down('d2', 2);
    lift('pointercancel', 1, 60);
    expect(dragged()).toBe(0);
    expect(square('e2').dataset['piece']).toBe('wP');
  });

  it('starts a drag if the first one ended without an event', () => {
    down('e2', 1);
    glide(1, 60);
    down('d2', 1);
    expect(dragged()).toBe(0);
    glide(1, 60);
    expect(square('d2').querySelector('.dragged')).not.toBeNull();
    lift('pointercancel', 1, 60);
    expect(dragged()).toBe(0);
  });
});

