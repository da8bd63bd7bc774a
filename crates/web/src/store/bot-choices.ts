import type { BotChoice, BotList, EloRange, EngineView, Variant } from '../protocol/generated.ts';

/** The bots of every server, until it has answered. */
export const BUILT_IN: BotList = { levels: [1, 2, 3, 4, 5, 6, 7, 8], engines: [] };

/** Strengths of an engine are offered in steps of so many points. */
const STEP = 300;
/** And none so near to its lowest or its highest. */
const APART = 150;

/** All bots that can be chosen: the levels of the server's own engine, and other engines at some strengths. */
export function choicesOf({ levels, engines }: BotList): readonly BotChoice[] {
  return [
    ...levels.map((level): BotChoice => ({ kind: 'built_in', level })),
    ...engines.flatMap(({ engine, elo }): BotChoice[] => [
      ...(elo === undefined ? [] : strengths(elo)).map((one): BotChoice => ({ kind: 'engine', engine, elo: one })),
      { kind: 'engine', engine },
    ]),
  ];
}

/** Returns whether a bot plays a variant. */
export function plays({ engines }: BotList, choice: BotChoice, variant: Variant): boolean {
  return choice.kind === 'built_in' || engineOf(engines, choice.engine)?.variants.includes(variant) === true;
}

/** The bots that play a variant. */
export function choicesFor(list: BotList, variant: Variant): readonly BotChoice[] {
  return choicesOf(list).filter((choice) => plays(list, choice, variant));
}

/** A word that stands for a choice in a field: the level, or the engine with its strength. Levels are numbers, so engines have a sign before them. */
export function wordOf(choice: BotChoice): string {
  if (choice.kind === 'built_in') return String(choice.level);
  return choice.elo === undefined ? `@${choice.engine}` : `@${choice.engine} ${choice.elo}`;
}

/** The choice that a word stands for, if it is one of these. */
export function choiceOf(choices: readonly BotChoice[], word: string): BotChoice | null {
  return choices.find((choice) => wordOf(choice) === word) ?? null;
}

function strengths({ min, max }: EloRange): number[] {
  const first = Math.ceil((min + APART) / STEP) * STEP;
  const between = Array.from({ length: Math.max(0, Math.ceil((max - APART - first) / STEP)) }, (_, index) => first + index * STEP);
  return [...new Set([min, ...between, max])];
}

function engineOf(engines: readonly EngineView[], name: string): EngineView | undefined {
  return engines.find(({ engine }) => engine === name);
}
