import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Updates } from '../src/offline/updates.ts';
import { App } from '../src/view/app.tsx';
import { ClientProvider } from '../src/view/context.ts';
import { lazyPage } from '../src/view/lazy-page.tsx';
import { goTo, page, parseAddress } from '../src/view/router.ts';
import { one } from './support/page.tsx';
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

  it.each(['/t/', '/t/7', `/t/${ID}/x`, '/settingsx', '/x', '//'])('%s is none', (path) => {
    expect(parseAddress({ pathname: path, search: '' }).kind).toBe('unknown');
  });
});

describe('the client', () => {
  beforeEach(() => {
    const { client } = onlineClient();
    act(() => render(<ClientProvider value={client}><App updates={new Updates()} /></ClientProvider>, document.body));
  });

  it('marks the page one is at, and moves the focus to the heading of the one that is opened', async () => {
    expect(document.activeElement, 'the first page is left alone').toBe(document.body);
    expect(one('.nav [aria-current="page"]').getAttribute('href')).toBe('/');
    act(() => goTo('/settings'));
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    expect(document.activeElement).toBe(one('main h1'));
    expect(document.querySelectorAll('.nav [aria-current="page"]').length).toBe(0);
    expect(one('.gear').getAttribute('aria-current')).toBe('page');
    await vi.waitFor(() => expect(document.title).toBe('Settings · Quadrex'));
    act(() => goTo('/'));
    expect(document.activeElement).toBe(one('main h1'));
    expect(document.title).toBe('Quadrex');
  });

  it('does not take the focus from who went on meanwhile', async () => {
    act(() => goTo('/'));
    one('[data-testid="menu"]').focus();
    act(() => goTo('/settings'));
    one('.brand').focus();
    await vi.waitFor(() => one('.settings-page'));
    expect(document.activeElement).toBe(one('.brand'));
  });

  it('shows the settings over a table, and leaves it for them nowhere else', () => {
    act(() => goTo(`/t/${ID}`));
    act(() => one('.gear').click());
    expect(page.value.kind).toBe('table');
    expect(one('dialog').querySelector('[data-testid="usual"]')).not.toBeNull();
    act(() => one('dialog [aria-label="Close"]').click());
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('has a way past the header', () => {
    act(() => one('.skip-link').click());
    expect(document.activeElement).toBe(one('main'));
    expect(location.hash).toBe('');
  });
});

it('a page whose code does not arrive says so, with a way to try again', async () => {
  const Missing = lazyPage(() => Promise.reject(new TypeError('no chunk')));
  act(() => render(<Missing />, document.body));
  expect(one('main').getAttribute('aria-busy'), 'its place is kept meanwhile').toBe('true');
  await vi.waitFor(() => one('main h1'));
  expect(one('main h1').textContent).toBe('This page could not be loaded');
  expect(one('main button').textContent).toBe('Reload');
});
