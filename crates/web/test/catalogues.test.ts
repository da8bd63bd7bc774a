import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import schema from '../../../docs/schema/error_body.json';
import { type Language, LANGUAGE_TAGS } from '../src/store/languages.ts';
import { en } from '../src/text/en/index.ts';
import { loadCatalogue } from '../src/text/languages.ts';
import { samplesFor, textsOf } from './support/samples.ts';

/** All codes of refusals in the protocol. */
const CODES: readonly string[] = schema.$defs.RefusalCode.oneOf.map((one) => one.const);

/**
 * The texts that a language shares with English: names, notations and words of both languages. A
 * new language has its own list.
 */
const SHARED: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: [
    'Animation (GIF)',
    'Blitz',
    'Bot',
    'Bots',
    'Bullet',
    'Chat',
    'Dilkel',
    'En passant',
    'Engine',
    'Lobby',
    'Moderation',
    'Name',
    'Offline',
    'Online',
    'Pause',
    'Pause?',
    'Quadrex',
    'Reserve',
    'Tokens',
    'Webhooks',
    'e.p.',
    'h2h4',
  ],
  es: ['Bot', 'Bots', 'Chat', 'Dilkel', 'Mate', 'Quadrex', 'Tokens', 'h2h4', 'mate'],
};

/** The texts made of numbers, names and units alone, which may be the same in every language. */
const NEUTRAL: ReadonlySet<string> = new Set(['number', 'percent', 'pawns', 'clockTime', 'day', 'moment', 'bots.choice', 'bots.engine', 'bots.levels', 'newTableDialog.preset', 'reports.about', 'review.loss']);

/** The words of typed commands, of which a language may have more or fewer than another. */
const COMMANDS = /^queries\.commands\./;

/** The texts in which `?` is a key or a command. */
const QUESTION_MARK_IS_A_KEY = /^(?:queries|preferences\.hints\.shortcuts)/;

interface Typography {
  /** Characters and sequences that the language does not use, each with what it uses instead. */
  readonly wrong: readonly (readonly [RegExp, string])[];
}

const TYPOGRAPHY: Readonly<Record<Language, Typography>> = {
  en: {
    wrong: [
      [/["„«»]/, '“ and ”'],
      [/\p{L}'\p{L}/u, '’'],
      [/\s…/, '… without a space'],
    ],
  },
  de: {
    wrong: [
      [/["”«»]/, '„ and “'],
      [/“[^“„]*“|^[^„]*“/, '„ before “'],
      [/\p{L}…/u, ' …'],
    ],
  },
  es: {
    wrong: [
      [/["„“”]/, '« and »'],
      [/\s…/, '… without a space'],
      [/^[^¿]*\?|\?[^¿]*\?/, '¿ before ?'],
      [/^[^¡]*!|![^¡]*!/, '¡ before !'],
    ],
  },
};

/** Signs of a text that was not made or not translated, in any language. */
const BROKEN = /undefined|null|NaN|\[object|=>|\$\{|\bTODO\b|\bFIXME\b|\.\.\.| {2}|^\s|\s$/;

const english = textsOf(en);

/** The outputs of every text: a string's own, or those of a function for its sample values. */
async function outputsOf(language: Language): Promise<Map<string, readonly string[]>> {
  const outputs = new Map<string, readonly string[]>();
  for (const [path, text] of textsOf(await loadCatalogue(language))) {
    if (typeof text === 'string') {
      outputs.set(path, [text]);
      continue;
    }
    const base = english.get(path);
    if (typeof base !== 'function') throw new Error(`${path} is a function in ${language} only`);
    outputs.set(
      path,
      samplesFor(path, base, CODES).map((values) => {
        const output = text(...values);
        if (typeof output !== 'string') throw new Error(`${path}(${values.join(', ')}) is no text in ${language}: ${String(output)}`);
        return output;
      }),
    );
  }
  return outputs;
}

it('every folder of texts is a language, and every language has one', () => {
  const folders = readdirSync('src/text', { withFileTypes: true });
  expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted()).toEqual(LANGUAGE_TAGS.toSorted());
});

describe.each(LANGUAGE_TAGS)('the catalogue %s', (language) => {
  it('has the texts of the English one, with parameters where it has them', async () => {
    const texts = textsOf(await loadCatalogue(language));
    const names = (all: ReadonlyMap<string, unknown>): string[] => [...all.keys()].filter((path) => !COMMANDS.test(path)).toSorted();
    expect(names(texts)).toEqual(names(english));
    const differing = [...texts].filter(([path, text]) => {
      const base = english.get(path) ?? text;
      return typeof text !== typeof base || (typeof text === 'function' && typeof base === 'function' && text.length > base.length);
    });
    expect(differing.map(([path]) => path)).toEqual([]);
  });

  it('makes a whole sentence of every text and every sample value', async () => {
    const broken = [...(await outputsOf(language))].flatMap(([path, outputs]) =>
      outputs.filter((output) => output === '' || BROKEN.test(output)).map((output) => `${path}: ${output}`),
    );
    expect(broken).toEqual([]);
  });

  it('uses the quotes, dots and marks of the language', async () => {
    const wrong = [...(await outputsOf(language))].flatMap(([path, outputs]) =>
      QUESTION_MARK_IS_A_KEY.test(path)
        ? []
        : outputs.flatMap((output) => TYPOGRAPHY[language].wrong.filter(([sign]) => sign.test(output)).map(([, instead]) => `${path}: ${output} (${instead})`)),
    );
    expect(wrong).toEqual([]);
  });

  it('has no command with two meanings, in the language and in English', async () => {
    const own = await loadCatalogue(language);
    const meanings = new Map<string, Set<string>>();
    for (const { commands } of [own.queries, en.queries]) {
      for (const [kind, words] of Object.entries(commands)) for (const word of words) meanings.set(word, (meanings.get(word) ?? new Set()).add(kind));
    }
    expect([...meanings].filter(([, kinds]) => kinds.size > 1).map(([word, kinds]) => `${word}: ${[...kinds].join(', ')}`)).toEqual([]);
  });

  it('has a text for every code of a refusal', async () => {
    expect(CODES.length).toBeGreaterThan(40);
    const { refusal } = await loadCatalogue(language);
    const texts = CODES.map((code) => refusal(code as Parameters<typeof refusal>[0], 'x: y'));
    expect(texts.filter((text) => text.trim().length < 4)).toEqual([]);
  });
});

describe.each(LANGUAGE_TAGS.filter((language) => language !== 'en'))('the catalogue %s', (language) => {
  it('has no English text, except what the languages share', async () => {
    const [own, base] = [await outputsOf(language), await outputsOf('en')];
    const shared = SHARED[language];
    const same = [...own].filter(([path, outputs]) => {
      const untranslated = outputs.every((output, index) => output === base.get(path)?.[index]);
      return untranslated && !NEUTRAL.has(path) && !outputs.every((output) => shared.includes(output));
    });
    expect(same.map(([path, outputs]) => `${path}: ${outputs[0]}`)).toEqual([]);
  });

  it('shares no more words with English than it lists', async () => {
    const used = new Set([...(await outputsOf(language)).values()].flat());
    expect(SHARED[language].filter((word) => !used.has(word))).toEqual([]);
  });

  it('translates every refusal whose cause is in its code', async () => {
    const { refusal } = await loadCatalogue(language);
    const withMessage = CODES.filter((code) => refusal(code as Parameters<typeof refusal>[0], 'the server’s words').includes('the server’s words'));
    expect(withMessage.toSorted()).toEqual(['bad_setting', 'bad_setup', 'internal', 'malformed', 'unknown_type']);
  });
});
