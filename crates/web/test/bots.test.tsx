import type { JSX } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { BotList, CreateTable, Variant } from '../src/protocol/generated.ts';
import { BUILT_IN_BOTS, choiceOfValue, botChoicesFor, botChoices, optionValue } from '../src/store/bot-choices.ts';
import { BotMatchForm, botTableRequest } from '../src/view/lobby/bot-match-form.tsx';
import { NewTableDialog } from '../src/view/lobby/new-table-dialog.tsx';
import { settled } from './support/explorer.ts';
import { ScriptedMatch } from './support/match.ts';
import { click, closePage, hook, isThere, openTable, show } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

/** A server with an engine that plays classic chess alone, at several strengths, and one of a single strength for four. */
const OFFERED: BotList = {
  levels: BUILT_IN_BOTS.levels,
  engines: [
    { engine: 'stockfish', variants: ['classic'], elo: { min: 1_320, max: 3_190 } },
    { engine: '3', variants: ['dilkel', 'classic'] },
  ],
};

/** The requests that a component sends. */
async function asks(element: JSX.Element, bots: () => Promise<BotList> = () => Promise.resolve(OFFERED)): Promise<CreateTable[]> {
  const asked: CreateTable[] = [];
  const createTable = (body: CreateTable): Promise<never> => {
    asked.push(body);
    return new Promise(() => undefined);
  };
  const { client } = onlineClient({ bots, createTable });
  show(client, element);
  await act(settled);
  return asked;
}

function choose(name: string, value: string): void {
  const select = hook<HTMLSelectElement>(name);
  act(() => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

const words = (name: string): string[] => [...hook<HTMLSelectElement>(name).options].map(({ textContent }) => textContent ?? '');
const isOff = (name: string): boolean => hook<HTMLButtonElement>(name).disabled;

afterEach(closePage);

describe('the bots one can choose', () => {
  it('are the levels, and other engines at strengths between their lowest and their highest', () => {
    const engines = botChoices(OFFERED).filter(({ kind }) => kind === 'engine');
    expect(engines.map(optionValue)).toEqual([
      '@stockfish 1320', '@stockfish 1500', '@stockfish 1800', '@stockfish 2100', '@stockfish 2400', '@stockfish 2700',
      '@stockfish 3000', '@stockfish 3190', '@stockfish', '@3',
    ]);
    expect(botChoicesFor(OFFERED, 'dilkel').map(optionValue)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '@3']);
  });

  it('are found again by their words, an engine that is called like a level too', () => {
    const choices = botChoices(OFFERED);
    expect(choices.map((choice) => choiceOfValue(choices, optionValue(choice)))).toEqual(choices);
    expect(choiceOfValue(choices, '3')).toEqual({ kind: 'built_in', level: 3 });
    expect(choiceOfValue(choices, '@nobody')).toBeNull();
  });

  it.each([{ min: 1_500, max: 1_500 }, { min: 1_400, max: 1_600 }, { min: 0, max: 100 }])('of a narrow range are its ends: %o', (elo) => {
    const list: BotList = { levels: [], engines: [{ engine: 'e', variants: ['classic'], elo }] };
    expect(botChoices(list).map(optionValue)).toEqual([...new Set([`@e ${elo.min}`, `@e ${elo.max}`]), '@e']);
  });
});

describe('a match against bots by one press', () => {
  it('is as it always was unless something is chosen', async () => {
    const asked = await asks(<BotMatchForm />);
    click(hook('bots-dilkel'));
    const bot = { kind: 'built_in', level: 3 };
    expect(asked).toEqual([
      { variant: 'dilkel', privacy: 'private', seat: 'red', seating: 'drawn', absence: 'wait', bots: [{ bot }, { bot }, { bot }] },
    ]);
  });

  it('is played from the seat one chooses, in the game that has it', async () => {
    const asked = await asks(<BotMatchForm />);
    choose('bots-seat', 'black');
    expect([isOff('bots-dilkel'), isOff('bots-classic')]).toEqual([true, false]);
    click(hook('bots-classic'));
    expect(asked[0]).toMatchObject({ seat: 'black', seating: 'chosen', bots: [{ seat: 'white', bot: { kind: 'built_in', level: 3 } }] });
    expect(botTableRequest('dilkel', { kind: 'built_in', level: 1 }, 'yellow').bots?.map(({ seat }) => seat)).toEqual(['red', 'blue', 'green']);
  });

  it('may be against another engine, in the games that it plays', async () => {
    const asked = await asks(<BotMatchForm />);
    expect(words('bots-level')).toContain('stockfish, full strength');
    choose('bots-level', '@stockfish 1500');
    expect([isOff('bots-dilkel'), isOff('bots-classic')]).toEqual([true, false]);
    click(hook('bots-classic'));
    expect(asked[0]?.bots).toEqual([{ bot: { kind: 'engine', engine: 'stockfish', elo: 1_500 } }]);
  });

  it('has the server’s own levels where the server does not say what there is', async () => {
    await asks(<BotMatchForm />, () => Promise.reject(new TypeError('no line')));
    expect(words('bots-level')).toHaveLength(8);
  });
});

describe('other engines at a new table', () => {
  it('are offered for the games they play, and make room for people in others', async () => {
    const asked = await asks(<NewTableDialog onClose={() => undefined} />);
    expect(words('set-bots').join()).not.toContain('stockfish');
    click(hook('choose-variant-classic'));
    choose('set-bots', '@stockfish');
    click(hook('choose-variant-dilkel'));
    expect(hook<HTMLSelectElement>('set-bots').value).toBe('none');
    choose('set-bots', '@3');
    click(hook('choose-variant-classic'));
    expect(hook<HTMLSelectElement>('set-bots').value).toBe('@3');
    await act(async () => {
      document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
      await settled();
    });
    expect(asked[0]?.bots).toEqual([{ seat: 'black', bot: { kind: 'engine', engine: '3' } }]);
  });
});

describe('a seat at a table', () => {
  it.each([
    ['classic', { white: 'Ada', black: null }, 'black', true],
    ['dilkel', { red: 'Ada', blue: null, yellow: null, green: null }, 'blue', false],
  ] as const)('of %s is offered to the engines that play it', async (variant: Variant, held, seat, plays) => {
    const socket = openTable(new ScriptedMatch(variant, held), variant === 'classic' ? 'white' : 'red', [], { bots: () => Promise.resolve(OFFERED) });
    click(hook(`add-bot-${seat}`));
    await act(settled);
    await act(settled);
    expect(isThere('bot-level-@stockfish 1500')).toBe(plays);
    click(hook('bot-level-@3'));
    expect(socket.ofKind('add_bot')).toMatchObject([{ seat, bot: { kind: 'engine', engine: '3' } }]);
  });
});
