import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface FocusedResultProps {
  readonly testId: string;
  /** Set if the action has failed for good. */
  readonly isError?: boolean;
  readonly children: ComponentChildren;
}

/**
 * The result of an action in place of its form. It gets the focus, which would otherwise be lost
 * with the form.
 */
export function FocusedResult({ testId, isError = false, children }: FocusedResultProps): JSX.Element {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <p ref={element} tabIndex={-1} class={isError ? 'field-error' : undefined} role={isError ? 'alert' : 'status'} data-testid={testId} data-good={!isError}>
      {children}
    </p>
  );
}
