import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExploreSetup } from '../../protocol/generated.ts';
import { VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';

interface SourceProps {
  /** Begins anew. Says whether the server could read it. */
  readonly onBegin: (setup: ExploreSetup) => Promise<boolean>;
  /** Error of the last text. */
  readonly wrong: string | null;
  readonly busy: boolean;
}

/** The starts of an analysis: the initial position, or a text that is pasted, dropped or opened. */
export function Source({ onBegin, wrong, busy }: SourceProps): JSX.Element {
  const [pasted, setPasted] = useState('');
  const [over, setOver] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  const read = async (words: string): Promise<void> => {
    setPasted(words);
    if (words.trim() === '') return;
    setTried(words);
    if (await onBegin({ kind: 'text', text: words })) setTried(null);
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) await read(await file.text());
  };
  const isWrong = wrong !== null && tried === pasted && tried !== null;
  return (
    <section class="card source" aria-label={text.analysis.source}>
      <h2>{text.analysis.source}</h2>
      <div class="buttons">
        {VARIANTS.map((variant) => (
          <button
            key={variant}
            type="button"
            class="button small"
            data-testid={`begin-${variant}`}
            onClick={() => {
              setTried(null);
              void onBegin({ kind: 'start', variant });
            }}
          >
            {text.variants[variant].name}
          </button>
        ))}
      </div>
      <form
        class="paste"
        data-over={over}
        onSubmit={(event) => {
          event.preventDefault();
          void read(pasted);
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          setOver(false);
          if (file === undefined) return;
          event.preventDefault();
          void take(file);
        }}
      >
        <label class="paste-label" for="paste">
          {text.analysis.paste}
        </label>
        <textarea
          id="paste"
          class="input"
          data-testid="paste"
          rows={4}
          spellcheck={false}
          placeholder={text.analysis.pasteHint}
          value={pasted}
          aria-invalid={isWrong}
          aria-describedby="paste-wrong"
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
        <p id="paste-wrong" class="field-error" role="alert" data-testid="paste-wrong">
          {isWrong ? wrong : ''}
        </p>
        <div class="buttons">
          <button type="submit" class="button primary" data-testid="read" disabled={busy || pasted.trim() === ''}>
            {text.analysis.read}
          </button>
          <label class="button file-button">
            <input
              type="file"
              class="visually-hidden"
              data-testid="open-file"
              accept=".pgn,.pgn4,.fen,.fen4,.txt,text/plain"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
            {text.analysis.openFile}
          </label>
        </div>
      </form>
    </section>
  );
}
