import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExploreSetup } from '../../protocol/generated.ts';
import { VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';

/** The reason why a text was refused. */
export interface SourceProblem {
  readonly summary: string;
  /** The server's message, if it says more than the summary. */
  readonly details: string | null;
}

interface SourceProps {
  /** Begins a new analysis. Returns whether the server could read the setup. */
  readonly onBegin: (setup: ExploreSetup) => Promise<boolean>;
  /** The problem with the last text. */
  readonly problem: SourceProblem | null;
  readonly isBusy: boolean;
}

/**
 * The form that begins an analysis, from an initial position or from a pasted, dropped or opened
 * text.
 */
export function AnalysisSource({ onBegin, problem, isBusy }: SourceProps): JSX.Element {
  const [pasted, setPasted] = useState('');
  const [isDraggedOver, setDraggedOver] = useState(false);
  const [failedText, setFailedText] = useState<string | null>(null);
  const read = async (words: string): Promise<void> => {
    setPasted(words);
    if (words.trim() === '') return;
    setFailedText(words);
    if (await onBegin({ kind: 'text', text: words })) setFailedText(null);
  };
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) await read(await file.text());
  };
  const shown = failedText === pasted ? problem : null;
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
              setFailedText(null);
              void onBegin({ kind: 'start', variant });
            }}
          >
            {text.variants[variant].name}
          </button>
        ))}
      </div>
      <form
        class="paste"
        data-over={isDraggedOver}
        onSubmit={(event) => {
          event.preventDefault();
          void read(pasted);
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setDraggedOver(true);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          setDraggedOver(false);
          if (file === undefined) return;
          event.preventDefault();
          void readFile(file);
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
          aria-invalid={shown !== null}
          aria-describedby="paste-wrong"
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
        <p id="paste-wrong" class="field-error" role="alert" data-testid="paste-wrong">
          {shown?.summary}
        </p>
        {typeof shown?.details === 'string' && (
          <details class="quiet" data-testid="paste-details">
            <summary>{text.analysis.details}</summary>
            <p lang="en" dir="auto">
              {shown.details}
            </p>
          </details>
        )}
        <div class="buttons">
          <button type="submit" class="button primary" data-testid="read" disabled={isBusy || pasted.trim() === ''}>
            {text.analysis.load}
          </button>
          <label class="button file-button">
            <input
              type="file"
              class="visually-hidden"
              data-testid="open-file"
              accept=".pgn,.pgn4,.fen,.fen4,.txt,text/plain"
              onChange={(event) => void readFile(event.currentTarget.files?.[0])}
            />
            {text.analysis.openFile}
          </label>
        </div>
      </form>
    </section>
  );
}
