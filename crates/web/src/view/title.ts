import { useEffect } from 'preact/hooks';
import { text } from '../text/index.ts';

/** Sets the title of the browser's tab while a page is displayed. */
export function useTitle(title: string): void {
  const { brand } = text;
  useEffect(() => {
    document.title = `${title} · ${brand}`;
    return () => {
      document.title = brand;
    };
  }, [title, brand]);
}
