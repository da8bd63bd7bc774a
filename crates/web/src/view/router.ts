import { signal } from '@preact/signals';
import type { GroupId, MatchId, Speed, TableId, UserId, Variant } from '../protocol/generated.ts';
import { plyFrom, speedFrom, variantFrom } from '../store/address-query.ts';

/** A page for operators about users, reports, or pairs of players. */
export type AdminPlace =
  | { readonly kind: 'users'; readonly name: string | null; readonly suspended: boolean }
  | { readonly kind: 'user'; readonly user: UserId }
  | { readonly kind: 'reports'; readonly state: 'open' | 'closed' }
  | { readonly kind: 'report'; readonly number: number }
  | { readonly kind: 'pairs' }
  | { readonly kind: 'pair'; readonly a: UserId; readonly b: UserId };

/** A page of the client, with the data from its address. */
export type Page =
  | { readonly kind: 'lobby' }
  | { readonly kind: 'table'; readonly table: TableId }
  | { readonly kind: 'archive'; readonly variant: Variant | null; readonly user: UserId | null; readonly player: string | null }
  | { readonly kind: 'ratings'; readonly variant: Variant | null; readonly speed: Speed | null }
  | { readonly kind: 'user'; readonly user: UserId }
  | { readonly kind: 'match'; readonly match: MatchId; readonly ply: number | null }
  | { readonly kind: 'analysis' }
  | { readonly kind: 'rules'; readonly chapter: string | null }
  | { readonly kind: 'friends' }
  | { readonly kind: 'games' }
  | { readonly kind: 'groups' }
  | { readonly kind: 'group'; readonly group: GroupId }
  | { readonly kind: 'settings' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'sign-up' }
  | { readonly kind: 'complete-sign-up' }
  | { readonly kind: 'password-reset' }
  | { readonly kind: 'mail'; readonly action: 'confirm' | 'unsubscribe' }
  | { readonly kind: 'admin'; readonly place: AdminPlace }
  | { readonly kind: 'unknown' };

/** A page of one kind. */
export type PageOf<Kind extends Page['kind']> = Extract<Page, { kind: Kind }>;

/** The parts of an address that determine the page. */
export interface Address {
  readonly pathname: string;
  readonly search: string;
}

const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/**
 * The routes: a pattern for the path, and the page made from the groups of the pattern and the
 * query. The server knows the same paths (`crates/server/src/http/assets.rs`) but those for
 * operators, which it answers like unknown paths, with the client and the status 404.
 */
const ROUTES: readonly (readonly [RegExp, (groups: readonly string[], query: URLSearchParams) => Page])[] = [
  [/^\/(?:index\.html)?$/, () => ({ kind: 'lobby' })],
  [new RegExp(`^/t/${ID}/?$`, 'i'), ([table = '']) => ({ kind: 'table', table: table.toLowerCase() })],
  [/^\/archive\/?$/, (_, query) => ({ kind: 'archive', variant: variantFrom(query), user: query.get('user'), player: query.get('player') })],
  [/^\/ratings\/?$/, (_, query) => ({ kind: 'ratings', variant: variantFrom(query), speed: speedFrom(query) })],
  [new RegExp(`^/u/${ID}/?$`, 'i'), ([user = '']) => ({ kind: 'user', user: user.toLowerCase() })],
  [new RegExp(`^/m/${ID}/?$`, 'i'), ([match = ''], query) => ({ kind: 'match', match: match.toLowerCase(), ply: plyFrom(query) })],
  [/^\/analysis\/?$/, () => ({ kind: 'analysis' })],
  [/^\/rules(?:\/([a-z-]+))?\/?$/, ([chapter]) => ({ kind: 'rules', chapter: chapter ?? null })],
  [/^\/friends\/?$/, () => ({ kind: 'friends' })],
  [/^\/games\/?$/, () => ({ kind: 'games' })],
  [/^\/groups\/?$/, () => ({ kind: 'groups' })],
  [new RegExp(`^/g/${ID}/?$`, 'i'), ([group = '']) => ({ kind: 'group', group: group.toLowerCase() })],
  [/^\/settings\/?$/, () => ({ kind: 'settings' })],
  [/^\/sign-in\/?$/, () => ({ kind: 'sign-in' })],
  [/^\/sign-up\/?$/, () => ({ kind: 'sign-up' })],
  [/^\/sign-in\/complete\/?$/, () => ({ kind: 'complete-sign-up' })],
  [/^\/password-reset\/?$/, () => ({ kind: 'password-reset' })],
  [/^\/mail\/(confirm|unsubscribe)\/?$/, ([action]) => ({ kind: 'mail', action: action === 'confirm' ? 'confirm' : 'unsubscribe' })],
  [/^\/admin\/?$/, (_, query) => ({ kind: 'admin', place: { kind: 'users', name: query.get('name'), suspended: query.get('suspended') === 'true' } })],
  [/^\/admin\/reports\/?$/, (_, query) => ({ kind: 'admin', place: { kind: 'reports', state: query.get('state') === 'closed' ? 'closed' : 'open' } })],
  [/^\/admin\/reports\/(\d{1,15})\/?$/, ([number = '']) => ({ kind: 'admin', place: { kind: 'report', number: Number(number) } })],
  [/^\/admin\/pairs\/?$/, () => ({ kind: 'admin', place: { kind: 'pairs' } })],
  [new RegExp(`^/admin/pairs/${ID}/${ID}/?$`, 'i'), ([a = '', b = '']) => ({ kind: 'admin', place: { kind: 'pair', a: a.toLowerCase(), b: b.toLowerCase() } })],
  [new RegExp(`^/admin/u/${ID}/?$`, 'i'), ([user = '']) => ({ kind: 'admin', place: { kind: 'user', user: user.toLowerCase() } })],
];

/** Returns the page of an address. */
export function parseAddress({ pathname, search }: Address): Page {
  for (const [path, read] of ROUTES) {
    const match = path.exec(pathname);
    if (match !== null) return read(match.slice(1), new URLSearchParams(search));
  }
  return { kind: 'unknown' };
}

/** The displayed page. */
export const page = signal<Page>(parseAddress(location));

/** Opens another page of the client without loading a document. */
export function goTo(path: string): void {
  try {
    history.pushState(null, '', path);
  } catch {
    // The browser may refuse the new entry in its history. The page is then loaded as a document.
    location.assign(path);
    return;
  }
  page.value = parseAddress(location);
  scrollTo(0, 0);
}

/**
 * Starts to handle the browser's back and forward buttons, and plain clicks on links to pages of
 * the client.
 */
export function startRouter(): void {
  const read = (): void => {
    page.value = parseAddress(location);
  };
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const path = clientPath(event);
    if (path === null) return;
    event.preventDefault();
    goTo(path);
  });
}

function clientPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return null;
  return parseAddress(link).kind === 'unknown' ? null : link.pathname + link.search + link.hash;
}
