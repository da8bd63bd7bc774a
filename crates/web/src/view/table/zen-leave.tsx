import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { BoardIcon } from '../icons.tsx';
import type { Zen } from './use-zen.ts';

/** The button that ends the zen mode. It is visible as long as the mode is on. */
export function ZenLeave({ zen }: { zen: Zen }): JSX.Element | null {
  if (!zen.isOn) return null;
  return (
    <button type="button" class="zen-leave" aria-label={text.zen.leave} title={`${text.zen.leave} (Esc)`} data-testid="zen-leave" onClick={zen.toggle}>
      <BoardIcon name="zenLeave" />
      <span class="zen-leave-text">{text.zen.leave}</span>
    </button>
  );
}
