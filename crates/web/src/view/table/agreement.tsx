import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

interface AgreementProps {
  /** The colors whose consent is needed. */
  readonly asked: readonly Color[];
  readonly agreed: readonly Color[];
}

/** A row of colors that shows which players have agreed. */
export function Agreement({ asked, agreed }: AgreementProps): JSX.Element {
  const missing = text.request.waits(asked.filter((color) => !agreed.includes(color)));
  return (
    <span class="agreement" role="img" aria-label={missing} title={missing}>
      {asked.map((color) => (
        <span key={color} class="agreement-chip" data-color={color} data-agreed={agreed.includes(color)} />
      ))}
    </span>
  );
}
