import type { AbortCause, Absence, Cause, Color, Phrase, Presence, Reason, Room, TimeSetting, Variant } from '../protocol/generated.ts';
import type { RoleLetter } from '../store/pieces.ts';

const colors: Record<Color, string> = {
  white: 'White',
  black: 'Black',
  red: 'Red',
  blue: 'Blue',
  yellow: 'Yellow',
  green: 'Green',
};

const roles: Record<RoleLetter, string> = {
  P: 'pawn',
  N: 'knight',
  B: 'bishop',
  R: 'rook',
  Q: 'queen',
  K: 'king',
};

const causes: Record<Cause, string> = {
  mate: 'Mated',
  resign: 'Resigned',
  time: 'Out of time',
  absence: 'Absent',
};

const marks: Record<Cause, string> = { mate: 'mate', resign: 'resigns', time: 'time', absence: 'absent' };

const reasons: Record<Reason, string> = {
  mate: 'by checkmate',
  stalemate: 'by stalemate',
  repetition: 'by repetition',
  moves: 'by the move count',
  material: 'no mate is possible',
  agreement: 'by agreement',
  resign: 'by resignation',
  time: 'on time',
  absence: 'by absence',
};

const aborts: Record<AbortCause, string> = {
  agreement: 'by agreement',
  first_move: 'a first move did not come',
  absence: 'somebody did not come back',
};

const variants: Record<Variant, { name: string; blurb: string }> = {
  dilkel: { name: 'Dilkel', blurb: 'Four players, the great cross' },
  'dilkel-compact': { name: 'Dilkel compact', blurb: 'Four players, a smaller cross' },
  classic: { name: 'Classic', blurb: 'Two players, 8 by 8' },
};

const places = ['', '1st', '2nd', '3rd', '4th'];

/** `A`, `A and B`, `A, B and C`. */
function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

function minutes(ms: number): string {
  const whole = ms / 60_000;
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(1);
}

/** `45 s`, `5 min`, `2 h`, `1 day`: the largest unit that fits without a rest. */
function span(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'day'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const [size, unit] = units.find(([one]) => ms >= one && ms % one === 0) ?? [1_000, 's'];
  const count = Math.round(ms / size);
  return `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

function time(setting: TimeSetting): string {
  switch (setting.kind) {
    case 'none':
      return 'No clocks';
    case 'fischer':
      return `${minutes(setting.base_ms)} min + ${setting.increment_ms / 1_000} s`;
    case 'delay':
      return `${minutes(setting.base_ms)} min, ${setting.delay_ms / 1_000} s delay`;
    case 'correspondence':
      return setting.days === 1 ? '1 day a move' : `${setting.days} days a move`;
  }
}

/** All words the client shows, in English. Another language is another object of this type. */
export const en = {
  colors,
  roles,
  causes,
  marks,
  reasons,
  aborts,
  variants,
  list,
  time,
  place: (rank: number): string => places[rank] ?? `${rank}th`,

  brand: 'Quadrex',
  line: { connecting: 'Connecting…', online: 'Online', reconnecting: 'Reconnecting…' },
  outdated: 'A new version is there',
  reload: 'Reload',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy link',
  copied: 'Copied',
  guest: (name: string) => `You play as ${name}`,
  licences: 'Licences',
  toLobby: 'To the lobby',

  lobby: {
    title: 'Lobby',
    headline: 'Chess for four',
    tagline: 'Take a color at a table, or watch one that is being played.',
    newTable: 'New table',
    quick: (variant: Variant) => `Play ${variants[variant].name} now`,
    yours: 'Your tables',
    open: 'Open tables',
    running: 'Being played',
    loading: 'Looking for tables…',
    noneOpen: 'No table is waiting for players. Make one, and it appears here for everybody.',
    noneRunning: 'Nothing is being played right now.',
    sit: (color: Color) => `Sit as ${colors[color]}`,
    watch: 'Watch',
    enter: 'Open',
    back: 'Go on playing',
    by: (name: string) => `by ${name}`,
    filled: (held: number, all: number) => `${held} of ${all} seats taken`,
    moves: (plies: number) => (plies === 1 ? '1 move' : `${plies} moves`),
    private: 'Private',
  },

  create: {
    title: 'New table',
    variant: 'Game',
    privacy: 'Who may join',
    public: 'Everybody',
    publicHint: 'Listed in the lobby',
    private: 'Only by link',
    privateHint: 'Seen by nobody else',
    seat: 'Your seat',
    noSeat: 'None',
    time: 'Clocks',
    none: 'None',
    fischer: 'Increment',
    delay: 'Delay',
    correspondence: 'Days',
    base: 'Minutes each',
    increment: 'Seconds added each move',
    delaySeconds: 'Seconds free each turn',
    days: 'Days each turn',
    more: 'More settings',
    setup: 'Start position (FEN or FEN4)',
    setupHint: 'Leave empty for the usual one',
    create: 'Make the table',
  },

  /** What a table was opened with. */
  settings: {
    labels: {
      time: 'Clocks',
      rated: 'Ratings',
      seating: 'Seats',
      limit: 'Time for a move',
      absence: 'If a player stays away',
      draws: 'Repetition and move count',
      chat: 'Players’ chat',
      watchers: 'Who may watch',
      admission: 'Who may sit',
      hotseat: 'Hotseat',
      setup: 'Start position',
      host: 'Host',
    },
    casual: 'Casual',
    rated: 'Rated',
    seating: { chosen: 'As one takes them', drawn: 'Drawn by lot' },
    limit: (ms: number | undefined) => (ms === undefined || ms === 0 ? 'No limit' : `At most ${span(ms)}`),
    absence: { eliminate: 'It is out', wait: 'The others wait', bot: 'A bot plays on' } satisfies Record<Absence, string>,
    draws: { claim: 'Drawn when claimed', automatic: 'Drawn at once' },
    chat: { on: 'On', phrases: 'Ready phrases only', off: 'Off' },
    watchers: { everybody: 'Everybody', link: 'By link', nobody: 'Nobody' },
    admission: { open: 'Everybody', invite: 'By invite' },
    limitShort: (ms: number) => `${span(ms)} a move`,
    drawnSeats: 'Seats by lot',
    ownSetup: 'Own start position',
    oneScreen: 'Hotseat',
    hotseat: { no: 'One seat each', yes: 'Several seats at this screen' },
    yes: 'Yes',
    title: 'Table settings',
  },

  table: {
    waiting: 'Waiting for players',
    closed: 'This table is closed',
    closedHint: 'Nobody was here for a while. What was played here can still be seen.',
    filled: (held: number, all: number) => `${held} of ${all} seats are taken`,
    yourMove: 'Your move',
    toMove: (color: Color) => `${colors[color]} to move`,
    wins: (color: Color) => `${colors[color]} wins`,
    youWin: 'You win',
    drawn: 'A draw',
    aborted: 'Aborted',
    drawnAmong: (among: readonly Color[]) => `A draw: ${list(among.map((color) => colors[color]))}`,
    open: 'Open seat',
    sit: 'Sit',
    sitAny: 'Take a seat',
    leave: 'Leave your seat',
    host: 'host',
    kick: 'Put out',
    kickWho: (name: string) => `Put out ${name}`,
    kickTitle: (name: string) => `Put ${name} out?`,
    kickHint: 'The seat is free again. Who was put out may not sit at this table any more.',
    you: 'you',
    presence: { connected: 'here', reconnecting: 'coming back', gone: 'away' } satisfies Record<Presence, string>,
    reconnecting: (seconds: number) => `Away, ${seconds} s left`,
    gone: 'Away',
    firstMove: 'First move',
    firstMoveWithin: 'Time for the first move',
    moveWithin: 'Time for this move',
    check: 'Check',
    turn: 'To move',
    invited: 'You are invited: choose a seat.',
    choose: 'Choose a seat to play.',
    seated: 'The match starts when all seats are taken.',
    share: 'Share this table',
    shareHint: 'Anybody with this address can sit down or watch.',
    spectators: (count: number) => (count === 1 ? '1 spectator' : `${count} spectators`),
    loading: 'Opening the table…',
    missing: 'There is no such table',
    missingHint: 'Perhaps the link is wrong or no longer good, or the table is private and the link was not for you.',
    board: 'Board',
    moves: 'Moves',
    noMoves: 'No moves yet',
    result: 'Final places',
    reserve: 'Reserve',
  },

  play: {
    input: 'Type a move',
    hint: 'h2h4',
    unreadable: (text: string) => `“${text}” is not written like a move. Try h2h4.`,
    illegal: (text: string) => `${text} is not possible now.`,
    notNow: 'It is not your turn.',
    premove: (from: string, to: string) => `Premove ${from}-${to}`,
    premoveCancel: 'Cancel the premove',
    premoveDropped: (from: string, to: string) => `Your premove ${from}-${to} is not possible and is dropped.`,
    premoveNotNeeded: (from: string, to: string) => `Nothing was taken on ${to}: your premove ${from}-${to} is dropped.`,
    go: 'Play',
    promote: 'Promote to',
    promotion: (role: RoleLetter, left: number | null) =>
      left === null ? `Promote to ${roles[role]}` : `Promote to ${roles[role]}, ${left} in reserve`,
    resign: 'Resign',
    resignTitle: 'Resign?',
    resignFour: 'Your army leaves the board and the others play on. You cannot come back.',
    resignTwo: 'The match ends and your opponent wins.',
    keep: 'Keep playing',
  },

  /** What needs the consent of all players still in, by its kind. */
  requests: {
    draw: {
      ask: 'Offer draw',
      accept: 'Accept draw',
      decline: 'Decline',
      asks: 'Draw?',
      agrees: 'Agrees',
      says: {
        requested: (color: Color) => `${colors[color]} offers a draw`,
        agreed: (color: Color) => `${colors[color]} accepts the draw`,
        declined: (color: Color) => `${colors[color]} declines the draw`,
      },
      yours: 'You offer a draw',
    },
    takeback: {
      ask: 'Take back',
      accept: 'Allow takeback',
      decline: 'Decline',
      asks: 'Takeback?',
      agrees: 'Agrees',
      says: {
        requested: (color: Color) => `${colors[color]} asks to take a move back`,
        agreed: (color: Color) => `${colors[color]} allows the takeback`,
        declined: (color: Color) => `${colors[color]} declines the takeback`,
      },
      yours: 'You ask to take a move back',
    },
    pause: {
      ask: 'Pause',
      accept: 'Agree to a pause',
      decline: 'Decline',
      asks: 'Pause?',
      agrees: 'Agrees',
      says: {
        requested: (color: Color) => `${colors[color]} asks for a pause`,
        agreed: (color: Color) => `${colors[color]} agrees to a pause`,
        declined: (color: Color) => `${colors[color]} declines the pause`,
      },
      yours: 'You ask for a pause',
    },
    abort: {
      ask: 'Abort',
      accept: 'Agree to abort',
      decline: 'Play on',
      asks: 'Abort?',
      agrees: 'Agrees',
      says: {
        requested: (color: Color) => `${colors[color]} asks to end the match without a result`,
        agreed: (color: Color) => `${colors[color]} agrees to end the match without a result`,
        declined: (color: Color) => `${colors[color]} wants to play on`,
      },
      yours: 'You ask to end the match without a result',
    },
  },

  /** Where one person plays several seats. */
  hotseat: {
    turnsBoard: 'Turn the board to whoever is to move',
    more: 'You may play further seats from this screen: press Sit at any that is open.',
    leaveAll: 'Leave your seats',
    leaveOne: 'Free',
    leaveOneWho: (color: Color) => `Give the ${colors[color].toLowerCase()} seat back`,
    resignWhich: 'Who resigns?',
    resignTitle: (color: Color) => `Resign as ${colors[color]}?`,
    resignAs: (color: Color) => `${colors[color]} resigns`,
  },

  request: {
    open: 'Open requests',
    agreed: 'You agreed',
    waits: (waiting: readonly Color[]) => `Still asked: ${list(waiting.map((color) => colors[color]))}`,
    abortTitle: 'Abort the match?',
    abortHint: 'If all players still in agree, the match ends without places.',
    abortAsk: 'Ask the others',
    claim: 'Claim draw',
    claimWithMove: 'Claim a draw with my move',
  },

  after: {
    title: 'What next',
    rematch: 'Rematch',
    asked: 'You want a rematch',
    decline: 'No rematch',
    youAsk: 'You ask for a rematch',
    asks: (color: Color) => `${colors[color]} wants a rematch`,
    declined: (color: Color) => `${colors[color]} does not want a rematch`,
    next: (variant: Variant) => `Next ${variants[variant].name} match`,
    leave: 'Leave',
    record: 'Save the record of this match',
  },

  /** While no time runs and nobody may move. */
  frozen: {
    paused: 'Paused',
    pausedHint: (left: string) => `The pause ends by itself in ${left}.`,
    resume: 'Go on',
    resuming: 'Play goes on',
    resumingHint: (color: Color | null) => (color === null ? 'The pause is used up.' : `${colors[color]} ended the pause.`),
    waiting: (color: Color) => `Waiting for ${colors[color]}`,
    waitingHint: (left: string) => `The match goes on when the player is back, and is aborted in ${left}.`,
    own: 'The others wait for you.',
  },

  chat: {
    title: 'Chat',
    log: 'What was said',
    none: 'Nothing was said yet.',
    rooms: { seated: 'player', bystanders: 'onlooker' } satisfies Record<Room, string>,
    to: { seated: 'Say something to all', bystanders: 'Say something to onlookers' } satisfies Record<Room, string>,
    send: 'Send',
    ready: 'Ready phrases',
    mute: 'Mute somebody',
    muted: (name: string) => `${name} is muted`,
    unread: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
    phrases: {
      hello: 'Hello!',
      good_luck: 'Good luck!',
      good_move: 'Good move!',
      thanks: 'Thanks!',
      oops: 'Oops!',
      one_moment: 'One moment, please.',
      back: 'I am back.',
      good_game: 'Good game!',
      again: 'Another one?',
      bye: 'Bye!',
    } satisfies Record<Phrase, string>,
  },

  handover: {
    open: 'Go on from another device',
    hint: (left_ms: number) =>
      `Open this link on the other device: there you are the same player. It is good once, for ${span(left_ms)}. Do not give it to anybody else.`,
    label: 'Link for another device',
  },

  links: {
    title: 'Invite players',
    watchers: 'Invite spectators',
    hint: 'This table is seen only by those you send a link.',
    seat: (color: Color) => `${colors[color]} seat`,
    any: 'Any seat',
    watch: 'Watching',
    make: 'Make link',
  },

  square: {
    empty: 'empty',
    piece: (color: Color, role: RoleLetter) => `${colors[color].toLowerCase()} ${roles[role]}`,
    picked: 'picked up',
    target: 'can go here',
    premove: 'premove',
    check: 'in check',
  },

  say: {
    move: (color: Color, role: RoleLetter, from: string, to: string) => `${colors[color]} ${roles[role]} ${from} to ${to}`,
    castles: (color: Color, side: 'short' | 'long') => `${colors[color]} castles ${side}`,
    takes: (color: Color, role: RoleLetter) => `takes ${colors[color].toLowerCase()} ${roles[role]}`,
    becomes: (role: RoleLetter) => `becomes ${roles[role]}`,
    check: (checked: readonly Color[], you: Color | null) =>
      `check to ${list(checked.map((color) => (color === you ? 'you' : colors[color])))}`,
    seated: (color: Color, name: string) => `${name} sits down as ${colors[color]}`,
    vacated: (color: Color) => `The ${colors[color].toLowerCase()} seat is free again`,
    host: (name: string) => `${name} is the host now`,
    rematchAgreed: (color: Color) => `${colors[color]} wants a rematch too`,
    rematched: 'The next match begins',
    closed: 'The table is closed',
    started: (color: Color) => `${colors[color]} begins`,
    out: (color: Color, cause: Cause) =>
      `${colors[color]} ${{ mate: 'is checkmated', resign: 'resigns', time: 'is out of time', absence: 'is removed for absence' }[cause]}`,
    takenBack: (plies: number) => (plies === 1 ? 'One move is taken back' : `${plies} moves are taken back`),
    paused: 'The match is paused',
    waiting: (color: Color) => `The match waits for ${colors[color]}`,
    resuming: (color: Color | null) =>
      color === null ? 'The pause is over: play goes on in ten seconds' : `${colors[color]} goes on: ten seconds from now`,
    resumed: 'Play goes on',
    aborted: (cause: AbortCause) => `The match is aborted: ${aborts[cause]}`,
  },
};
