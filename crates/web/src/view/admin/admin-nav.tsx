import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { FilterLink } from '../filter-link.tsx';

/** The lists for operators. */
const LISTS = { open: '/admin/reports', closed: '/admin/reports?state=closed', search: '/admin', suspended: '/admin?suspended=true', pairs: '/admin/pairs' } as const;

/** The links to the lists for operators. */
export function AdminNav({ current }: { current: keyof typeof LISTS }): JSX.Element {
  const words = text.admin.lists;
  return (
    <nav class="filters" aria-label={text.admin.title}>
      <ul class="chips">
        {(Object.keys(LISTS) as (keyof typeof LISTS)[]).map((list) => (
          <FilterLink key={list} href={LISTS[list]} chosen={list === current} words={words[list]} />
        ))}
      </ul>
    </nav>
  );
}
