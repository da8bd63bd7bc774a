import type { TableSettings } from '../protocol/generated.ts';
import { text } from './index.ts';

/**
 * Returns the time control of a table in a few words: its clocks or, in a match without clocks, the
 * limit for each move.
 */
export function timeControlText(settings: Pick<TableSettings, 'time' | 'move_limit_ms'>): string {
  const { time, move_limit_ms } = settings;
  if (time.kind !== 'none' || move_limit_ms === undefined) return text.time(time);
  return text.settings.limitShort(move_limit_ms);
}

/** Returns the unusual settings of a table, which a player should know before taking a seat. */
export function unusualSettings(settings: TableSettings): string[] {
  const words = text.settings;
  const said: string[] = [];
  if (settings.group !== undefined) said.push(text.groups.ofGroup);
  if (settings.rated) said.push(words.rated);
  if (settings.rating_range !== undefined) said.push(words.ratingRange(settings.rating_range));
  if (settings.seating === 'drawn') said.push(words.drawnSeats);
  if (settings.setup !== undefined) said.push(words.ownSetup);
  if (settings.anonymous === true) said.push(text.anonymous.short);
  if (settings.hotseat) said.push(words.oneScreen);
  if (settings.privacy === 'private') said.push(text.lobby.private);
  else if (settings.admission === 'invite') said.push(words.admission.invite);
  return said;
}

/** Returns all settings as pairs of a label and a value. */
export function allSettings(settings: TableSettings): (readonly [string, string])[] {
  const words = text.settings;
  const { labels } = words;
  return [
    [labels.time, text.time(settings.time)],
    ...(settings.time.kind === 'none' ? [[labels.limit, words.limit(settings.move_limit_ms)] as const] : []),
    [labels.rated, settings.rated ? words.rated : words.casual],
    ...(settings.rating_range === undefined ? [] : [[labels.ratingRange, words.ratingRange(settings.rating_range)] as const]),
    [labels.seating, words.seating[settings.seating]],
    [labels.absence, words.absence[settings.absence]],
    [labels.draws, words.draws[settings.draws]],
    [labels.chat, words.chat[settings.chat]],
    [labels.watchers, words.watchers[settings.watchers]],
    [labels.admission, words.admission[settings.admission]],
    ...(settings.anonymous === true ? [[text.anonymous.label, text.anonymous.choices.yes] as const] : []),
    ...(settings.hotseat ? [[labels.hotseat, words.yes] as const] : []),
    ...(settings.setup === undefined ? [] : [[labels.setup, settings.setup] as const]),
  ];
}
