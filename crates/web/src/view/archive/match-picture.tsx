import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MatchSummary, TableView } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { Layout } from '../board/geometry.ts';
import { StaticBoard } from '../board/static-board.tsx';
import { useClient } from '../context.ts';
import { useInViewport } from '../in-viewport.ts';

/** The board as a match left it, asked for when it comes into sight. Its place is kept from the beginning. */
export function MatchPicture({ summary }: { summary: MatchSummary }): JSX.Element {
  const client = useClient();
  const element = useRef<HTMLDivElement>(null);
  const seen = useInViewport(element);
  const [view, setView] = useState<TableView | null>(null);
  const wanted = seen && view === null;
  useEffect(() => {
    if (!wanted) return undefined;
    let there = true;
    client.api.match(summary.match).then(
      (found) => {
        if (there) setView(found.view);
      },
      // Without its picture the match is told by words.
      () => undefined,
    );
    return () => {
      there = false;
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
