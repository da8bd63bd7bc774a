import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { text } from '../text/index.ts';

/**
 * Returns a page whose code is loaded when it is first opened. Its place is reserved meanwhile, so
 * that nothing moves. If loading fails, because the browser is offline or the server has a newer
 * client, the user can try again.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  kind: 'page' | 'part' = 'page',
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPage(props: Props): JSX.Element {
    const [Shown, show] = useState<{ readonly page: ComponentType<Props> | null }>({ page: loaded });
    const [failed, fail] = useState(false);
    useEffect(() => {
      if (Shown.page !== null || failed) return undefined;
      let isCurrent = true;
      load().then(
        (page) => {
          loaded = page;
          if (isCurrent) show({ page });
        },
        () => {
          if (isCurrent) fail(true);
        },
      );
      return () => {
        isCurrent = false;
      };
    }, [Shown.page, failed]);
    if (Shown.page !== null) return <Shown.page {...props} />;
    if (kind === 'part') return failed ? <p>{text.notLoaded.hint}</p> : <div class="empty-part" aria-busy="true" />;
    return failed ? <NotLoaded /> : <main id="content" class="empty-page" aria-busy="true" />;
  };
}

/**
 * The page after a failed import. Browsers remember a failed import, so trying again requires a
 * reload of the page.
 */
function NotLoaded(): JSX.Element {
  return (
    <main id="content" class="empty-page">
      <h1>{text.notLoaded.title}</h1>
      <p>{text.notLoaded.hint}</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        {text.reload}
      </button>
    </main>
  );
}
