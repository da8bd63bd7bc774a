import type { Persistence } from './persistence.ts';
import type { BotChoice, BotList, EloRange, EngineView, Variant } from '../protocol/generated.ts';

/** The bot that is chosen until the user chooses another one. */
export const DEFAULT_BOT: BotChoice = { kind: 'built_in', level: 3 };
/** The bots that every server has. They are offered until the server has listed its own. */
export const BUILT_IN_BOTS: BotList = { levels: [1, 2, 3, 4, 5, 6, 7, 8], engines: [] };

/** The key under which the last choice is stored. */
const LAST_BOT = 'quadrex.bot';

/** The step between the offered strengths of an engine, in Elo points. */
const ELO_STEP = 300;
/**
 * The least distance between an offered strength and the engine's lowest or highest strength, in
 * Elo points.
 */
const MIN_ELO_GAP = 150;

/**
 * Returns all bots to choose from: the levels of the built-in engine, then each other engine at
 * several strengths and at full strength.
 */
export function botChoices({ levels, engines }: BotList): readonly BotChoice[] {
  return [
    ...levels.map((level): BotChoice => ({ kind: 'built_in', level })),
    ...engines.flatMap(({ engine, elo }): BotChoice[] => [
      ...(elo === undefined ? [] : eloChoices(elo)).map((one): BotChoice => ({ kind: 'engine', engine, elo: one })),
      { kind: 'engine', engine },
    ]),
  ];
}

/** Returns whether a bot plays a variant. */
export function playsVariant({ engines }: BotList, choice: BotChoice, variant: Variant): boolean {
  return choice.kind === 'built_in' || findEngine(engines, choice.engine)?.variants.includes(variant) === true;
}

/** Returns the bots that play a variant. */
export function botChoicesFor(list: BotList, variant: Variant): readonly BotChoice[] {
  return botChoices(list).filter((choice) => playsVariant(list, choice, variant));
}

/**
 * Returns the form value of a choice. It is the level of the built-in engine, or `@` and the name
 * of another engine, with its strength if the strength is limited. The sign `@` distinguishes an
 * engine from a level.
 */
export function optionValue(choice: BotChoice): string {
  if (choice.kind === 'built_in') return String(choice.level);
  return choice.elo === undefined ? `@${choice.engine}` : `@${choice.engine} ${choice.elo}`;
}

/** Returns the choice with this form value, or `null` if there is none. */
export function choiceOfValue(choices: readonly BotChoice[], value: string): BotChoice | null {
  return choices.find((choice) => optionValue(choice) === value) ?? null;
}

/**
 * Returns the bot that was chosen last in this browser, or a default bot if the last one is not
 * among the choices.
 */
export function lastBot(persistence: Persistence, choices: readonly BotChoice[]): BotChoice {
  return choiceOfValue(choices, persistence.get(LAST_BOT) ?? '') ?? DEFAULT_BOT;
}

/** Stores the chosen bot, so that it is preselected next time. */
export function storeLastBot(persistence: Persistence, bot: BotChoice): void {
  persistence.set(LAST_BOT, optionValue(bot));
}

function eloChoices({ min, max }: EloRange): number[] {
  const first = Math.ceil((min + MIN_ELO_GAP) / ELO_STEP) * ELO_STEP;
  const roundValues = Array.from({ length: Math.max(0, Math.ceil((max - MIN_ELO_GAP - first) / ELO_STEP)) }, (_, index) => first + index * ELO_STEP);
  return [...new Set([min, ...roundValues, max])];
}

function findEngine(engines: readonly EngineView[], name: string): EngineView | undefined {
  return engines.find(({ engine }) => engine === name);
}
