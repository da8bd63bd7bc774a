import type { JSX } from 'preact';
import { text } from '../../text/index.ts';
import { FieldError, SelectField } from '../fields.tsx';
import { messageFor, type FieldProblem } from './field-problem.ts';
import { RATING_LIMITS, withMaxRating, withMinRating } from './rated-tables.ts';
import type { TableChoices } from './table-choices.ts';

/** The value of an option without a limit. */
const ANY = 'any';

interface RatingRangeChoiceProps {
  readonly choices: TableChoices;
  readonly error: FieldProblem | null;
  readonly onChange: (choices: TableChoices) => void;
}

/** The limits of the ratings of the players at a rated table. */
export function RatingRangeChoice({ choices, error, onChange }: RatingRangeChoiceProps): JSX.Element {
  const words = text.newTableDialog;
  const options = [[ANY, words.anyRating] as const, ...RATING_LIMITS.map((limit) => [String(limit), String(limit)] as const)];
  const limitOf = (value: string): number | null => (value === ANY ? null : Number(value));
  return (
    <div class="rating-range">
      <SelectField
        label={words.minRating}
        name="min-rating"
        value={String(choices.min_rating ?? ANY)}
        options={options}
        error={null}
        onChange={(value) => onChange(withMinRating(choices, limitOf(value)))}
      />
      <SelectField
        label={words.maxRating}
        name="max-rating"
        value={String(choices.max_rating ?? ANY)}
        options={options}
        error={null}
        onChange={(value) => onChange(withMaxRating(choices, limitOf(value)))}
      />
      <FieldError name="rating_range" error={messageFor(error, 'rating_range')} />
    </div>
  );
}
