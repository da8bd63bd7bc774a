import type { JSX } from 'preact';
import { LANGUAGES } from '../../store/languages.ts';
import { PREFERENCE_OPTIONS, resetPreferences } from '../../store/preferences.ts';
import { text } from '../../text/index.ts';
import { useClient } from '../context.ts';
import { Choice, Option } from '../fields.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { Switch } from './switch.tsx';
import { PieceSetSample, Swatches } from './swatches.tsx';

/** The form of the user's preferences. Each change takes effect at once. */
export function SettingsForm(): JSX.Element {
  const { preferences } = useClient();
  const words = text.preferences;
  const { language, theme, palette, board, pieces, volume, motion } = preferences;
  return (
    <div class="settings-form">
      <section class="settings-group">
        <h2>{words.groups.look}</h2>
        <Choice legend={words.labels.theme} columns={PREFERENCE_OPTIONS.theme.length}>
          {PREFERENCE_OPTIONS.theme.map((one) => (
            <Option key={one} group="theme" value={one} checked={theme.value === one} onPick={() => (theme.value = one)}>
              <span class="theme-sample" data-sample={one} aria-hidden="true" />
              {words.themes[one]}
            </Option>
          ))}
        </Choice>
        <Choice legend={words.labels.language} columns={PREFERENCE_OPTIONS.language.length}>
          {PREFERENCE_OPTIONS.language.map((one) => (
            <Option key={one} group="language" value={one} checked={language.value === one} onPick={() => (language.value = one)}>
              <span lang={one === 'auto' ? undefined : one}>{one === 'auto' ? words.automatic : LANGUAGES[one].name}</span>
            </Option>
          ))}
        </Choice>
        <Choice legend={words.labels.motion} columns={PREFERENCE_OPTIONS.motion.length}>
          {PREFERENCE_OPTIONS.motion.map((one) => (
            <Option key={one} group="motion" value={one} checked={motion.value === one} onPick={() => (motion.value = one)}>
              {words.motions[one]}
            </Option>
          ))}
        </Choice>
      </section>
      <section class="settings-group">
        <h2>{words.groups.board}</h2>
        <Choice legend={words.labels.palette} columns={PREFERENCE_OPTIONS.palette.length}>
          {PREFERENCE_OPTIONS.palette.map((one) => (
            <Option key={one} group="palette" value={one} checked={palette.value === one} onPick={() => (palette.value = one)}>
              <Swatches palette={one} />
              {words.palettes[one]}
            </Option>
          ))}
        </Choice>
        <Choice legend={words.labels.board} columns={PREFERENCE_OPTIONS.board.length}>
          {PREFERENCE_OPTIONS.board.map((one) => (
            <Option key={one} group="board" value={one} checked={board.value === one} onPick={() => (board.value = one)}>
              <span class="board-sample" data-board={one} aria-hidden="true" />
              {words.boards[one]}
            </Option>
          ))}
        </Choice>
        <Choice legend={words.labels.pieces} columns={PREFERENCE_OPTIONS.pieces.length}>
          {PREFERENCE_OPTIONS.pieces.map((one) => (
            <Option key={one} group="pieces" value={one} checked={pieces.value === one} onPick={() => (pieces.value = one)}>
              <PieceSetSample set={one} />
              {words.pieces[one]}
            </Option>
          ))}
        </Choice>
        <Switch name="letters" hint={words.hints.letters} />
        <Switch name="coordinates" />
        <Switch name="turnsBoard" hint={words.hints.turnsBoard} />
      </section>
      <section class="settings-group">
        <h2>{words.groups.play}</h2>
        <Switch name="premove" hint={words.hints.premove} />
        <Switch name="confirm" hint={words.hints.confirm} />
        <Switch name="nextGame" hint={words.hints.nextGame} />
        <Switch name="shortcuts" hint={words.hints.shortcuts} />
      </section>
      <section class="settings-group">
        <h2>{words.groups.signals}</h2>
        <Switch name="sound" hint={words.hints.sound} />
        <Choice legend={words.labels.volume} columns={PREFERENCE_OPTIONS.volume.length}>
          {PREFERENCE_OPTIONS.volume.map((one) => (
            <Option key={one} group="volume" value={one} checked={volume.value === one} onPick={() => (volume.value = one)}>
              {words.volumes[one]}
            </Option>
          ))}
        </Choice>
        <NotificationSwitch />
      </section>
      <button type="button" class="button" data-testid="usual" onClick={() => resetPreferences(preferences)}>
        {words.reset}
      </button>
    </div>
  );
}
