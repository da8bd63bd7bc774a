import type { Color, Variant } from '../../protocol/generated.ts';
import { withFallback } from '../with-fallback.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

const knownRequests = {
  draw: {
    ask: 'Offer draw',
    accept: 'Accept draw',
    decline: 'Decline',
    seatAsks: 'Draw?',
    seatAgrees: 'Agrees',
    sentences: {
      requested: (color: Color) => `${colors[color]} offers a draw`,
      agreed: (color: Color) => `${colors[color]} accepts the draw`,
      declined: (color: Color) => `${colors[color]} declines the draw`,
    },
    ownRequest: 'You offered a draw',
  },
  takeback: {
    ask: 'Request takeback',
    accept: 'Allow takeback',
    decline: 'Decline',
    seatAsks: 'Takeback?',
    seatAgrees: 'Agrees',
    sentences: {
      requested: (color: Color) => `${colors[color]} asks for a takeback`,
      agreed: (color: Color) => `${colors[color]} allows the takeback`,
      declined: (color: Color) => `${colors[color]} declines the takeback`,
    },
    ownRequest: 'You asked for a takeback',
  },
  pause: {
    ask: 'Pause',
    accept: 'Agree to a pause',
    decline: 'Decline',
    seatAsks: 'Pause?',
    seatAgrees: 'Agrees',
    sentences: {
      requested: (color: Color) => `${colors[color]} asks for a pause`,
      agreed: (color: Color) => `${colors[color]} agrees to a pause`,
      declined: (color: Color) => `${colors[color]} declines the pause`,
    },
    ownRequest: 'You asked for a pause',
  },
  abort: {
    ask: 'Abort',
    accept: 'Agree to abort',
    decline: 'Keep playing',
    seatAsks: 'Abort?',
    seatAgrees: 'Agrees',
    sentences: {
      requested: (color: Color) => `${colors[color]} asks to abort the match`,
      agreed: (color: Color) => `${colors[color]} agrees to abort the match`,
      declined: (color: Color) => `${colors[color]} wants to play on`,
    },
    ownRequest: 'You asked to abort the match',
  },
};

/** A kind of a later version. */
const otherRequest = {
  ask: 'Request',
  accept: 'Agree',
  decline: 'Decline',
  seatAsks: 'Request?',
  seatAgrees: 'Agrees',
  sentences: {
    requested: (color: Color) => `${colors[color]} has a request`,
    agreed: (color: Color) => `${colors[color]} agrees`,
    declined: (color: Color) => `${colors[color]} declines`,
  },
  ownRequest: 'You have a request',
};

/** The kinds of requests that need the consent of all remaining players. */
export const requests = withFallback(knownRequests, otherRequest);

/** Requests of every kind. */
export const request = {
  open: 'Open requests',
  agreed: 'You agreed',
  waits: (waiting: readonly Color[]) => `Waiting for ${list(waiting.map((color) => colors[color]))}`,
  abortTitle: 'Abort the match?',
  abortHint: 'If all remaining players agree, the match ends without a result.',
  abortAsk: 'Ask the others',
  claim: 'Claim draw',
  claimWithMove: 'Claim a draw with my move',
};

/** Texts about a suspended match. */
export const suspension = {
  paused: 'Paused',
  pausedHint: (left: string) => `Resumes automatically in ${left}.`,
  resume: 'Resume',
  resuming: 'Resuming',
  resumingHint: (color: Color | null) => (color === null ? 'The pause time is used up.' : `${colors[color]} resumed play.`),
  waiting: (color: Color) => `Waiting for ${colors[color]}`,
  waitingHint: (left: string) => `The match resumes when the player is back; otherwise it is aborted in ${left}.`,
  waitingForYou: 'The others are waiting for you.',
};

/** The choices after a match. */
export const postGame = {
  title: 'What next?',
  rematch: 'Rematch',
  rematchRequested: 'Rematch requested',
  decline: 'Decline rematch',
  ownRequest: 'You asked for a rematch',
  wantsRematch: (color: Color) => `${colors[color]} wants a rematch`,
  declinesRematch: (color: Color) => `${colors[color]} does not want a rematch`,
  newMatch: (variant: Variant) => `New ${variants[variant].name} match`,
  newMatchHint: 'With whoever is waiting.',
  sameBotsHint: 'Against the same bots, at once.',
  newPrivateTable: 'New private table',
  newPrivateTableHint: 'With the same settings, by invitation only.',
  watch: 'Keep watching',
  leave: 'Leave',
  replay: 'Replay this match',
  record: 'Download the record',
};
