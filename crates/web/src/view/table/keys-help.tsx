import type { JSX } from 'preact';
import type { Variant } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { openRules } from '../rules/rules-dialog.tsx';

type KeyAction = keyof typeof text.keys.effects;
type KeyName = keyof typeof text.keys.names;
/** Keys by the characters on them, or by a name that is translated. */
type KeyRow = readonly [keys: readonly (KeyName | '←' | '→' | '↑' | '↓' | 'f' | 'b' | 'z' | 'x' | '/' | '?' | 'Alt' | 'Esc')[], does: KeyAction];

const PAGE_KEYS: readonly KeyRow[] = [
  [['←', '→'], 'step'],
  [['home', 'end'], 'ends'],
  [['space'], 'play'],
  [['f'], 'turn'],
  [['z', 'Esc'], 'zen'],
  [['/'], 'input'],
  [['b'], 'board'],
  [['?'], 'help'],
];
const BOARD_KEYS: readonly KeyRow[] = [
  [['←', '→', '↑', '↓'], 'walk'],
  [['home', 'end'], 'row'],
  [['enter'], 'press'],
  [['Esc'], 'back'],
  [['x'], 'arrow'],
  [['shift', 'Alt', 'x'], 'brush'],
  [['remove'], 'wipe'],
];
const MOUSE_KEYS: readonly KeyRow[] = [
  [['right'], 'draw'],
  [['shift', 'Alt'], 'brush'],
  [['left'], 'wipe'],
];

/** The dialog that explains the keys. */
export function KeysHelp({ variant, onClose }: { variant: Variant; onClose: () => void }): JSX.Element {
  const { keys } = text;
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <div class="keys-help" data-testid="keys-help">
        <button
          type="button"
          class="button"
          data-testid="help-rules"
          onClick={() => {
            onClose();
            openRules();
          }}
        >
          {text.table.rules(variant)}
        </button>
        <KeyTable title={keys.onPage} rows={PAGE_KEYS} />
        <section>
          <h3>{text.keys.typed}</h3>
          <ul class="keys-commands">
            {Object.values(text.queries.examples).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </section>
        <KeyTable title={keys.onBoard} rows={BOARD_KEYS} />
        <KeyTable title={keys.pointer} rows={MOUSE_KEYS} />
      </div>
    </Dialog>
  );
}

function KeyTable({ title, rows }: { title: string; rows: readonly KeyRow[] }): JSX.Element {
  const names: Readonly<Partial<Record<string, string>>> = text.keys.names;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, does]) => (
          <div key={keys.join('')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{names[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{text.keys.effects[does]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
