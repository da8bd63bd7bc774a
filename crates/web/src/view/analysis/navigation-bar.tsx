import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parentOf, mainChild } from '../../store/analysis/line-tree.ts';
import type { Analysis } from '../../store/analysis/analysis.ts';
import { text } from '../../text/index.ts';
import { BarButton } from '../table/board-bar.tsx';

const STEP_KEYS: Readonly<Record<string, 'forward' | 'back' | 'start' | 'end'>> = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  Home: 'start',
  End: 'end',
};
/** Elements that handle the navigation keys themselves. */
const ELEMENTS_WITH_KEYS = 'input:not([type="checkbox"]), textarea, select, dialog, [role="grid"], [role="dialog"], .tree-moves:focus';

/** The buttons and keys that step through the moves. */
export function NavigationBar({ analysis, onTurn }: { analysis: Analysis; onTurn: () => void }): JSX.Element {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if ((target?.closest(ELEMENTS_WITH_KEYS) ?? null) !== null) return;
      const direction = STEP_KEYS[event.key];
      if (direction === undefined && event.key !== 'f') return;
      if (direction === undefined) onTurn();
      else analysis.step(direction);
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [analysis, onTurn]);
  const [tree, at] = [analysis.tree.value, analysis.currentNode.value];
  const [atStart, atEnd] = [parentOf(tree, at) === null, mainChild(tree, at) === null];
  return (
    <div class="board-bar" role="toolbar" aria-label={text.analysis.navigation}>
      <BarButton name="first" testId="walk-start" disabled={atStart} onClick={() => analysis.step('start')} />
      <BarButton name="back" testId="walk-back" disabled={atStart} onClick={() => analysis.step('back')} />
      <BarButton name="forward" testId="walk-on" disabled={atEnd} onClick={() => analysis.step('forward')} />
      <BarButton name="live" testId="walk-end" label={text.analysis.toEnd} disabled={atEnd} onClick={() => analysis.step('end')} />
      <span class="board-bar-gap" />
      <BarButton name="turn" testId="turn-board" onClick={onTurn} />
    </div>
  );
}
