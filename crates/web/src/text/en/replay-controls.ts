/** The controls of a replay and of the board. */
export const replayControls = {
  title: 'Move navigation',
  first: 'Go to start',
  back: 'Previous move',
  play: 'Play the moves',
  stop: 'Stop',
  forward: 'Next move',
  live: 'Go to current position',
  turn: 'Flip board',
  help: 'Keyboard shortcuts',
  openChat: 'Open the chat',
  start: (of: number) => `Start of ${of} moves`,
  after: (ply: number, of: number) => `Move ${ply} of ${of}`,
  toLive: 'Back to live',
  missed: (count: number) => (count === 1 ? '1 new move' : `${count} new moves`),
};

/** The help about keyboard shortcuts. */
export const keys = {
  title: 'Keyboard shortcuts',
  onPage: 'Anywhere on the page',
  onBoard: 'With the focus on the board',
  pointer: 'With the mouse',
  typed: 'In the move field',
  names: {
    home: 'Home',
    end: 'End',
    space: 'Space',
    enter: 'Enter',
    shift: 'Shift',
    remove: 'Delete',
    right: 'right button',
    left: 'left button',
  },
  effects: {
    step: 'Previous or next move',
    ends: 'Start, current position',
    play: 'Play the moves',
    turn: 'Flip board',
    zen: 'Zen mode: only the board',
    input: 'Go to the move field',
    board: 'Go to the board',
    help: 'This help',
    walk: 'Move between squares',
    row: 'End of the row',
    press: 'Pick up or drop a piece',
    back: 'Cancel',
    arrow: 'Start and end an arrow; twice on a square circles it',
    brush: 'Draw in red or blue; both: yellow',
    wipe: 'Clear drawings',
    draw: 'Draw an arrow or circle a square',
  },
};

/** The mode in which a table shows nothing but the board. */
export const zen = {
  enter: 'Zen mode',
  leave: 'Leave zen mode',
};
