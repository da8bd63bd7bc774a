import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { de } from '../src/text/de/index.ts';
import { en } from '../src/text/en/index.ts';
import { pageOf, type Page } from '../src/view/router.ts';
import { CHAPTERS } from '../src/view/rules/chapters.ts';
import { lessons } from '../src/view/rules/positions.ts';
import { RulesPage } from '../src/view/rules/rules-page.tsx';
import { click, closePage, hook, one } from './support/page.tsx';

afterEach(closePage);

function open(path: string): void {
  const page: Page = pageOf({ pathname: path, search: '' });
  if (page.kind !== 'rules') throw new Error(`${path} is no page of the rules`);
  act(() => render(<RulesPage page={page} />, document.body));
}

describe.each([['English', en], ['German', de]])('the lessons in %s', (_, { rules }) => {
  it.each(lessons.map((lesson) => [lesson.name, lesson] as const))('%s: each step has its words', (name, lesson) => {
    expect(rules.lessons[name].captions).toHaveLength(lesson.frames.length);
  });
});

it('every lesson stands in one chapter', () => {
  expect(CHAPTERS.flatMap((chapter) => chapter.lessons).toSorted()).toEqual(lessons.map(({ name }) => name).toSorted());
});

it('what is told is what happens: mate takes an army off the board, stalemate ends the game, passing takes a pawn', () => {
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

it('a lesson is gone through step by step, and from the start again', () => {
  open('/rules');
  const lesson = hook('lesson-promotion');
  const caption = (): string | undefined => lesson.querySelector('.lesson-caption')?.textContent;
  const press = (index: number): void => click([...lesson.querySelectorAll('button')][index] as HTMLElement);
  expect(lesson.querySelectorAll('.still-target')).toHaveLength(2);
  expect([...lesson.querySelectorAll('.becomes [role="img"]')].map((piece) => piece.getAttribute('aria-label'))).toEqual(['knight', 'bishop', 'queen']);
  press(1);
  expect(caption()).toBe(en.rules.lessons.promotion.captions[1]);
  expect(lesson.querySelectorAll('.still-mark')).toHaveLength(2);
  press(1);
  expect(lesson.dataset['step']).toBe('2');
  press(1);
  expect(caption()).toBe(en.rules.lessons.promotion.captions[0]);
  press(1);
  press(0);
  expect(lesson.dataset['step']).toBe('0');
});

it('an address may lead to a chapter', () => {
  open('/rules/check');
  expect(one('[data-arrival]').textContent).toBe(en.rules.chapters.check.title);
  expect(one('.contents [aria-current]').getAttribute('href')).toBe('/rules/check');
});
