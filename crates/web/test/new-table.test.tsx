import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from '../src/connection/outbox.ts';
import type { CreateTable } from '../src/protocol/generated.ts';
import { browserPersistence } from '../src/store/persistence.ts';
import { lastChoices } from '../src/view/lobby/last-choices.ts';
import { NewTableDialog } from '../src/view/lobby/new-table-dialog.tsx';
import { createTableRequest, DEFAULT_CHOICES, withPrivacy, withVariant } from '../src/view/lobby/table-choices.ts';
import { fieldProblem } from '../src/view/lobby/field-problem.ts';
import { text } from '../src/text/index.ts';
import { flushTasks } from './support/explorer.ts';
import { MATCH, TABLE } from './support/match.ts';
import { click, closePage, byTestId, exists, fillField, renderPage } from './support/page.tsx';
import { onlineClient } from './support/stub-client.ts';

/** Opens the dialog and returns its requests to the server, which all end with this refusal. */
function openDialog(refusal?: Refusal): CreateTable[] {
  const asked: CreateTable[] = [];
  const { client } = onlineClient({
    createTable: (body) => {
      asked.push(body);
      return refusal === undefined ? new Promise(() => undefined) : Promise.reject(refusal);
    },
  });
  renderPage(client, <NewTableDialog onClose={() => undefined} />);
  return asked;
}

function choose(name: string, value: string): void {
  const select = byTestId<HTMLSelectElement>(`set-${name}`);
  act(() => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

async function submit(): Promise<void> {
  await act(async () => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await Promise.resolve();
  });
}

afterEach(() => {
  closePage();
  localStorage.clear();
});

describe('the choices for a new table', () => {
  it('have defaults', () => {
    expect(createTableRequest(DEFAULT_CHOICES, () => 0)).toEqual({
      variant: 'dilkel',
      privacy: 'public',
      seat: 'red',
      time: { kind: 'none' },
      move_limit_ms: 300_000,
      draws: 'claim',
      absence: 'eliminate',
      watchers: 'everybody',
      chat: 'on',
      admission: 'open',
      rated: false,
      seating: 'chosen',
      hotseat: false,
    });
  });

  it('depend on the privacy', () => {
    const friends = withPrivacy(DEFAULT_CHOICES, 'private');
    expect(friends).toMatchObject({ absence: 'wait', watchers: 'link', admission: 'invite', limit_minutes: 0 });
    expect(createTableRequest(friends)).not.toHaveProperty('move_limit_ms');
    expect(withPrivacy({ ...friends, hotseat: true }, 'public')).toEqual(DEFAULT_CHOICES);
    expect(withPrivacy({ ...friends, chat: 'off' }, 'private').chat).toBe('off');
  });

  it('have one time control, and a move limit only without clocks', () => {
    const fischer = createTableRequest({ ...DEFAULT_CHOICES, clock: 'fischer' });
    expect(fischer).not.toHaveProperty('move_limit_ms');
    expect(fischer.time).toEqual({ kind: 'fischer', base_ms: 600_000, increment_ms: 5_000 });
    const delay = createTableRequest({ ...DEFAULT_CHOICES, seat: null, clock: 'delay', base_minutes: 7.5, extra_seconds: 10, setup: ' fen ' });
    expect(delay).toMatchObject({ setup: 'fen', time: { kind: 'delay', base_ms: 450_000, delay_ms: 10_000 } });
    expect(delay).not.toHaveProperty('seat');
    expect(createTableRequest({ ...DEFAULT_CHOICES, clock: 'correspondence' }).time).toEqual({ kind: 'correspondence', days: 3 });
  });

  it('keep a seat only if the variant has it', () => {
    expect(withVariant({ ...DEFAULT_CHOICES, seat: 'red' }, 'dilkel-compact').seat).toBe('red');
    expect(withVariant({ ...DEFAULT_CHOICES, seat: 'red' }, 'classic').seat).toBe('white');
    expect(withVariant(DEFAULT_CHOICES, 'classic').seat).toBe('random');
    expect(withVariant({ ...DEFAULT_CHOICES, seat: null }, 'classic').seat).toBeNull();
  });
});

describe('a random seat', () => {
  it('is drawn when the table is made, from all seats of the variant', () => {
    const seats = (variant: 'classic' | 'dilkel', numbers: readonly number[]): unknown[] =>
      numbers.map((number) => createTableRequest({ ...DEFAULT_CHOICES, variant }, () => number).seat);
    expect(seats('dilkel', [0, 0.25, 0.5, 0.999])).toEqual(['red', 'blue', 'yellow', 'green']);
    expect(seats('classic', [0.49, 0.5])).toEqual(['white', 'black']);
  });

  it('leaves the other seats to the bots', () => {
    const { seat, bots } = createTableRequest({ ...DEFAULT_CHOICES, bots: { kind: 'built_in', level: 2 } }, () => 0.3);
    expect(seat).toBe('blue');
    expect(bots?.map((bot) => bot.seat)).toEqual(['red', 'yellow', 'green']);
  });
});

describe('the clocks of a new table', () => {
  it.each([
    ['1-15', { kind: 'delay', base_ms: 60_000, delay_ms: 15_000 }],
    ['5-5', { kind: 'fischer', base_ms: 300_000, increment_ms: 5_000 }],
    ['10-5', { kind: 'fischer', base_ms: 600_000, increment_ms: 5_000 }],
    ['none', { kind: 'none' }],
    ['days', { kind: 'correspondence', days: 3 }],
  ] as const)('are one press away if they are common: %s', async (preset, time) => {
    const asked = openDialog();
    click(byTestId(`choose-clock-${preset}`));
    expect(byTestId<HTMLInputElement>(`choose-clock-${preset}`).checked).toBe(true);
    await submit();
    expect(asked[0]?.time).toEqual(time);
  });

  it('allow any numbers', async () => {
    const asked = openDialog();
    expect(exists('choose-time-delay')).toBe(false);
    click(byTestId('choose-clock-custom'));
    click(byTestId('choose-time-delay'));
    const base = document.querySelector<HTMLInputElement>('[name="base"]');
    if (base === null) throw new Error('it has minutes');
    act(() => {
      base.value = '3';
      base.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await submit();
    expect(asked.at(-1)?.time).toEqual({ kind: 'delay', base_ms: 180_000, delay_ms: 5_000 });
  });
});

describe('the last choices', () => {
  it('are offered again, except for a start position', async () => {
    const { client } = onlineClient({ createTable: () => Promise.resolve({ table: TABLE, match: MATCH }) });
    renderPage(client, <NewTableDialog onClose={() => undefined} />);
    click(byTestId('choose-variant-classic'));
    click(byTestId('choose-seat-black'));
    click(byTestId('choose-clock-1-15'));
    choose('chat', 'off');
    fillField('setup', 'fen');
    await submit();
    await act(flushTasks);
    closePage();
    openDialog();
    for (const choice of ['variant-classic', 'seat-black', 'clock-1-15']) {
      expect(byTestId<HTMLInputElement>(`choose-${choice}`).checked, choice).toBe(true);
    }
    expect(byTestId<HTMLSelectElement>('set-chat').value).toBe('off');
    expect(byTestId<HTMLTextAreaElement>('setup').value).toBe('');
  });

  it.each(['', 'null', '[1]', '{"variant":"draughts","seat":7,"base_minutes":"ten","days":99}'])('are the defaults if %s was stored', (kept) => {
    localStorage.setItem('quadrex.new-table', kept);
    expect(lastChoices(browserPersistence())).toEqual(DEFAULT_CHOICES);
  });

  it('are valid together, whatever was stored', () => {
    localStorage.setItem('quadrex.new-table', '{"variant":"classic","seat":"green","absence":"wait","limit_minutes":0}');
    expect(lastChoices(browserPersistence())).toEqual({ ...DEFAULT_CHOICES, variant: 'classic', seat: 'white' });
  });
});

describe('the dialog for a new table', () => {
  it('offers the rarer settings if they are allowed', async () => {
    const asked = openDialog();
    choose('seating', 'drawn');
    choose('chat', 'phrases');
    choose('limit', '15');
    await submit();
    expect(asked).toMatchObject([{ rated: false, seating: 'drawn', chat: 'phrases', move_limit_ms: 900_000 }]);
    click(byTestId('choose-privacy-private'));
    expect(exists('set-admission')).toBe(false);
    choose('absence', 'eliminate');
    await submit();
    expect(asked[1]).toMatchObject({ privacy: 'private', absence: 'eliminate', watchers: 'link' });
    choose('hotseat', 'yes');
    await submit();
    expect(asked[2]).toMatchObject({ privacy: 'private', rated: false, hotseat: true });
    click(byTestId('choose-privacy-public'));
    expect(exists('set-hotseat')).toBe(false);
  });

  it('shows the server’s error at its field, and opens the details', async () => {
    openDialog(new Refusal('bad_setting', 'seating is drawn, but a table with setup has chosen seats'));
    await submit();
    expect(byTestId('wrong-seating').textContent).toBe('Seating is drawn, but a table with setup has chosen seats.');
    expect(byTestId('set-seating').getAttribute('aria-invalid')).toBe('true');
    expect(document.querySelector<HTMLDetailsElement>('details.more-settings')?.open).toBe(true);
    expect(byTestId('wrong-table').textContent).toBe('');
  });

  it('shows other errors below the form', async () => {
    openDialog(new Refusal('rate_limited', 'too many tables, try again in a minute'));
    await submit();
    expect(byTestId('wrong-table').textContent).toBe('Too many tables, try again in a minute.');
  });
});

describe('fieldProblem', () => {
  it('finds the field by the code and the first word', () => {
    expect(fieldProblem(new Refusal('bad_setup', 'no king')).field).toBe('setup');
    expect(fieldProblem(new Refusal('bad_setting', 'move_limit_ms is 1, it must be more')).field).toBe('limit');
    expect(fieldProblem(new Refusal('bad_setting', 'something else')).field).toBeNull();
    expect(fieldProblem(new TypeError('no line'))).toEqual({ field: null, message: text.serverUnreachable });
  });
});
