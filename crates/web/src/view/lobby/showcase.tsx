import type { ComponentChildren, JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TableSummary } from '../../protocol/generated.ts';
import type { LiveTables } from '../../store/live-tables.ts';
import { stateAtPly } from '../../store/state-at-ply.ts';
import type { TableState } from '../../store/table.ts';
import { text } from '../../text/index.ts';
import { headline } from '../../text/sentence.ts';
import { useClient } from '../context.ts';
import { useInViewport, useTabVisibility } from '../in-viewport.ts';
import { matchesMedia } from '../media.ts';
import { LivePicture, LiveSeat } from './live-board.tsx';
import { useLoop } from './use-loop.ts';
import type { Showcase } from './use-showcase.ts';

interface ShowcaseProps {
  readonly live: LiveTables;
  /** The match; `null` until one is chosen. */
  readonly showcase: Showcase | null;
}

/** The large board of the first page, with a running match of four players or the replay of one. */
export function ShowcaseBoard({ live, showcase }: ShowcaseProps): JSX.Element {
  if (showcase === null) return <Frame label={text.showcase.label} />;
  if (showcase.kind === 'live') return <LiveMatch live={live} summary={showcase.summary} />;
  return <Replay key={showcase.kind} kind={showcase.kind} state={showcase.state} />;
}

function LiveMatch({ live, summary }: { live: LiveTables; summary: TableSummary }): JSX.Element {
  const { table } = summary;
  const element = useRef<HTMLElement>(null);
  const isVisible = useInViewport(element);
  useEffect(() => (isVisible ? live.show(table) : undefined), [live, table, isVisible]);
  const state = live.storeOf(table).state.value;
  return (
    <Frame element={element} label={text.showcase.label} kind="live" table={table} state={state} href={`/t/${table}`}>
      <span class="showcase-tag" data-live>
        {text.showcase.live}
      </span>
    </Frame>
  );
}

function Replay({ kind, state }: { kind: 'recent' | 'demo'; state: TableState }): JSX.Element {
  const { motion } = useClient().preferences;
  const [isPlaying, setPlaying] = useState(() => motion.value !== 'off' && !matchesMedia('(prefers-reduced-motion: reduce)'));
  const [isTabVisible, setTabVisible] = useState(true);
  useTabVisibility(useCallback((isVisible: boolean) => setTabVisible(isVisible), []));
  const element = useRef<HTMLElement>(null);
  const isVisible = useInViewport(element);
  const ply = useLoop(state.plies.length, isPlaying && isTabVisible && isVisible);
  const shownState = useMemo(() => stateAtPly(state, ply), [state, ply]);
  const words = isPlaying ? text.showcase.pause : text.showcase.play;
  return (
    <Frame element={element} label={text.showcase.label} kind={kind} state={shownState} href={kind === 'recent' ? `/m/${state.match}` : undefined}>
      <span class="showcase-tag">{text.showcase[kind]}</span>
      <button type="button" class="showcase-pause" data-testid="showcase-pause" aria-label={words} title={words} onClick={() => setPlaying(!isPlaying)}>
        <span aria-hidden="true">{isPlaying ? '❚❚' : '▶'}</span>
      </button>
    </Frame>
  );
}

interface FrameProps {
  readonly label: string;
  readonly element?: { current: HTMLElement | null };
  readonly kind?: 'live' | 'recent' | 'demo';
  readonly table?: string;
  readonly state?: TableState | null;
  /** The page of the match. */
  readonly href?: string | undefined;
  readonly children?: ComponentChildren;
}

/**
 * The board with its caption. Its size does not depend on a match, so nothing moves when the match
 * is loaded.
 */
function Frame({ label, element, kind, table, state = null, href, children }: FrameProps): JSX.Element {
  const board = <span class="showcase-board">{state !== null && <LivePicture state={state} board={state.board} />}</span>;
  return (
    <section
      ref={element ?? null}
      class="showcase"
      aria-label={label}
      data-testid={kind === 'live' ? 'live' : 'showcase'}
      data-kind={kind}
      data-table={table}
      data-seq={state?.seq}
      data-ply={state?.plies.length}
    >
      {href === undefined ? (
        board
      ) : (
        <a class="showcase-link" href={href} aria-label={text.showcase.open}>
          {board}
        </a>
      )}
      <div class="showcase-caption">
        <span class="live-status" data-color={state?.state.turn}>
          {state === null ? '' : headline(state)}
        </span>
        {children}
      </div>
      <ul class="live-seats showcase-seats">
        {state?.seats.map((seat) => (
          <LiveSeat key={seat.color} seat={seat} state={state} />
        ))}
      </ul>
    </section>
  );
}
