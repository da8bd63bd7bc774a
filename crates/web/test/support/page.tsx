import { render, type JSX } from 'preact';
import { act } from 'preact/test-utils';
import type { Color, Move } from '../../src/protocol/generated.ts';
import type { Api } from '../../src/store/api.ts';
import type { Client } from '../../src/store/client.ts';
import { AnalysisPage } from '../../src/view/analysis/analysis-page.tsx';
import { ClientProvider } from '../../src/view/context.ts';
import { MatchPage } from '../../src/view/match/match-page.tsx';
import { TablePage } from '../../src/view/table/table-page.tsx';
import { settled } from './explorer.ts';
import type { FakeSocket } from './fake-socket.ts';
import { MATCH, TABLE, type ScriptedMatch } from './match.ts';
import { onlineClient } from './stub-client.ts';

/** Shows a page, or a part of one, to whom a client belongs. */
export function show(client: Client, page: JSX.Element): void {
  act(() => render(<ClientProvider value={client}>{page}</ClientProvider>, document.body));
}

/** Renders the analysis page at an address, before the manual explorer has answered. */
export async function showAnalysis(search: string, api: Partial<Api>): Promise<void> {
  history.replaceState(null, '', `/analysis${search}`);
  show(onlineClient(api).client, <AnalysisPage />);
  await act(settled);
}

/** The page of the match at an address. */
export async function showMatch(search: string, api: Partial<Api>): Promise<void> {
  history.replaceState(null, '', `/m/${MATCH}${search}`);
  const ply = new URLSearchParams(search).get('ply');
  show(onlineClient(api).client, <MatchPage match={MATCH} ply={ply === null ? null : Number(ply)} />);
  await act(settled);
}

/** The table's page as Ada sees it before the server has said anything about the table. */
export function showTable(api?: Partial<Api>): ReturnType<typeof onlineClient> {
  const online = onlineClient(api);
  show(online.client, <TablePage table={TABLE} />);
  return online;
}

/** Renders the table's page as Ada sees it, after the first snapshot. */
export function openTable(
  match: ScriptedMatch,
  yours: Color | readonly Color[] | null,
  legal?: Move[],
  api?: Partial<Api>,
): FakeSocket {
  const { socket } = showTable(api);
  act(() => socket.say(match.snapshot(yours, legal)));
  return socket;
}

/** Takes the page away. */
export function closePage(): void {
  act(() => render(null, document.body));
}

/** The one element of a selector that must be there. */
export function one<E extends HTMLElement = HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
}

/** The element with a test id. */
export function hook<E extends HTMLElement = HTMLElement>(name: string): E {
  return one<E>(`[data-testid="${name}"]`);
}

/** Returns whether there is an element with a test id. */
export function isThere(name: string): boolean {
  return document.querySelector(`[data-testid="${name}"]`) !== null;
}

/** A cell of the board. */
export function square(name: string): HTMLElement {
  return one(`[data-square="${name}"]`);
}

/** Presses an element. */
export function click(element: HTMLElement): void {
  void act(() => element.click());
}

/** Presses a square with a pointer, as a finger or a mouse does. */
export function press(name: string): void {
  const cell = square(name);
  act(() => {
    cell.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, pointerId: 1 }));
    dispatchEvent(new PointerEvent('pointerup', { bubbles: true, button: 0, pointerId: 1 }));
  });
  click(cell);
}

/** Presses a key where the focus is. */
export function key(name: string): void {
  act(() => {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
    );
  });
}

/** Writes into a field. */
export function fill(field: string, text: string): void {
  const input = hook<HTMLInputElement>(field);
  act(() => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Writes into a field and sends its form. */
export function write(field: string, text: string): void {
  fill(field, text);
  act(() => {
    hook<HTMLInputElement>(field).form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
}
