import { render, type JSX } from 'preact';
import { act } from 'preact/test-utils';
import type { Color, Move } from '../../src/protocol/generated.ts';
import type { Api } from '../../src/store/api.ts';
import type { Client } from '../../src/store/client.ts';
import { AnalysisPage } from '../../src/view/analysis/analysis-page.tsx';
import { ClientProvider } from '../../src/view/context.ts';
import { MatchPage } from '../../src/view/match/match-page.tsx';
import { TablePage } from '../../src/view/table/table-page.tsx';
import { flushTasks } from './explorer.ts';
import type { FakeSocket } from './fake-socket.ts';
import { MATCH, TABLE, type ScriptedMatch } from './match.ts';
import { onlineClient } from './stub-client.ts';

/** Renders a page, or a part of one, with a client. */
export function renderPage(client: Client, page: JSX.Element): void {
  act(() => render(<ClientProvider value={client}>{page}</ClientProvider>, document.body));
}

/** Renders the analysis page at an address, before the manual explorer has answered. */
export async function renderAnalysis(search: string, api: Partial<Api>): Promise<void> {
  history.replaceState(null, '', `/analysis${search}`);
  renderPage(onlineClient(api).client, <AnalysisPage />);
  await act(flushTasks);
}

/** Renders the page of the match at an address. */
export async function renderMatch(search: string, api: Partial<Api>): Promise<void> {
  history.replaceState(null, '', `/m/${MATCH}${search}`);
  const ply = new URLSearchParams(location.search).get('ply');
  renderPage(onlineClient(api).client, <MatchPage match={MATCH} ply={ply === null ? null : Number(ply)} />);
  await act(flushTasks);
}

/** Renders the page of the table for Ada, before any frame of the table. */
export function renderTable(api?: Partial<Api>): ReturnType<typeof onlineClient> {
  const online = onlineClient(api);
  renderPage(online.client, <TablePage table={TABLE} />);
  return online;
}

/** Renders the page of the table for Ada, after the first snapshot. */
export function renderTableAfterSnapshot(
  match: ScriptedMatch,
  yours: Color | readonly Color[] | null,
  legal?: Move[],
  api?: Partial<Api>,
): FakeSocket {
  const { socket } = renderTable(api);
  act(() => socket.receive(match.snapshot(yours, legal)));
  return socket;
}

/** Removes the page. */
export function closePage(): void {
  act(() => render(null, document.body));
}

/** Returns the element of a selector, which must exist. */
export function findElement<E extends HTMLElement = HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
}

/** Returns the element with a test id. */
export function byTestId<E extends HTMLElement = HTMLElement>(name: string): E {
  return findElement<E>(`[data-testid="${name}"]`);
}

/** Returns whether an element with a test id exists. */
export function exists(name: string): boolean {
  return document.querySelector(`[data-testid="${name}"]`) !== null;
}

/** Returns a cell of the board. */
export function square(name: string): HTMLElement {
  return findElement(`[data-square="${name}"]`);
}

/** Clicks an element. */
export function click(element: HTMLElement): void {
  void act(() => element.click());
}

/** Presses a square with a pointer, like a finger or a mouse. */
export function pressSquare(name: string): void {
  const cell = square(name);
  act(() => {
    cell.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, pointerId: 1 }));
    dispatchEvent(new PointerEvent('pointerup', { bubbles: true, button: 0, pointerId: 1 }));
  });
  click(cell);
}

/** Presses a key on the focused element. */
export function pressKey(name: string): void {
  act(() => {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
    );
  });
}

/** Fills a field. */
export function fillField(field: string, text: string): void {
  const input = byTestId<HTMLInputElement>(field);
  act(() => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Fills a field and submits its form. */
export function submitField(field: string, text: string): void {
  fillField(field, text);
  act(() => {
    byTestId<HTMLInputElement>(field).form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
}
