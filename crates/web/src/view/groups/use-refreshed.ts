import { useEffect, useRef } from 'preact/hooks';
import { useLoaded, type Loaded } from '../use-loaded.ts';

/** The interval between two requests for the state of a group, in milliseconds. */
const REFRESH_MS = 20_000;

/** Data that is requested again from time to time. */
export interface Refreshed<T> extends Loaded<T> {
  /** Requests the data again now. Until it has arrived, or if that fails, it stays as it was. */
  readonly refresh: () => Promise<void>;
}

/** Requests data like `useLoaded`, and again from time to time while the page is visible. */
export function useRefreshed<T>(load: () => Promise<T>, key: string): Refreshed<T> {
  const loaded = useLoaded(load, key);
  const currentKey = useRef(key);
  currentKey.current = key;
  const refresh = async (): Promise<void> => {
    const value = await load().catch(() => null);
    if (value !== null && currentKey.current === key) loaded.set(value);
  };
  const newest = useRef(refresh);
  newest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void newest.current();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [key]);
  return { ...loaded, refresh };
}
