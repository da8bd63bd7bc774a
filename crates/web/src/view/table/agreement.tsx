import type { JSX } from 'preact';
import type { Color } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

interface AgreementProps {
  /** Colors whose consent is needed. */
  readonly asked: readonly Color[];
  readonly agreed: readonly Color[];
}

/** Shows who has given consent and whose is missing, in their colors. */
export function Agreement({ asked, agreed }: AgreementProps): JSX.Element {
  const waits = text.request.waits(asked.filter((color) => !agreed.includes(color)));
  return (
    <span class="agreement" role="img" aria-label={waits} title={waits}>
      {asked.map((color) => (
        <span key={color} class="agreement-chip" data-color={color} data-agreed={agreed.includes(color)} />
      ))}
    </span>
  );
}
