import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = 'src/view/styles';
/**
 * The selectors of the board and its surroundings, which are the same for all writing directions.
 */
const BOARD = new Set(['board.css', 'overlay.css', 'seats.css', 'still-board.css']);

/** Properties and values that name a physical side instead of a logical one. */
const PHYSICAL = /^\s*(?:(?:margin|padding|border)-(?:left|right)\b|border-(?:top|bottom)-(?:left|right)-radius|(?:left|right|float)\s*:|text-align\s*:\s*(?:left|right))/;
/** Shorthands with different second and fourth values, such as `padding: 0 16px 0 24px`. */
const FOUR = /^\s*(?:margin|padding|inset)\s*:\s*(.+);/;

/** Returns the errors of a style sheet as `line: text`. */
function faults(css: string): string[] {
  return css.split('\n').flatMap((line, index) => {
    const four = FOUR.exec(line)?.[1];
    const sides = four === undefined ? [] : values(four);
    const uneven = sides.length === 4 && sides[1] !== sides[3];
    return PHYSICAL.test(line) || uneven ? [`${index + 1}: ${line.trim()}`] : [];
  });
}

/** Returns the parts of a value; text in parentheses is one part. */
function values(text: string): string[] {
  return text.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}

describe('the styles', () => {
  it.each(readdirSync(FOLDER).filter((name) => !BOARD.has(name)))('%s knows beginnings and ends, no left and right', (name) => {
    expect(faults(readFileSync(join(FOLDER, name), 'utf8'))).toEqual([]);
  });

  it.each([
    'margin-left: 3px;',
    'border-top-left-radius: 0;',
    'right: 3px;',
    'text-align: right;',
    'padding: 0 16px 0 24px;',
    'inset: calc(1px + 2px) 3px auto auto;',
  ])('would be told of: %s', (line) => expect(faults(`a {\n  ${line}\n}`)).toHaveLength(1));

  it.each(['margin-inline-start: 3px;', 'inset: 0 3px auto;', 'padding: 1px 2px 3px 2px;', 'text-align: start;'])('accepts: %s', (line) => {
    expect(faults(`a {\n  ${line}\n}`)).toEqual([]);
  });

  // Such a style is computed again whenever an element is added to the page or to the board, which
  // happens at every move.
  it.each(readdirSync(FOLDER))('%s does not ask what the page or the board contains', (name) => {
    const css = readFileSync(join(FOLDER, name), 'utf8');
    expect(css.match(/(?:html|body|\.board[\w-]*|\.plate|\.cell|\.clock)(?:\[[^\]]*\])*:has\([^{]*/g) ?? []).toEqual([]);
  });
});
