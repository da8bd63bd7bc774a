import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { TypedForm } from '../typed-form.tsx';
import type { AnalysisInput } from './analysis-input.ts';

/** The text field that plays typed moves. */
export function AnalysisMoveInput({ input }: { input: AnalysisInput }): JSX.Element {
  return (
    <TypedForm
      id="try-input"
      label={text.play.input}
      hint={`${text.play.input}: ${text.play.hint}`}
      buttonLabel={text.play.submit}
      onSubmit={(typed) => input.playTyped(typed)}
    />
  );
}
