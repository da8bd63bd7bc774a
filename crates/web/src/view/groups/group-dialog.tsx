import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupView, GroupVisibility } from '../../protocol/generated.ts';
import { errorText } from '../../text/error-text.ts';
import { text } from '../../text/index.ts';
import { PlainField } from '../account/plain-field.tsx';
import { Dialog } from '../dialog.tsx';
import { Choice, Option } from '../fields.tsx';
import { useSubmission } from '../use-submission.ts';

/** The longest name and description, in characters (docs/PROTOCOL.md, "Groups"). */
const MAX_NAME = 40;
const MAX_TEXT = 500;

/** The content of the dialog. */
interface GroupForm {
  readonly name: string;
  readonly text: string;
  readonly visibility: GroupVisibility;
}

interface GroupDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  /** The group that is changed. */
  readonly group?: GroupView;
  readonly save: (group: { name: string; text?: string; visibility: GroupVisibility }) => Promise<GroupView>;
  readonly onSaved: (group: GroupView) => void;
  readonly onClose: () => void;
}

/** The dialog with the name, the description and the visibility of a group. */
export function GroupDialog({ title, submitLabel, group, save, onSaved, onClose }: GroupDialogProps): JSX.Element {
  const words = text.groups;
  const [typed, setTyped] = useState<GroupForm>({ name: group?.name ?? '', text: group?.text ?? '', visibility: group?.visibility ?? 'private' });
  const set = (change: Partial<GroupForm>): void => setTyped({ ...typed, ...change });
  const { form, isBusy, error, clear, submit } = useSubmission();
  const send = async (): Promise<void> => {
    const description = typed.text.trim();
    // An empty description removes the one of an existing group.
    const saved = await save({ name: typed.name.trim(), visibility: typed.visibility, ...(description === '' && group === undefined ? {} : { text: description }) });
    onClose();
    onSaved(saved);
  };
  const problem = error === null ? null : errorText(error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} class="form" data-testid="group-form" onSubmit={(event) => submit(event, send)} onInput={clear}>
        <PlainField name="group-name" label={words.name} hint={words.nameHint} error={problem}>
          <input
            id="set-group-name"
            class="input"
            data-testid="group-name-input"
            autocomplete="off"
            required
            maxLength={MAX_NAME}
            value={typed.name}
            aria-invalid={problem !== null}
            aria-describedby="wrong-group-name hint-group-name"
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        </PlainField>
        <div class="field">
          <label for="set-group-text">{words.description}</label>
          <textarea id="set-group-text" class="input" data-testid="group-text-input" rows={3} maxLength={MAX_TEXT} value={typed.text} onInput={(event) => set({ text: event.currentTarget.value })} />
        </div>
        <Choice legend={words.visibility} columns={2}>
          <Option group="visibility" value="private" checked={typed.visibility === 'private'} onPick={() => set({ visibility: 'private' })}>
            <span>{words.private}</span>
            <small>{words.privateHint}</small>
          </Option>
          <Option group="visibility" value="public" checked={typed.visibility === 'public'} onPick={() => set({ visibility: 'public' })}>
            <span>{words.public}</span>
            <small>{words.publicHint}</small>
          </Option>
        </Choice>
        <div class="buttons align-end">
          <button type="button" class="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="group-save" disabled={isBusy}>
            {submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
