import { useEffect } from 'preact/hooks';
import { text } from '../text/index.ts';

/** Names the page in the browser's tab while it is shown. */
export function useTitle(title: string): void {
  const { brand } = text;
  useEffect(() => {
    document.title = `${title} · ${brand}`;
    return () => {
      document.title = brand;
    };
  }, [title, brand]);
}
