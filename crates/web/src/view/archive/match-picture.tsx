import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MatchSummary } from '../../protocol/generated.ts';
import { stateOfMatch } from '../../store/match-view.ts';
import { decisiveState } from '../../store/state-at-ply.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { Layout } from '../board/geometry.ts';
import { moveMarks } from '../board/marks.ts';
import { StaticBoard } from '../board/static-board.tsx';
import { useClient } from '../context.ts';
import { useInViewport } from '../in-viewport.ts';

/**
 * A picture of the position in which a match was decided, or of the present position of a running
 * match. Its place is reserved from the beginning, and it is requested when this place becomes
 * visible.
 */
export function MatchPicture({ summary }: { summary: MatchSummary }): JSX.Element {
  const client = useClient();
  const element = useRef<HTMLDivElement>(null);
  const isVisible = useInViewport(element);
  const [state, setState] = useState<TableState | null>(null);
  const isNeeded = isVisible && state === null;
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isCurrent = true;
    client.api.match(summary.match).then(
      (match) => {
        if (isCurrent) setState(decisiveState(stateOfMatch(match, 0)));
      },
      // Without the picture the texts of the match remain.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, isNeeded, summary.match]);
  return (
    <div ref={element} class="match-picture">
      {state !== null && <Picture state={state} />}
    </div>
  );
}

function Picture({ state }: { state: TableState }): JSX.Element {
  const layout = useMemo(() => new Layout(state.board, 'south'), [state.board]);
  const marks = useMemo(() => moveMarks(state), [state]);
  return <StaticBoard layout={layout} pieces={state.pieces} seats={state.seats} marks={marks} label={text.archive.decisiveBoard} />;
}
