import { signal } from '@preact/signals';
import type { TableId } from '../protocol/generated.ts';

/** What an address shows. */
export type Page = { readonly kind: 'lobby' } | { readonly kind: 'table'; readonly table: TableId } | { readonly kind: 'unknown' };

const TABLE = /^\/t\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;

/** Reads a path. */
export function pageOf(path: string): Page {
  if (path === '/' || path === '/index.html') return { kind: 'lobby' };
  const table = TABLE.exec(path)?.[1];
  return table === undefined ? { kind: 'unknown' } : { kind: 'table', table: table.toLowerCase() };
}

/** The page shown now. */
export const page = signal<Page>(pageOf(location.pathname));

/** Goes to another page of the client without loading anything. */
export function goTo(path: string): void {
  history.pushState(null, '', path);
  page.value = pageOf(location.pathname);
  scrollTo(0, 0);
}

/** Follows the browser's back and forward, and plain clicks on links to the client's own pages. */
export function startRouter(): void {
  const read = (): void => {
    page.value = pageOf(location.pathname);
  };
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const path = ownPath(event);
    if (path === null) return;
    event.preventDefault();
    goTo(path);
  });
}

function ownPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return null;
  return pageOf(link.pathname).kind === 'unknown' ? null : link.pathname + link.hash;
}
