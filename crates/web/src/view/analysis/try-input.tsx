import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { TypedForm } from '../typed-form.tsx';
import type { AnalysisInput } from './trying.ts';

/** Trying moves by typing them. */
export function AnalysisMoveInput({ trying }: { trying: AnalysisInput }): JSX.Element {
  return (
    <TypedForm
      id="try-input"
      label={text.play.input}
      hint={`${text.play.input}: ${text.play.hint}`}
      go={text.play.go}
      onType={(typed) => trying.playTyped(typed)}
    />
  );
}
