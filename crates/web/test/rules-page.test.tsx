import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { parseMove } from '../src/store/moves.ts';
import type { LessonWords } from '../src/text/en/rules.ts';
import { LANGUAGE_TAGS } from '../src/store/languages.ts';
import { en } from '../src/text/en/index.ts';
import { loadCatalogue } from '../src/text/languages.ts';
import { parseAddress, type Page } from '../src/view/router.ts';
import { CHAPTERS } from '../src/view/rules/chapters.ts';
import { lessons } from '../src/view/rules/positions.ts';
import { RulesPage } from '../src/view/rules/rules-page.tsx';
import { showAllElements } from './support/observer.ts';
import { click, closePage, byTestId, findElement } from './support/page.tsx';

afterEach(closePage);

showAllElements();

function plainParts(mv: string): { from: string; to: string } {
  const parts = parseMove(mv);
  if (parts === null) throw new Error(`${mv} is no move`);
  return { from: parts.from, to: parts.to };
}

function open(path: string): void {
  const page: Page = parseAddress({ pathname: path, search: '' });
  if (page.kind !== 'rules') throw new Error(`${path} is no page of the rules`);
  act(() => render(<RulesPage page={page} />, document.body));
}

const catalogues = await Promise.all(LANGUAGE_TAGS.map(async (tag) => [tag, await loadCatalogue(tag)] as const));

describe.each(catalogues)('the lessons in %s', (_, { rules }) => {
  it.each(lessons.map((lesson) => [lesson.name, lesson] as const))('%s: each step has its words', (name, lesson) => {
    expect(rules.lessons[name].captions).toHaveLength(lesson.frames.length);
    const { tasks = {} }: LessonWords = rules.lessons[name];
    const asked = [...lesson.frames.keys()].filter((step) => lesson.frames[step]?.next !== undefined);
    expect(Object.keys(tasks).map(Number)).toEqual(asked);
  });
});

it('every lesson is in one chapter', () => {
  expect(CHAPTERS.flatMap((chapter) => chapter.lessons).toSorted()).toEqual(lessons.map(({ name }) => name).toSorted());
});

it('the texts match the positions: mate removes an army, stalemate ends the game, en passant captures a pawn', () => {
  const last = (name: string) => lessons.find((lesson) => lesson.name === name)?.frames.at(-1);
  expect(last('mate')).toMatchObject({ out: ['yellow'], turn: 'green' });
  expect(Object.values(last('mate')?.pieces ?? {}).filter((piece) => piece.startsWith('y'))).toEqual([]);
  expect(last('saved')).toMatchObject({ out: [], turn: 'green' });
  expect(last('stalemate')).toMatchObject({ out: [], turn: null, checks: [] });
  expect(last('en-passant')?.pieces).toMatchObject({ e3: 'yP' });
  expect(last('en-passant')?.pieces['e4']).toBeUndefined();
  expect(last('classic')).toMatchObject({ turn: null, checks: ['black'] });
  expect(last('castling')?.pieces).toMatchObject({ e1: 'rK', f1: 'rR' });
});

it('the task of a lesson is legal and leads to its next step', () => {
  for (const { name, frames } of lessons) {
    for (const [index, { next, turn }] of frames.entries()) {
      if (next === undefined) continue;
      expect(next.legal, `${name} ${index}`).toContain(next.mv);
      expect(frames[index + 1]?.moved, `${name} ${index}`).toMatchObject({ color: turn, ...plainParts(next.mv) });
    }
  }
});

const words = (lesson: HTMLElement): string => lesson.querySelector('.lesson-text:not([data-unsaid])')?.textContent ?? '';
const press = (lesson: HTMLElement, index: number): void => click([...lesson.querySelectorAll<HTMLElement>('.buttons button')][index] as HTMLElement);
const cell = (lesson: HTMLElement, name: string): HTMLElement => {
  const found = lesson.querySelector<HTMLElement>(`[data-square="${name}"]`);
  if (found === null) throw new Error(`the board has no ${name} to press`);
  return found;
};

it('a lesson is stepped through, and starts again', () => {
  open('/rules');
  const lesson = byTestId('lesson-en-passant');
  const { captions, tasks } = en.rules.lessons['en-passant'];
  expect(lesson.querySelectorAll('.still-target')).toHaveLength(2);
  press(lesson, 1);
  expect(words(lesson)).toBe(captions[1]);
  expect(lesson.querySelectorAll('.still-mark')).toHaveLength(2);
  press(lesson, 1);
  expect(words(lesson)).toBe(`${captions[2]}${tasks[2]}`);
  press(lesson, 1);
  expect(lesson.dataset['step']).toBe('3');
  press(lesson, 1);
  expect(words(lesson)).toBe(captions[0]);
  press(lesson, 1);
  press(lesson, 0);
  expect(lesson.dataset['step']).toBe('0');
});

it('a task is solved on the board; another legal move is reported as not the solution', () => {
  open('/rules');
  const lesson = byTestId('lesson-castling');
  expect([...lesson.querySelectorAll('[data-movable]')].length).toBeGreaterThan(1);
  click(cell(lesson, 'g1'));
  click(cell(lesson, 'i1'));
  expect(lesson.dataset['step']).toBe('0');
  expect(words(lesson)).toContain(en.rules.legalButWrong);
  expect(cell(lesson, 'g1').dataset['piece']).toBe('rK');
  click(cell(lesson, 'g1'));
  click(cell(lesson, 'e1'));
  expect(lesson.dataset['step']).toBe('1');
  expect(words(lesson)).toBe(`${en.rules.right} ${en.rules.lessons.castling.captions[1]}`);
});

it('a promotion in a lesson asks for the piece', () => {
  open('/rules');
  const lesson = byTestId('lesson-promotion');
  const choose = (letter: string): void => {
    click(cell(lesson, 'b10'));
    click(cell(lesson, 'a11'));
    click(lesson.querySelector(`[data-testid="promote-${letter}"]`) as HTMLElement);
  };
  click(cell(lesson, 'b10'));
  click(cell(lesson, 'a11'));
  expect([...lesson.querySelectorAll('.promotion-choice')].map((choice) => choice.getAttribute('aria-label'))).toEqual(['Promote to queen', 'Rook: 0 in reserve, because none of yours was captured', 'Promote to bishop, 1 in reserve', 'Promote to knight, 1 in reserve']);
  click(lesson.querySelector('.promotion') as HTMLElement);
  choose('q');
  expect([lesson.dataset['step'], words(lesson).endsWith(en.rules.legalButWrong)]).toEqual(['0', true]);
  choose('n');
  expect(lesson.dataset['step']).toBe('1');
});

it('a task for any move shows the reader’s move', () => {
  open('/rules');
  const lesson = byTestId('lesson-check');
  for (let step = 0; step < 3; step += 1) press(lesson, 1);
  const other = lessons.find(({ name }) => name === 'check')?.frames[3]?.next?.legal.find((mv) => mv !== 'g5g6') ?? '';
  const { from, to } = plainParts(other);
  click(cell(lesson, from));
  click(cell(lesson, to));
  expect(lesson.dataset['step']).toBe('4');
  expect(words(lesson)).toContain(en.rules.right);
  expect([...lesson.querySelectorAll('.still-mark[data-color="red"]')]).toHaveLength(2);
  expect(lesson.querySelector('.still-mark[data-end="to"][data-color="red"]')?.getAttribute('x')).toBe(String((to.codePointAt(0) ?? 0) - 97 + 0.05));
  expect(lesson.querySelectorAll('.still-check')).toHaveLength(0);
});

it('an address can name a chapter', () => {
  open('/rules/check');
  expect(findElement('[data-arrival]').textContent).toBe(en.rules.chapters.check.title);
  expect(findElement('.contents [aria-current]').getAttribute('href')).toBe('/rules/check');
});
