import type { Catalogue } from '../index.ts';
import { ago, clockTime, day, list, moment, number, pawns, percent, place, span, time } from './amounts.ts';
import { account, deletion, passwordReset, personalData, recoveryKey, sessions, signedOut, signIn, tokens } from './account.ts';
import { admin } from './admin.ts';
import { analysis } from './analysis.ts';
import { anonymous } from './anonymous.ts';
import { archive, player } from './archive.ts';
import { bots } from './bots.ts';
import { chat } from './chat.ts';
import { conditional } from './conditional-moves.ts';
import { engine } from './engine.ts';
import { events } from './events.ts';
import { abortCauses, causes, colors, shortCauses, pieceCount, reasons, roleCount, roles, variants } from './game.ts';
import { friends } from './friends.ts';
import { games } from './games.ts';
import { groups } from './groups.ts';
import { invitations } from './invitations.ts';
import { invite } from './invite.ts';
import { mailPage, notifications, webhooks } from './notifications.ts';
import { pairs } from './pairs.ts';
import { people } from './people.ts';
import { calls, newTableDialog, lobby, showcase, playPanel, waitingOffer } from './lobby.ts';
import { keys, replayControls, zen } from './replay-controls.ts';
import { hotseat, play, square } from './move-input.ts';
import { postGame, suspension, request, requests } from './requests.ts';
import { providers, signInFailed } from './providers.ts';
import { preferences } from './preferences.ts';
import { rules } from './rules.ts';
import { ratings } from './ratings.ts';
import { replay, share } from './replay.ts';
import { reports } from './reports.ts';
import { review } from './review.ts';
import { settings } from './settings.ts';
import { handover, nav, notFound, notLoaded, ownName, ratedWait, shell, storage, suspended, takeOver, warning } from './shell.ts';
import { links, table } from './table.ts';
import { queries } from './queries.ts';
import { vacation } from './vacation.ts';

/** The Spanish texts of the client. */
export const es: Catalogue = {
  ...shell,
  account,
  admin,
  ago,
  abortCauses,
  postGame,
  analysis,
  anonymous,
  archive,
  bots,
  calls,
  causes,
  chat,
  clockTime,
  colors,
  newTableDialog,
  conditional,
  vacation,
  day,
  deletion,
  engine,
  ratedWait,
  suspended,
  suspension,
  friends,
  games,
  handover,
  hotseat,
  groups,
  invitations,
  invite,
  keys,
  links,
  list,
  lobby,
  shortCauses,
  mailPage,
  moment,
  nav,
  notFound,
  notLoaded,
  notifications,
  number,
  ownName,
  passwordReset,
  pawns,
  pairs,
  people,
  personalData,
  percent,
  pieceCount,
  place,
  play,
  player,
  preferences,
  providers,
  queries,
  ratings,
  reasons,
  recoveryKey,
  replay,
  replayControls,
  zen,
  request,
  requests,
  reports,
  review,
  roleCount,
  roles,
  rules,
  events,
  sessions,
  settings,
  share,
  signedOut,
  signIn,
  signInFailed,
  showcase,
  span,
  square,
  playPanel,
  storage,
  table,
  takeOver,
  time,
  tokens,
  variants,
  waitingOffer,
  warning,
  webhooks,
};
