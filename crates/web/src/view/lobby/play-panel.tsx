import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BotChoice, BotSeat, Color, CreateTable, Variant } from '../../protocol/generated.ts';
import { botChoices, choiceOfValue, storeLastBot, lastBot, optionValue, playsVariant } from '../../store/bot-choices.ts';
import { createOpenInvite } from '../../store/invite-links.ts';
import { DEFAULT_VARIANT, VARIANTS } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { useBots } from '../bots.ts';
import { useClient } from '../context.ts';
import { useQuickJoin } from '../quick-join.ts';
import { goTo } from '../router.ts';
import { VariantEmblem } from '../variant-emblem.tsx';
import { lastChoices } from './last-choices.ts';
import { RatedQuickJoin } from './rated-quick-join.tsx';
import { createTableRequest, DEFAULT_CHOICES, EMPTY_SEATS, withPrivacy, withVariant, type TableChoices } from './table-choices.ts';

/** The name under which the browser stores the chosen game. */
const GAME_KEY = 'quadrex.game';

/**
 * The choices for a new game: against the computer, with friends, or with anybody who is online.
 * `children` come after the first choice.
 */
export function PlayPanel({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const client = useClient();
  const quick = useQuickJoin();
  const [variant, setVariant] = useState(() => storedVariant(client.persistence.get(GAME_KEY)));
  const [seat, setSeat] = useState<Color | null>(null);
  const [isBusy, setBusy] = useState(false);
  const bots = useBots();
  const choices = botChoices(bots);
  const [chosenBot, setBot] = useState<BotChoice | null>(null);
  const bot = chosenBot ?? lastBot(client.persistence, choices);
  const seats = EMPTY_SEATS[variant];

  const chooseVariant = (chosen: Variant): void => {
    client.persistence.set(GAME_KEY, chosen);
    setVariant(chosen);
    if (!EMPTY_SEATS[chosen].some(({ color }) => color === seat)) setSeat(null);
  };
  const startTable = async (request: CreateTable): Promise<void> => {
    setBusy(true);
    try {
      const { table } = await client.createTable(request);
      if (request.bots === undefined) {
        // The invite is created now, so that it is ready when the table is shown. If that fails,
        // the table offers to create one.
        await createOpenInvite(client.api, table).catch((error: unknown) => client.report(error));
      } else {
        storeLastBot(client.persistence, bot);
      }
      goTo(`/t/${table}`);
    } catch (error) {
      client.report(error);
      setBusy(false);
    }
  };

  return (
    <>
      <div class="play-panel" data-choice="computer">
        <fieldset class="game-choice">
          <legend class="visually-hidden">{text.playPanel.game}</legend>
          {VARIANTS.map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="game"
                class="visually-hidden"
                data-testid={`game-${option}`}
                checked={option === variant}
                onChange={() => chooseVariant(option)}
              />
              <VariantEmblem variant={option} />
              <span class="game-name">{text.variants[option].name}</span>
              <span class="game-players">{text.playPanel.players(EMPTY_SEATS[option].length)}</span>
            </label>
          ))}
        </fieldset>
        <button
          type="button"
          class="play-way play-computer"
          data-testid={`bots-${variant}`}
          disabled={isBusy || !playsVariant(bots, bot, variant)}
          onClick={() => void startTable(botTableRequest(variant, bot, seat))}
        >
          <span class="play-name">{text.playPanel.computer}</span>
          <span class="play-hint">{text.playPanel.computerHint}</span>
        </button>
        <div class="play-options">
          <label>
            <span>{text.bots.level}</span>
            <select
              class="input"
              data-testid="bots-level"
              value={optionValue(bot)}
              onChange={(event) => setBot(choiceOfValue(choices, event.currentTarget.value))}
            >
              {choices.map((choice) => (
                <option key={optionValue(choice)} value={optionValue(choice)}>
                  {text.bots.choice(choice)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>{text.bots.ownColor}</span>
            <select
              class="input"
              data-testid="bots-seat"
              value={seat ?? 'lot'}
              onChange={({ currentTarget: { value } }) => setSeat(value === 'lot' ? null : (value as Color))}
            >
              <option value="lot">{text.bots.randomSeat}</option>
              {seats.map(({ color }) => (
                <option key={color} value={color}>
                  {text.colors[color]}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      {children}
      <div class="play-panel" data-choice="people">
        <button type="button" class="play-way" data-testid="with-friends" disabled={isBusy} onClick={() => void startTable(friendsTableRequest(withVariant(lastChoices(client.persistence), variant)))}>
          <span class="play-name">{text.playPanel.friends}</span>
          <span class="play-hint">{text.playPanel.friendsHint}</span>
        </button>
        <button
          type="button"
          class="play-way"
          data-testid={`quick-${variant}`}
          disabled={isBusy || quick.busy}
          onClick={() => void quick.join({ variant })}
        >
          <span class="play-name">{text.playPanel.people}</span>
          <span class="play-hint">{text.playPanel.peopleHint}</span>
        </button>
        <RatedQuickJoin variant={variant} isBusy={isBusy || quick.busy} />
      </div>
    </>
  );
}

function storedVariant(stored: string | null): Variant {
  return VARIANTS.find((variant) => variant === stored) ?? DEFAULT_VARIANT;
}

/** Returns the request for a private table for friends, with the clocks of the last table. */
function friendsTableRequest(choices: TableChoices): CreateTable {
  const { variant, clock, base_minutes, extra_seconds, days } = choices;
  return createTableRequest({ ...withPrivacy(DEFAULT_CHOICES, 'private'), variant, clock, base_minutes, extra_seconds, days });
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
