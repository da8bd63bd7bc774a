import type { JSX } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import type { BotList, CreateTable, Variant } from '../src/protocol/generated.ts';
import { BUILT_IN_BOTS, choiceOfValue, botChoicesFor, botChoices, optionValue } from '../src/store/bot-choices.ts';
import { botTableRequest, PlayPanel } from '../src/view/lobby/play-panel.tsx';
import { NewTableDialog } from '../src/view/lobby/new-table-dialog.tsx';
import { flushTasks } from './support/explorer.ts';
import { ScriptedMatch } from './support/match.ts';
import { click, closePage, byTestId, exists, renderTableAfterSnapshot, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

/**
 * A server with an engine for classic chess at several strengths, and one with a single strength
 * for four players.
 */
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
  renderPage(client, element);
  await act(flushTasks);
  return asked;
}

function choose(name: string, value: string): void {
  const select = byTestId<HTMLSelectElement>(name);
  act(() => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

const words = (name: string): string[] => [...byTestId<HTMLSelectElement>(name).options].map(({ textContent }) => textContent ?? '');
const isOff = (name: string): boolean => byTestId<HTMLButtonElement>(name).disabled;

afterEach(() => {
  closePage();
  localStorage.clear();
});

describe('the offered bots', () => {
  it('are the levels, and engines at strengths between their lowest and highest', () => {
    const engines = botChoices(OFFERED).filter(({ kind }) => kind === 'engine');
    expect(engines.map(optionValue)).toEqual([
      '@stockfish 1320', '@stockfish 1500', '@stockfish 1800', '@stockfish 2100', '@stockfish 2400', '@stockfish 2700',
      '@stockfish 3000', '@stockfish 3190', '@stockfish', '@3',
    ]);
    expect(botChoicesFor(OFFERED, 'dilkel').map(optionValue)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '@3']);
  });

  it('are found by their values, also an engine with a level’s name', () => {
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

describe('a match against bots with one click', () => {
  it('uses the defaults', async () => {
    const asked = await asks(<PlayPanel />);
    click(byTestId('bots-dilkel'));
    const bot = { kind: 'built_in', level: 3 };
    expect(asked).toEqual([
      { variant: 'dilkel', privacy: 'private', seat: 'red', seating: 'drawn', absence: 'wait', bots: [{ bot }, { bot }, { bot }] },
    ]);
  });

  it('is played from the chosen seat, in the variant that has it', async () => {
    const asked = await asks(<PlayPanel />);
    click(byTestId('game-classic'));
    choose('bots-seat', 'black');
    click(byTestId('bots-classic'));
    expect(asked[0]).toMatchObject({ seat: 'black', seating: 'chosen', bots: [{ seat: 'white', bot: { kind: 'built_in', level: 3 } }] });
    expect(botTableRequest('dilkel', { kind: 'built_in', level: 1 }, 'yellow').bots?.map(({ seat }) => seat)).toEqual(['red', 'blue', 'green']);
  });

  it('can be against an engine, in the variants that it plays', async () => {
    const asked = await asks(<PlayPanel />);
    expect(words('bots-level')).toContain('stockfish, full strength');
    choose('bots-level', '@stockfish 1500');
    expect(isOff('bots-dilkel')).toBe(true);
    click(byTestId('game-classic'));
    expect(isOff('bots-classic')).toBe(false);
    click(byTestId('bots-classic'));
    expect(asked[0]?.bots).toEqual([{ bot: { kind: 'engine', engine: 'stockfish', elo: 1_500 } }]);
  });

  it('offers the built-in levels if the server does not list its bots', async () => {
    await asks(<PlayPanel />, () => Promise.reject(new TypeError('no line')));
    expect(words('bots-level')).toHaveLength(8);
  });
});

describe('engines at a new table', () => {
  it('are offered for the variants they play, and removed for others', async () => {
    const asked = await asks(<NewTableDialog onClose={() => undefined} />);
    expect(words('set-bots').join()).not.toContain('stockfish');
    click(byTestId('choose-variant-classic'));
    choose('set-bots', '@stockfish');
    click(byTestId('choose-variant-dilkel'));
    expect(byTestId<HTMLSelectElement>('set-bots').value).toBe('none');
    choose('set-bots', '@3');
    click(byTestId('choose-variant-classic'));
    click(byTestId('choose-seat-white'));
    expect(byTestId<HTMLSelectElement>('set-bots').value).toBe('@3');
    await act(async () => {
      document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
      await flushTasks();
    });
    expect(asked[0]?.bots).toEqual([{ seat: 'black', bot: { kind: 'engine', engine: '3' } }]);
  });
});

describe('a seat at a table', () => {
  it.each([
    ['classic', { white: 'Ada', black: null }, 'black', true],
    ['dilkel', { red: 'Ada', blue: null, yellow: null, green: null }, 'blue', false],
  ] as const)('of %s is offered to the engines that play it', async (variant: Variant, held, seat, plays) => {
    const socket = renderTableAfterSnapshot(new ScriptedMatch(variant, held), variant === 'classic' ? 'white' : 'red', [], { bots: () => Promise.resolve(OFFERED) });
    click(byTestId(`add-bot-${seat}`));
    await act(flushTasks);
    await act(flushTasks);
    expect(exists('bot-level-@stockfish 1500')).toBe(plays);
    click(byTestId('bot-level-@3'));
    expect(socket.ofKind('add_bot')).toMatchObject([{ seat, bot: { kind: 'engine', engine: '3' } }]);
  });
});
