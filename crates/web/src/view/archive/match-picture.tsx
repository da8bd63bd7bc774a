import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MatchSummary, TableView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { Layout } from '../board/geometry.ts';
import { StaticBoard } from '../board/static-board.tsx';
import { useClient } from '../context.ts';
import { useInViewport } from '../in-viewport.ts';

/**
 * The final board of a match, requested when it becomes visible. Its place is reserved from the
 * beginning.
 */
export function MatchPicture({ summary }: { summary: MatchSummary }): JSX.Element {
  const client = useClient();
  const element = useRef<HTMLDivElement>(null);
  const isVisible = useInViewport(element);
  const [view, setView] = useState<TableView | null>(null);
  const wanted = isVisible && view === null;
  useEffect(() => {
    if (!wanted) return undefined;
    let isCurrent = true;
    client.api.match(summary.match).then(
      (found) => {
        if (isCurrent) setView(found.view);
      },
      // Without the picture the texts of the match remain.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, wanted, summary.match]);
  return (
    <div ref={element} class="match-picture">
      {view !== null && <Picture view={view} />}
    </div>
  );
}

function Picture({ view }: { view: TableView }): JSX.Element {
  const layout = useMemo(() => new Layout(view.board, 'south'), [view.board]);
  return <StaticBoard layout={layout} pieces={view.pieces} seats={view.seats} label={text.archive.finalBoard} />;
}
