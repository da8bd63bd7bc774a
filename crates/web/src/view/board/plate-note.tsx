import type { JSX } from 'preact';
import type { Cause } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

/** Returns the final place of a player and the reason of the elimination, as the note of a plate. */
export function placeNote(place: number, cause: Cause | undefined): readonly string[] {
  return cause === undefined ? [text.place(place)] : [text.place(place), text.causes[cause]];
}

/**
 * Returns the text of a plate's note. Its parts are in one line with dots between them, or in lines of
 * their own where the plate is small. It is no component, because each move renders all plates.
 */
export function plateNoteText(note: readonly string[]): JSX.Element {
  return (
    <span class="plate-note-text">
      {note.flatMap((part, index) => [
        index > 0 && (
          <span key={`${part} dot`} class="plate-note-dot">
            {' · '}
          </span>
        ),
        <span key={part} class="plate-note-part">
          {part}
        </span>,
      ])}
    </span>
  );
}
