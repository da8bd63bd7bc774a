import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

type Does = keyof typeof text.keys.does;
type Name = keyof typeof text.keys.names;
/** Keys by what is written on them, or by name where that is another in each language. */
type Row = readonly [keys: readonly (Name | '←' | '→' | '↑' | '↓' | 'f' | 'b' | 'x' | '/' | '?' | 'Alt' | 'Esc')[], does: Does];

const PAGE: readonly Row[] = [
  [['←', '→'], 'step'],
  [['home', 'end'], 'ends'],
  [['space'], 'play'],
  [['f'], 'turn'],
  [['/'], 'input'],
  [['b'], 'board'],
  [['?'], 'help'],
];
const BOARD: readonly Row[] = [
  [['←', '→', '↑', '↓'], 'walk'],
  [['home', 'end'], 'row'],
  [['enter'], 'press'],
  [['Esc'], 'back'],
  [['x'], 'arrow'],
  [['shift', 'Alt', 'x'], 'brush'],
  [['remove'], 'wipe'],
];
const MOUSE: readonly Row[] = [
  [['right'], 'draw'],
  [['shift', 'Alt'], 'brush'],
  [['left'], 'wipe'],
];

/** Says what the keys do. */
export function KeysHelp({ onClose }: { onClose: () => void }): JSX.Element {
  const { keys } = text;
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <div class="keys-help" data-testid="keys-help">
        <Keys title={keys.onPage} rows={PAGE} />
        <section>
          <h3>{text.keys.typed}</h3>
          <ul class="keys-commands">
            {Object.values(text.queries.examples).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </section>
        <Keys title={keys.onBoard} rows={BOARD} />
        <Keys title={keys.pointer} rows={MOUSE} />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly Row[] }): JSX.Element {
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
            <dd>{text.keys.does[does]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
