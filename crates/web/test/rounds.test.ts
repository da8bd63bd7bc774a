import { describe, expect, it } from 'vitest';
import type { Color, Entry, Event } from '../src/protocol/generated.ts';
import { columnsOf, roundsOf } from '../src/store/rounds.ts';
import { SECRET } from './support/match.ts';

const CLOCKWISE: Color[] = ['red', 'blue', 'yellow', 'green'];

function history(...events: Event[]): Entry[] {
  return events.map((event, index) => ({ seq: index + 1, at_ms: 0, event }));
}
const moved = (color: Color, mv: string): Event => ({ type: 'moved', color, move: mv });
const out = (color: Color): Event => ({ type: 'eliminated', color, cause: 'resign' });

/** Returns rounds as text: `1 r:a b:b | 2 ...`. */
function written(columns: Color[], entries: Entry[]): string {
  return roundsOf(columns, entries)
    .map(({ number, cells }) => {
      const received = columns.flatMap((color) => {
        const cell = cells[color];
        return cell === undefined ? [] : [`${color[0]}:${cell.text ?? ''}${cell.elimination === null ? '' : '#'}`];
      });
      return `${number} ${received.join(' ')}`;
    })
    .join(' | ');
}

describe('columnsOf', () => {
  it('begins with the first player', () => {
    expect(columnsOf(CLOCKWISE, history({ type: 'started', first_player: 'yellow', secret: SECRET }))).toEqual([
      'yellow', 'green', 'red', 'blue',
    ]);
    expect(columnsOf(CLOCKWISE, [])).toEqual(CLOCKWISE);
  });
});

describe('roundsOf', () => {
  it('opens a round when the first player moves again', () => {
    const entries = history(
      moved('red', 'a'), moved('blue', 'b'), moved('yellow', 'c'), moved('green', 'd'), moved('red', 'e'),
    );
    expect(written(CLOCKWISE, entries)).toBe('1 r:a b:b y:c g:d | 2 r:e');
  });

  it('leaves out moves that were taken back', () => {
    const entries = history(
      moved('red', 'a'), moved('blue', 'b'), { type: 'requested', request: 'takeback', color: 'red' },
      { type: 'taken_back', plies: 2 }, moved('red', 'c'), moved('blue', 'd'),
    );
    expect(written(CLOCKWISE, entries)).toBe('1 r:c b:d');
  });

  it('pairs the moves of two players', () => {
    const entries = history(moved('white', 'e4'), moved('black', 'e5'), moved('white', 'd4'));
    expect(written(['white', 'black'], entries)).toBe('1 w:e4 b:e5 | 2 w:d4');
  });

  it('marks an elimination on the own turn in turn order', () => {
    const entries = history(
      moved('red', 'a'), out('blue'), moved('yellow', 'c'), moved('green', 'd'), moved('red', 'e'), moved('yellow', 'f'),
    );
    expect(written(CLOCKWISE, entries)).toBe('1 r:a b:# y:c g:d | 2 r:e y:f');
  });

  it('opens a round for an elimination of the first player on the own turn', () => {
    const entries = history(
      moved('red', 'a'), moved('blue', 'b'), moved('yellow', 'c'), moved('green', 'd'),
      out('red'), moved('blue', 'e'), moved('yellow', 'f'), moved('green', 'g'), moved('blue', 'h'),
    );
    expect(written(CLOCKWISE, entries)).toBe('1 r:a b:b y:c g:d | 2 r:# b:e y:f g:g | 3 b:h');
  });

  it('marks an elimination on another turn in the current round', () => {
    const entries = history(moved('red', 'a'), moved('blue', 'b'), out('red'), out('green'), moved('yellow', 'c'), moved('blue', 'd'));
    expect(written(CLOCKWISE, entries)).toBe('1 r:a# b:b y:c g:# | 2 b:d');
  });

  it('marks an elimination before the first move', () => {
    expect(written(CLOCKWISE, history(out('green'), moved('red', 'a')))).toBe('1 r:a g:#');
  });
});
