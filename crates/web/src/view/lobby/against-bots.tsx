import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BotSeat, CreateTable, Variant } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { LEVELS } from './levels.ts';
import { EMPTY_SEATS } from './table-choices.ts';

/** The games one press starts against bots. */
const GAMES: readonly Variant[] = ['dilkel', 'classic'];

/** How strong the bots are until something else is chosen. */
const USUAL_LEVEL = 3;

/** One press for a match against bots that starts at once; the lot says which seat is one's own. */
export function AgainstBots(): JSX.Element {
  const client = useClient();
  const [level, setLevel] = useState(USUAL_LEVEL);
  const [busy, setBusy] = useState(false);

  const play = async (variant: Variant): Promise<void> => {
    setBusy(true);
    try {
      const { table } = await client.createTable(tableAgainst(variant, level));
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
      setBusy(false);
    }
  };

  return (
    <div class="against-bots" role="group" aria-label={text.bots.against}>
      <span class="against-label">{text.bots.against}</span>
      <label class="against-level">
        <span>{text.bots.level}</span>
        <select
          class="input"
          data-testid="bots-level"
          value={level}
          onChange={(event) => setLevel(Number(event.currentTarget.value))}
        >
          {LEVELS.map((one) => (
            <option key={one} value={one}>
              {text.bots.levels(one)}
            </option>
          ))}
        </select>
      </label>
      {GAMES.map((variant) => (
        <button
          key={variant}
          type="button"
          class="button"
          data-testid={`bots-${variant}`}
          aria-label={text.bots.play(variant)}
          disabled={busy}
          onClick={() => void play(variant)}
        >
          {text.variants[variant].name}
        </button>
      ))}
    </div>
  );
}

/** A match of one's own against bots of a level, one's seat drawn by lot: it waits for nobody else. */
export function tableAgainst(variant: Variant, level: number): CreateTable {
  const [own, ...others] = EMPTY_SEATS[variant];
  const bots = others.map((): BotSeat => ({ bot: { kind: 'built_in', level } }));
  return { variant, privacy: 'private', ...(own === undefined ? {} : { seat: own.color }), seating: 'drawn', absence: 'wait', bots };
}
