import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Color, ReserveView, Square } from '../../protocol/generated.ts';
import { roleOf, type PromotionLetter } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import type { Layout } from './geometry.ts';
import { PieceIcon } from './piece-icon.tsx';

/** The options and position of a promotion chooser. */
export interface PromotionProps {
  readonly layout: Layout;
  readonly color: Color;
  readonly to: Square;
  readonly choices: readonly PromotionLetter[];
  /** The player's reserve; `null` in a game without reserves. */
  readonly reserve: ReserveView | null;
  readonly onChoose: (letter: PromotionLetter) => void;
  readonly onCancel: () => void;
}

/** The pieces in the order of the chooser: the strongest first. */
const LETTERS: readonly PromotionLetter[] = ['q', 'r', 'b', 'n'];

/**
 * The chooser for the piece that a pawn promotes to. Only the promotions that the server allows can
 * be chosen. In a game with reserves the other pieces are also shown, with their number in the
 * reserve and the reason why they cannot be chosen.
 */
export function Promotion(props: PromotionProps): JSX.Element {
  const { layout, color, to, choices, reserve, onChoose, onCancel } = props;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector('button')?.focus(), []);
  const place = layout.positionOf(to) ?? { column: 0, row: 0 };
  const left_percent = ((place.column + 0.5) / layout.columns) * 100;
  const opensBelow = place.row < layout.rows / 2;
  const letters = reserve === null ? choices : LETTERS;
  const isLimited = letters.some((letter) => !choices.includes(letter));
  const offset_percent = ((opensBelow ? place.row + 1 : layout.rows - place.row) / layout.rows) * 100;

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') onCancel();
    else if (step !== undefined) shiftFocus(panel.current, step);
    else if (choices.includes(event.key as PromotionLetter)) onChoose(event.key as PromotionLetter);
    else return;
    event.preventDefault();
  };

  return (
    <div class="promotion" onClick={onCancel}>
      <div
        ref={panel}
        class="promotion-panel"
        role="dialog"
        aria-modal="true"
        aria-label={text.play.promote}
        aria-describedby={isLimited ? 'promotion-hint' : undefined}
        style={{ '--across': `${left_percent}%`, '--count': letters.length, [opensBelow ? 'top' : 'bottom']: `${offset_percent}%` }}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={onKeyDown}
      >
        {letters.map((letter) => {
          const role = roleOf(`-${letter.toUpperCase()}`) ?? 'Q';
          const left = reserveCount(reserve, letter);
          const isOffered = choices.includes(letter);
          return (
            <button
              key={letter}
              type="button"
              class="promotion-choice"
              data-testid={`promote-${letter}`}
              aria-label={isOffered ? text.play.promotion(role, left) : text.play.promotionNone(role)}
              aria-disabled={!isOffered}
              title={isOffered ? undefined : text.play.promotionNone(role)}
              onClick={() => (isOffered ? onChoose(letter) : undefined)}
            >
              <PieceIcon color={color} role={role} />
              {left !== null && <span class="promotion-left">{left}</span>}
            </button>
          );
        })}
        {isLimited && (
          <p id="promotion-hint" class="promotion-hint">
            {text.play.promotionHint}
          </p>
        )}
      </div>
    </div>
  );
}

function reserveCount(reserve: ReserveView | null, letter: PromotionLetter): number | null {
  if (reserve === null) return null;
  return { q: null, r: reserve.rooks, b: reserve.bishops, n: reserve.knights }[letter];
}

function shiftFocus(panel: HTMLElement | null, step: number): void {
  const buttons = [...(panel?.querySelectorAll('button') ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
