import { options, type VNode } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { ScriptedMatch } from './support/match.ts';
import { byTestId, closePage, findElement, renderTable, renderTableAfterSnapshot, square } from './support/page.tsx';

const FOUR = { red: 'Ada', blue: 'Ben', yellow: 'Cleo', green: 'Dora' };

/** The option of Preact that is called before each component is rendered. */
const BEFORE_RENDER = '__r';

/** The tasks of a page that renders one step at a time. */
class Steps {
  readonly #renderings: (() => void)[] = [];
  readonly #afterPaint: (() => void)[] = [];
  readonly #names: string[] = [];
  readonly #restore: () => void;

  constructor() {
    const hooks = options as { [BEFORE_RENDER]?: (node: VNode) => void };
    const { debounceRendering, requestAnimationFrame } = options;
    const before = hooks[BEFORE_RENDER];
    options.debounceRendering = (render) => void this.#renderings.push(render);
    options.requestAnimationFrame = (callback) => void this.#afterPaint.push(callback as () => void);
    hooks[BEFORE_RENDER] = (node) => {
      before?.(node);
      if (typeof node.type === 'function') this.#names.push(node.type.name);
    };
    this.#restore = () => {
      Object.assign(options, { debounceRendering, requestAnimationFrame });
      if (before === undefined) delete hooks[BEFORE_RENDER];
      else hooks[BEFORE_RENDER] = before;
    };
  }

  /** Renders what has changed and returns the names of the components. */
  render(): string[] {
    for (const render of this.#renderings.splice(0)) render();
    return this.#names.splice(0);
  }

  /** Runs the effects that wait for the browser to paint, and renders what they change. */
  paint(): string[] {
    for (const callback of this.#afterPaint.splice(0)) callback();
    return this.render();
  }

  end(): void {
    while (this.#renderings.length + this.#afterPaint.length > 0) this.paint();
    this.#restore();
  }
}

afterEach(closePage);

/** The parts of the page that a move of Red from f2 to f3 changes. */
function shownParts(): Record<string, unknown> {
  const { boardSeq, seq, turn } = byTestId('board').dataset;
  return {
    piece: square('f3').dataset['piece'] ?? '',
    boardSeq: Number(boardSeq),
    plate: byTestId('seat-blue').dataset['turn'],
    edge: findElement('.edge[data-color="blue"]').dataset['lit'],
    banner: byTestId('status').dataset['color'],
    seq: Number(seq),
    turn,
    moves: document.querySelectorAll('.move').length,
  };
}

it('a move reaches the board first, then the seats, then the banner, and then the list of moves', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7']) act(() => socket.receive(match.move(mv)));
  const before = shownParts();
  const seq = Number(before['seq']);
  const steps = new Steps();
  try {
    socket.receive(match.move('f2f3'));
    // The frame of the server only changes the state. The rendering is a task of its own.
    expect(shownParts()).toEqual(before);
    const board = steps.render();
    const afterBoard = { ...before, piece: 'rP', boardSeq: seq + 1 };
    expect(shownParts()).toEqual(afterBoard);
    for (const name of ['SeatPlate', 'Edges', 'Status', 'BoardBar', 'Panel', 'MoveList', 'Announcer']) expect(board).not.toContain(name);
    expect(board.length).toBeLessThan(20);
    expect(board.filter((name) => name === 'BoardCell').length).toBe(4);

    const seats = steps.paint();
    const afterSeats = { ...afterBoard, plate: 'true', edge: 'true' };
    expect(shownParts()).toEqual(afterSeats);
    expect(seats).toContain('SeatPlate');
    for (const name of ['BoardCell', 'Status', 'Panel', 'MoveList', 'Announcer']) expect(seats).not.toContain(name);

    const banner = steps.paint();
    const afterBanner = { ...afterSeats, banner: 'blue', seq: seq + 1, turn: 'blue' };
    expect(shownParts()).toEqual(afterBanner);
    expect(banner).toContain('Status');
    for (const name of ['BoardCell', 'SeatPlate', 'Panel', 'MoveList', 'Announcer']) expect(banner).not.toContain(name);

    const panel = steps.paint();
    expect(shownParts()).toEqual({ ...afterBanner, moves: Number(before['moves']) + 1 });
    for (const name of ['MoveList', 'Announcer']) expect(panel).toContain(name);
    for (const name of ['BoardCell', 'SeatPlate', 'Status']) expect(panel).not.toContain(name);
  } finally {
    steps.end();
  }
});

it('an opened page shows a part of the board first, then the rest of it, and then the panel', () => {
  const { socket } = renderTable();
  const steps = new Steps();
  const shown = (): unknown[] => [document.querySelectorAll('.cell').length, byTestId('board').getAttribute('aria-busy'), document.querySelector('.moves') !== null];
  try {
    socket.receive(new ScriptedMatch('dilkel', FOUR).startMatch('red').snapshot(null));
    const opened = [steps.render(), steps.paint(), steps.paint(), steps.paint()].map((names) => names.filter((name) => name === 'BoardCell').length);
    expect(shown()).toEqual([160, 'false', true]);
    // The rows at the edges of the cross have 8 squares, and the others 14.
    expect(opened).toEqual([16, 78, 66, 0]);
  } finally {
    steps.end();
  }
});

it('captured pieces change after the plates of the seats', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7']) act(() => socket.receive(match.move(mv)));
  const captured = (): number => document.querySelectorAll('.captured-kind').length;
  const steps = new Steps();
  try {
    // The scripted match knows no rules: a pawn captures Blue's pawn on the other side of the board.
    socket.receive(match.move('f2b7'));
    steps.render();
    steps.paint();
    expect(byTestId('seat-blue').dataset['turn']).toBe('true');
    expect(captured()).toBe(0);
    steps.paint();
    // In the plate, and below the board for narrow screens.
    expect(captured()).toBe(2);
  } finally {
    steps.end();
  }
});

it('a new match reaches all parts at once', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  act(() => socket.receive(match.move('h2h4')));
  const rematch = { ...new ScriptedMatch('dilkel', FOUR).startMatch('green').snapshot(null), match: 'zzzzzzzzzzzzzzzz' };
  const steps = new Steps();
  try {
    socket.receive(rematch);
    steps.render();
    expect(shownParts()).toMatchObject({ banner: 'green', turn: 'green', moves: 0, seq: rematch.seq, boardSeq: rematch.seq });
  } finally {
    steps.end();
  }
});

it('a move reaches all parts of a hidden page at once', () => {
  const match = new ScriptedMatch('dilkel', FOUR).startMatch('red');
  const socket = renderTableAfterSnapshot(match, null);
  for (const mv of ['h2h4', 'b8d8', 'g13g11', 'm7k7']) act(() => socket.receive(match.move(mv)));
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const steps = new Steps();
  try {
    socket.receive(match.move('f2f3'));
    steps.render();
    expect(shownParts()).toMatchObject({ piece: 'rP', plate: 'true', banner: 'blue', turn: 'blue', moves: 5 });
  } finally {
    steps.end();
    hidden.mockRestore();
  }
});
