import { Fragment, type JSX } from 'preact';
import type { Cause } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

/** Returns the final place of a player and the reason of the elimination, as the note of a plate. */
export function placeNote(place: number, cause: Cause | undefined): readonly string[] {
  return cause === undefined ? [text.place(place)] : [text.place(place), text.causes[cause]];
}

/**
 * The text of a plate's note. Its parts are in one line with dots between them, or in lines of their
 * own where the plate is small.
 */
export function PlateNoteText({ note }: { note: readonly string[] }): JSX.Element {
  return (
    <span class="plate-note-text">
      {note.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && <span class="plate-note-dot"> · </span>}
          <span class="plate-note-part">{part}</span>
        </Fragment>
      ))}
    </span>
  );
}
