import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Updates } from '../src/offline/updates.ts';
import { App } from '../src/view/app.tsx';
import { ClientProvider } from '../src/view/context.ts';
import { lazyPage } from '../src/view/lazy-page.tsx';
import { goTo, page, parseAddress } from '../src/view/router.ts';
import { findElement } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const ID = '0192f0c1-2345-7000-8000-000000000000';

afterEach(() => {
  act(() => render(null, document.body));
  history.replaceState(null, '', '/');
  page.value = { kind: 'lobby' };
});

const at = (path: string) => parseAddress(new URL(path, location.origin));

describe('an address', () => {
  it.each([
    ['/', 'lobby'],
    ['/index.html', 'lobby'],
    [`/t/${ID}`, 'table'],
    [`/t/${ID}/`, 'table'],
    ['/settings', 'settings'],
    ['/settings/', 'settings'],
  ])('%s is a page: %s', (path, kind) => expect(at(path).kind).toBe(kind));

  it.each(['/t/', '/t/7', `/t/${ID}/x`, '/settingsx', '/x', '//'])('%s is invalid', (path) => {
    expect(parseAddress({ pathname: path, search: '' }).kind).toBe('unknown');
  });
});

describe('the client', () => {
  beforeEach(() => {
    const { client } = onlineClient();
    act(() => render(<ClientProvider value={client}><App updates={new Updates()} /></ClientProvider>, document.body));
  });

  it('marks the displayed page, and focuses the heading of an opened one', async () => {
    expect(document.activeElement, 'the first page keeps the focus').toBe(document.body);
    expect(findElement('.nav [aria-current="page"]').getAttribute('href')).toBe('/');
    act(() => goTo('/settings'));
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    expect(document.activeElement).toBe(findElement('main h1'));
    expect(document.querySelectorAll('.nav [aria-current="page"]').length).toBe(0);
    expect(findElement('.gear').getAttribute('aria-current')).toBe('page');
    await vi.waitFor(() => expect(document.title).toBe('Settings · Quadrex'));
    act(() => goTo('/'));
    expect(document.activeElement).toBe(findElement('main h1'));
    expect(document.title).toBe('Quadrex');
  });

  it('leaves the focus to a user who has moved it meanwhile', async () => {
    act(() => goTo('/'));
    findElement('[data-testid="menu"]').focus();
    act(() => goTo('/settings'));
    findElement('.brand').focus();
    await vi.waitFor(() => findElement('.settings-page'));
    expect(document.activeElement).toBe(findElement('.brand'));
  });

  it('opens the settings as a dialog at a table only', () => {
    act(() => goTo(`/t/${ID}`));
    act(() => findElement('.gear').click());
    expect(page.value.kind).toBe('table');
    expect(findElement('dialog').querySelector('[data-testid="usual"]')).not.toBeNull();
    act(() => findElement('dialog [aria-label="Close"]').click());
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('has a skip link', () => {
    act(() => findElement('.skip-link').click());
    expect(document.activeElement).toBe(findElement('main'));
    expect(location.hash).toBe('');
  });
});

it('shows a page whose code is missing, with a retry button', async () => {
  const Missing = lazyPage(() => Promise.reject(new TypeError('no chunk')));
  act(() => render(<Missing />, document.body));
  expect(findElement('main').getAttribute('aria-busy'), 'its place is reserved').toBe('true');
  await vi.waitFor(() => findElement('main h1'));
  expect(findElement('main h1').textContent).toBe('This page could not be loaded');
  expect(findElement('main button').textContent).toBe('Reload');
});
