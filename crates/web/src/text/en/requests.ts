import type { Color, Variant } from '../../protocol/generated.ts';
import { list } from './amounts.ts';
import { colors, variants } from './game.ts';

/** What needs the consent of all players still in, by its kind. */
export const requests = {
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
};

/** What is said about requests of every kind. */
export const request = {
  open: 'Open requests',
  agreed: 'You agreed',
  waits: (waiting: readonly Color[]) => `Still asked: ${list(waiting.map((color) => colors[color]))}`,
  abortTitle: 'Abort the match?',
  abortHint: 'If all players still in agree, the match ends without places.',
  abortAsk: 'Ask the others',
  claim: 'Claim draw',
  claimWithMove: 'Claim a draw with my move',
};

/** While no time runs and nobody may move. */
export const frozen = {
  paused: 'Paused',
  pausedHint: (left: string) => `The pause ends by itself in ${left}.`,
  resume: 'Go on',
  resuming: 'Play goes on',
  resumingHint: (color: Color | null) => (color === null ? 'The pause is used up.' : `${colors[color]} ended the pause.`),
  waiting: (color: Color) => `Waiting for ${colors[color]}`,
  waitingHint: (left: string) => `The match goes on when the player is back, and is aborted in ${left}.`,
  own: 'The others wait for you.',
};

/** What may come after a match. */
export const after = {
  title: 'What next',
  rematch: 'Rematch',
  asked: 'You want a rematch',
  decline: 'No rematch',
  youAsk: 'You ask for a rematch',
  asks: (color: Color) => `${colors[color]} wants a rematch`,
  declined: (color: Color) => `${colors[color]} does not want a rematch`,
  next: (variant: Variant) => `Next ${variants[variant].name} match`,
  leave: 'Leave',
  replay: 'Replay this match move by move',
  record: 'Save the record of this match',
};
