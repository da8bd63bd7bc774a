import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The state of a form whose content is sent to the server. */
export interface Submission {
  /** The form, in which an invalid field gets the focus after a failure. */
  readonly form: RefObject<HTMLFormElement | null>;
  readonly isBusy: boolean;
  /** The error of the last attempt, until the user changes a field. */
  readonly error: Error | null;
  readonly clear: () => void;
  /** Runs the action of the form. Its error becomes the error of the form. */
  readonly submit: (event: Event, action: () => Promise<void>) => void;
}

/** Returns the submission of a form. */
export function useSubmission(): Submission {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useLayoutEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const run = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action();
    } catch (failure) {
      if (!(failure instanceof Error)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    form,
    isBusy,
    error,
    clear: () => setError(null),
    submit: (event, action) => {
      event.preventDefault();
      if (!isBusy) void run(action);
    },
  };
}
