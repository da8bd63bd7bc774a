import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREFERENCE_OPTIONS } from '../src/store/preferences.ts';
import { PieceIcon, PieceShapes } from '../src/view/board/piece-icon.tsx';
import { PIECE_SETS } from '../src/view/board/piece-sets.ts';
import { SettingsForm } from '../src/view/settings/settings-form.tsx';
import { closePage, findElement as element, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

const SETS = PREFERENCE_OPTIONS.pieces;
const ROLES = ['K', 'Q', 'R', 'B', 'N', 'P'] as const;

/** Returns the paths of a displayed piece. */
function drawing(role: string): string[] {
  const symbol = document.querySelector(element('.piece use').getAttribute('href') ?? '');
  expect(symbol?.id).toBe(`piece-${role}`);
  return [...(symbol?.querySelectorAll('path') ?? [])].map((path) => path.getAttribute('d') ?? '');
}

describe('the sets of pieces', () => {
  beforeEach(() => localStorage.clear());
  afterEach(closePage);

  it('has three sets, each with its own drawing of every piece', () => {
    expect(Object.keys(PIECE_SETS).toSorted()).toEqual([...SETS].toSorted());
    for (const role of ROLES) {
      const drawings = SETS.map((set) => PIECE_SETS[set][role].map(({ d }) => d).join());
      expect(new Set(drawings).size, role).toBe(SETS.length);
    }
    for (const set of SETS) {
      const drawings = ROLES.map((role) => PIECE_SETS[set][role].map(({ d }) => d).join());
      expect(new Set(drawings).size, set).toBe(ROLES.length);
      for (const role of ROLES) expect(PIECE_SETS[set][role].some(({ kind }) => kind === 'body'), `${set} ${role}`).toBe(true);
    }
  });

  it('previews each set, and draws all pieces with the chosen set', () => {
    const { client } = onlineClient();
    const knight = 'N';
    renderPage(
      client,
      <>
        <PieceShapes />
        <PieceIcon color="red" role={knight} />
        <SettingsForm />
      </>,
    );
    expect(drawing('N')).toEqual(PIECE_SETS.standard.N.map(({ d }) => d));
    for (const set of SETS) {
      expect(element(`.swatches[data-set="${set}"]`).querySelectorAll('path')).not.toHaveLength(0);
      act(() => element(`[data-testid="choose-pieces-${set}"]`).click());
      expect(client.preferences.pieces.value).toBe(set);
      expect(drawing('N')).toEqual(PIECE_SETS[set].N.map(({ d }) => d));
    }
  });
});
