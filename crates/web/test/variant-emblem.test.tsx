import { afterEach, describe, expect, it } from 'vitest';
import { VARIANT_FACTS } from '../src/protocol/generated.ts';
import { VARIANTS } from '../src/store/variants.ts';
import { emblemParts, VariantEmblem } from '../src/view/variant-emblem.tsx';
import { closePage, findElement, renderPage } from './support/page.tsx';
import { ScriptedMatch } from './support/match.ts';
import { onlineClient } from './support/stub-client.ts';

/** Returns the number of separate parts of a path. */
const partCount = (path: string): number => path.split('M').length - 1;

describe('the emblem of a variant', () => {
  afterEach(closePage);

  it('is drawn from the facts about its board, so that a new variant has one', () => {
    for (const variant of VARIANTS) {
      const { board, seats } = VARIANT_FACTS[variant];
      const parts = emblemParts(variant);
      expect(parts.armies.map(({ color }) => color), variant).toEqual(seats.map(({ color }) => color));
      for (const army of parts.armies) expect(partCount(army.path), `${variant} ${army.color}`).toBe(board.corner === 0 ? 2 : board.corner);
      const size = board.files - 2 * board.corner;
      expect(parts.board).toBe(`M${board.corner} ${board.corner}h${size}v${size}h${-size}z`);
    }
  });

  it('is another one for each variant', () => {
    const drawings = VARIANTS.map((variant) => JSON.stringify(emblemParts(variant)));
    expect(new Set(drawings).size).toBe(VARIANTS.length);
    const sizes = VARIANTS.map((variant) => Number(emblemParts(variant).viewBox.split(' ').at(-1)) / VARIANT_FACTS[variant].board.files);
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1.25);
  });

  it('shows which seats of a table are taken', () => {
    const { seats } = new ScriptedMatch('dilkel', { red: 'Ada', blue: null, yellow: 'Cy', green: null });
    renderPage(onlineClient().client, <VariantEmblem variant="dilkel" seats={seats} />);
    const held = VARIANT_FACTS.dilkel.seats.map(({ color }) => findElement(`.arm[data-color="${color}"]`).dataset['held']);
    expect(held).toEqual(['true', 'false', 'true', 'false']);
    closePage();
    renderPage(onlineClient().client, <VariantEmblem variant="classic" />);
    expect(document.querySelectorAll('.arm[data-held="true"]')).toHaveLength(2);
  });
});
