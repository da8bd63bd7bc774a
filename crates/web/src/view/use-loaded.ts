import { useEffect, useRef, useState } from 'preact/hooks';

/** Data that a component has requested from the server. */
export interface Loaded<T> {
  /** The data; `null` until it has arrived. */
  readonly value: T | null;
  readonly error: Error | null;
  /** Replaces the data after the user has changed it. */
  readonly set: (value: T) => void;
  /** Requests the data again. */
  readonly retry: () => void;
}

/** Requests data when the component appears, and again for each other `key`. */
export function useLoaded<T>(load: () => Promise<T>, key: string | undefined): Loaded<T> {
  const [value, set] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const newest = useRef(load);
  newest.current = load;
  useEffect(() => {
    if (key === undefined) return undefined;
    let isCurrent = true;
    setError(null);
    newest.current().then(
      (loaded) => {
        if (isCurrent) set(loaded);
      },
      (failure: unknown) => {
        if (isCurrent && failure instanceof Error) setError(failure);
      },
    );
    return () => {
      isCurrent = false;
      set(null);
    };
  }, [key, attempt]);
  return { value, error, set, retry: () => setAttempt((times) => times + 1) };
}
