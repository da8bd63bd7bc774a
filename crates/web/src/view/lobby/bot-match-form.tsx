import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BotChoice, BotSeat, Color, CreateTable, Variant } from '../../protocol/generated.ts';
import { choiceOfValue, botChoices, playsVariant, optionValue, DEFAULT_BOT } from '../../store/bot-choices.ts';
import { text } from '../../text/index.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';
import { goTo } from '../router.ts';
import { EMPTY_SEATS } from './table-choices.ts';

/** The variants that are offered against bots. */
const OFFERED_VARIANTS: readonly Variant[] = ['dilkel', 'classic'];

/**
 * The form that starts a match against bots at once. The seat is drawn by lot unless the user has
 * chosen one.
 */
export function BotMatchForm(): JSX.Element {
  const client = useClient();
  const bots = useBots();
  const [bot, setBot] = useState<BotChoice>(DEFAULT_BOT);
  const [seat, setSeat] = useState<Color | null>(null);
  const [isBusy, setBusy] = useState(false);

  const startMatch = async (variant: Variant): Promise<void> => {
    setBusy(true);
    try {
      const { table } = await client.createTable(botTableRequest(variant, bot, seat));
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
      setBusy(false);
    }
  };
  const choices = botChoices(bots);

  return (
    <div class="bot-game" role="group" aria-label={text.bots.against}>
      <span class="bot-game-label">{text.bots.against}</span>
      <label class="bot-game-choice">
        <span>{text.bots.level}</span>
        <select
          class="input"
          data-testid="bots-level"
          value={optionValue(bot)}
          onChange={(event) => setBot(choiceOfValue(choices, event.currentTarget.value) ?? DEFAULT_BOT)}
        >
          {choices.map((choice) => (
            <option key={optionValue(choice)} value={optionValue(choice)}>
              {text.bots.choice(choice)}
            </option>
          ))}
        </select>
      </label>
      <label class="bot-game-choice">
        <span>{text.bots.seat}</span>
        <select
          class="input"
          data-testid="bots-seat"
          value={seat ?? 'lot'}
          onChange={({ currentTarget: { value } }) => setSeat(value === 'lot' ? null : (value as Color))}
        >
          <option value="lot">{text.bots.byLot}</option>
          {OFFERED_VARIANTS.map((variant) => (
            <optgroup key={variant} label={text.variants[variant].name}>
              {EMPTY_SEATS[variant].map(({ color }) => (
                <option key={color} value={color}>
                  {text.colors[color]}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {OFFERED_VARIANTS.map((variant) => (
        <button
          key={variant}
          type="button"
          class="button"
          data-testid={`bots-${variant}`}
          aria-label={text.bots.play(variant)}
          disabled={isBusy || !playsVariant(bots, bot, variant) || !hasSeat(variant, seat)}
          onClick={() => void startMatch(variant)}
        >
          {text.variants[variant].name}
        </button>
      ))}
    </div>
  );
}

/** Returns whether a variant has the chosen seat, if one is chosen. */
function hasSeat(variant: Variant, seat: Color | null): boolean {
  return seat === null || EMPTY_SEATS[variant].some(({ color }) => color === seat);
}

/**
 * Returns the request for a private table against bots, with the user's seat chosen or drawn by
 * lot.
 */
export function botTableRequest(variant: Variant, bot: BotChoice, seat: Color | null): CreateTable {
  const own = seat ?? EMPTY_SEATS[variant][0]?.color;
  const others = EMPTY_SEATS[variant].filter(({ color }) => color !== own);
  const bots = others.map(({ color }): BotSeat => (seat === null ? { bot } : { seat: color, bot }));
  return {
    variant,
    privacy: 'private',
    ...(own === undefined ? {} : { seat: own }),
    seating: seat === null ? 'drawn' : 'chosen',
    absence: 'wait',
    bots,
  };
}
