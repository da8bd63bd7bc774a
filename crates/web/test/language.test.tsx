import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import { de } from '../src/text/de/index.ts';
import { en } from '../src/text/en/index.ts';
import { es } from '../src/text/es/index.ts';
import { setCatalogue, text } from '../src/text/index.ts';
import { bestLanguage, chooseLanguage } from '../src/text/languages.ts';
import { errorText } from '../src/text/error-text.ts';
import { Lobby } from '../src/view/lobby/lobby.tsx';
import { closePage, findElement, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

afterEach(() => {
  closePage();
  setCatalogue(en);
});

describe('languages', () => {
  it('are chosen by the browser’s list, with English as the default', () => {
    expect(bestLanguage(['fr-CH', 'de-CH', 'en'])).toBe('de');
    expect(bestLanguage(['EN-us', 'de'])).toBe('en');
    expect(bestLanguage(['tlh', 'constructor'])).toBe('en');
    expect(bestLanguage([])).toBe('en');
  });

  it('change at once everywhere, including the language of the document', async () => {
    const { client } = onlineClient();
    renderPage(client, <Lobby />);
    expect(findElement('h1').textContent).toBe(en.lobby.headline);
    await act(() => chooseLanguage('de'));
    expect(findElement('h1').textContent).toBe(de.lobby.headline);
    expect(document.documentElement.lang).toBe('de');
    expect(document.documentElement.dir).toBe('ltr');
    await act(() => chooseLanguage('en'));
    expect(findElement('h1').textContent).toBe(en.lobby.headline);
  });

  it('follow the last choice, even if an earlier catalogue arrives later', async () => {
    await Promise.all([chooseLanguage('de'), chooseLanguage('en')]);
    expect(text.lobby.headline).toBe(en.lobby.headline);
    expect(document.documentElement.lang).toBe('en');
  });
});

describe('refusals', () => {
  it('appear in the language of the user', () => {
    const refusal = new Refusal('seat_taken', 'red is held by Bea');
    expect(errorText(refusal)).toBe('This seat is already taken.');
    expect(errorText(new Refusal('stale', 'the board changed at event 12, the move was made at event 11'))).not.toContain('event');
    expect(errorText(new Refusal('forbidden', 'only the table’s host may do this'))).toBe('Only the table’s host may do this.');
    expect(errorText(new Refusal('illegal_move', 'e2 is empty.'))).toBe('e2 is empty.');
    expect(errorText(new Refusal('bad_setting', 'move_limit_ms: expected 1'))).toBe('move_limit_ms: expected 1.');
    setCatalogue(de);
    expect(errorText(refusal)).toBe('Dieser Platz ist schon besetzt.');
    expect(errorText(new Refusal('bad_setup', 'no king')), 'the server’s message is in English').toContain('no king');
    expect(errorText(new TypeError('Failed to fetch'))).toBe(de.serverUnreachable);
  });
});

describe('German sentences', () => {
  it('are inflected', () => {
    setCatalogue(de);
    expect(text.events.captures('red', 'Q')).toBe('schlägt die rote Dame');
    expect(text.events.captures('green', 'P')).toBe('schlägt den grünen Bauern');
    expect(text.events.move('blue', 'Q', 'a7', 'e7')).toBe('Blaue Dame a7 nach e7');
    expect(text.events.move('yellow', 'N', 'a7', 'b5')).toBe('Gelber Springer a7 nach b5');
    expect([1, 2].map((count) => text.pieceCount(count, 'green', 'R'))).toEqual(['1 grüner Turm', '2 grüne Türme']);
    expect(text.play.promotion('Q', null)).toBe('Umwandeln zur Dame');
    expect(text.play.promotion('R', 2)).toBe('Umwandeln zum Turm, 2 in der Reserve');
    expect(text.events.check(['red', 'blue'], 'blue')).toBe('Schach für Rot und dich');
    expect(text.time({ kind: 'fischer', base_ms: 150_000, increment_ms: 2_000 })).toBe('2,5 min + 2 s');
  });
});

describe('Spanish sentences', () => {
  it('agree in gender and number', () => {
    setCatalogue(es);
    expect(text.events.captures('red', 'Q')).toBe('captura la dama roja');
    expect(text.events.captures('green', 'P')).toBe('captura el peón verde');
    expect(text.events.move('yellow', 'R', 'a7', 'b7')).toBe('Torre amarilla de a7 a b7');
    expect(text.play.stuck.pinned('R')).toBe('Esta torre está clavada: si se moviera, tu rey quedaría en jaque.');
    expect(text.play.stuck.pinned('B')).toContain('Este alfil está clavado');
    expect(text.events.check(['red', 'blue'], 'blue')).toBe('jaque a las rojas y a ti');
    expect([1, 2].map((count) => text.pieceCount(count, 'red', 'R'))).toEqual(['1 torre roja', '2 torres rojas']);
    expect([1, 2].map((count) => text.pieceCount(count, 'yellow', 'P'))).toEqual(['1 peón amarillo', '2 peones amarillos']);
    expect([1, 2].map((count) => text.lobby.moves(count))).toEqual(['1 jugada', '2 jugadas']);
    expect(text.time({ kind: 'correspondence', days: 1 })).toBe('1 día por jugada');
  });
});
