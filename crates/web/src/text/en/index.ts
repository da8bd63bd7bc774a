import { list, place, time } from './amounts.ts';
import { chat } from './chat.ts';
import { say } from './events.ts';
import { aborts, causes, colors, marks, reasons, roles, variants } from './game.ts';
import { create, lobby } from './lobby.ts';
import { hotseat, play, square } from './play.ts';
import { after, frozen, request, requests } from './requests.ts';
import { settings } from './settings.ts';
import { handover, shell } from './shell.ts';
import { links, table } from './table.ts';

/** All words the client shows, in English. Another language is another object of this type. */
export const en = {
  ...shell,
  aborts,
  after,
  causes,
  chat,
  colors,
  create,
  frozen,
  handover,
  hotseat,
  links,
  list,
  lobby,
  marks,
  place,
  play,
  reasons,
  request,
  requests,
  roles,
  say,
  settings,
  square,
  table,
  time,
  variants,
};
