import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ExploredPly } from '../../protocol/generated.ts';
import type { Analysis } from '../../store/analysis/analysis.ts';
import type { AnalysisRoot } from '../../store/analysis/analysis-root.ts';
import { isOnMainLine, nodeAt, START, type NodeId } from '../../store/analysis/line-tree.ts';
import { moveLists, type ListedMove } from '../../store/analysis/move-lists.ts';
import { text } from '../../text/index.ts';

/**
 * The moves of the analysis: the main line, with each side line after the move that it replaces.
 */
export function MoveTree({ analysis, root }: { analysis: Analysis; root: AnalysisRoot }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [tree, plies, at] = [analysis.tree.value, analysis.plies.value, analysis.currentNode.value];
  const moves = useMemo(() => moveLists(tree, plies, root.seats), [tree, plies, root.seats]);
  useLayoutEffect(() => {
    const list = scroller.current;
    const current = list?.querySelector<HTMLElement>('[aria-current]') ?? null;
    if (list === null || current === null) return;
    const [above, below] = [current.offsetTop, current.offsetTop + current.offsetHeight];
    if (above < list.scrollTop) list.scrollTop = above - 8;
    else if (below > list.scrollTop + list.clientHeight) list.scrollTop = below - list.clientHeight + 8;
  }, [at, moves]);
  const isStart = at === START;
  return (
    <section class="tree card" aria-label={text.analysis.moves}>
      <div ref={scroller} class="tree-moves" role="group" aria-label={text.analysis.moves} tabIndex={0} data-testid="tree">
        <button
          type="button"
          class="tree-move"
          data-testid="tree-start"
          aria-current={isStart ? 'true' : undefined}
          onClick={() => analysis.goTo(START)}
        >
          {text.analysis.start}
        </button>
        <Line analysis={analysis} plies={plies} at={at} moves={moves} />
        {moves.length === 0 && <span class="quiet">{text.analysis.moveHint}</span>}
      </div>
      <div class="buttons tree-actions">
        <button
          type="button"
          class="button small"
          data-testid="promote-line"
          disabled={isStart || isOnMainLine(tree, at)}
          onClick={() => analysis.promote(at)}
        >
          {text.analysis.promote}
        </button>
        <button
          type="button"
          class="button small"
          data-testid="remove-line"
          disabled={isStart}
          onClick={() => analysis.remove(at)}
        >
          {nodeAt(tree, at).children.length === 0 ? text.analysis.removeMove : text.analysis.removeLine}
        </button>
      </div>
    </section>
  );
}

interface LineProps {
  readonly analysis: Analysis;
  readonly plies: Readonly<Record<NodeId, ExploredPly>>;
  readonly at: NodeId;
  readonly moves: readonly ListedMove[];
}

function Line({ analysis, plies, at, moves }: LineProps): JSX.Element {
  return (
    <>
      {moves.map(({ node, round, continuesRound, sideLines }) => {
        const ply = plies[node];
        return (
          <Fragment key={node}>
            <span class="tree-ply">
              {round !== null && <span class="tree-round">{continuesRound ? `${round}…` : `${round}.`}</span>}
              <button
                type="button"
                class="tree-move"
                data-testid="tree-move"
                data-color={ply?.color}
                aria-current={node === at ? 'true' : undefined}
                onClick={() => analysis.goTo(node)}
              >
                {ply?.notation ?? nodeAt(analysis.tree.value, node).mv}
              </button>
            </span>
            {ply?.eliminated?.map(({ color, cause }) => (
              <span key={color} class="elimination" data-color={color}>
                {`${text.colors[color]}: ${text.shortCauses[cause]}`}
              </span>
            ))}
            {sideLines.map((side) => (
              <div key={side[0]?.node} class="tree-side" data-testid="tree-side">
                <Line analysis={analysis} plies={plies} at={at} moves={side} />
              </div>
            ))}
          </Fragment>
        );
      })}
    </>
  );
}
