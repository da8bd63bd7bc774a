import type { ComponentChildren, JSX } from 'preact';
import { useClient } from './context.ts';
import { NotFound } from './not-found.tsx';

/** A page for operators. For everybody else, there is no such page. */
export function OperatorsOnly({ children }: { children: ComponentChildren }): JSX.Element {
  const isOperator = useClient().status.isOperator.value;
  if (isOperator === true) return <>{children}</>;
  return isOperator === null ? <main id="content" class="empty-page" aria-busy="true" /> : <NotFound />;
}
