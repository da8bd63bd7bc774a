import { afterEach, describe, expect, it } from 'vitest';
import { takeTableSecrets } from '../src/store/table-secrets.ts';
import { persistenceIn, type Persistence } from '../src/store/persistence.ts';
import { loadPreferences } from '../src/store/preferences.ts';
import { TABLE } from './support/match.ts';

afterEach(() => localStorage.clear());

function refuse(): never {
  throw new DOMException('no', 'SecurityError');
}

/** A storage whose calls can fail one by one. */
class Failing implements Storage {
  readonly values = new Map<string, string>();
  fails: ReadonlySet<'getItem' | 'setItem'>;
  constructor(...fails: readonly ('getItem' | 'setItem')[]) {
    this.fails = new Set(fails);
  }
  get length(): number {
    return this.values.size;
  }
  getItem(name: string): string | null {
    if (this.fails.has('getItem')) refuse();
    return this.values.get(name) ?? null;
  }
  setItem(name: string, value: string): void {
    if (this.fails.has('setItem')) throw new DOMException('no', 'QuotaExceededError');
    this.values.set(name, value);
  }
  removeItem(name: string): void {
    this.values.delete(name);
  }
  clear(): void {
    this.values.clear();
  }
  key(): null {
    return null;
  }
}

const WITHOUT: readonly (readonly [string, () => Persistence])[] = [
  ['refused', () => persistenceIn(refuse)],
  ['null', () => persistenceIn(() => null)],
  ['full', () => over(new Failing('setItem'))],
  ['broken', () => over(new Failing('getItem', 'setItem'))],
];

function over(storage: Storage): Persistence {
  return persistenceIn(() => storage);
}

describe.each(WITHOUT)('with storage that is %s', (_, open) => {
  it('values are kept until the page is closed, and are marked as temporary', () => {
    const persistence = open();
    expect(persistence.isPermanent()).toBe(false);
    expect(persistence.get('a')).toBeNull();
    persistence.set('a', '1');
    persistence.set('a', '2');
    expect(persistence.get('a')).toBe('2');
    expect(open().get('a')).toBeNull();
  });

  it('preferences and table secrets work', () => {
    const persistence = open();
    loadPreferences(persistence).theme.value = 'dark';
    expect(loadPreferences(persistence).theme.value).toBe('dark');
    history.replaceState(null, '', `/t/${TABLE}#watch=s3cret`);
    expect(takeTableSecrets(TABLE, location, history, persistence).watch).toBe('s3cret');
    expect(takeTableSecrets(TABLE, location, history, persistence).watch).toBe('s3cret');
  });
});

it('an unsaved value precedes the stored one', () => {
  const storage = new Failing();
  const persistence = over(storage);
  persistence.set('a', 'old');
  storage.fails = new Set(['setItem']);
  persistence.set('a', 'new');
  expect(persistence.get('a')).toBe('new');
  expect(persistence.isPermanent()).toBe(false);
  storage.fails = new Set();
  persistence.set('a', 'newer');
  expect([persistence.get('a'), storage.values.get('a'), persistence.isPermanent()]).toEqual(['newer', 'newer', true]);
});

it('storage that fails later loses no known value and keeps no test value', () => {
  const storage = new Failing();
  storage.values.set('theirs', 'x');
  const persistence = over(storage);
  persistence.set('a', '1');
  expect([persistence.get('theirs'), persistence.isPermanent()]).toEqual(['x', true]);
  expect([...storage.values.keys()].toSorted()).toEqual(['a', 'theirs']);
  storage.fails = new Set(['getItem', 'setItem']);
  expect([persistence.get('a'), persistence.get('theirs'), persistence.isPermanent()]).toEqual(['1', 'x', false]);
});

it('a value that another tab removed is removed here too', () => {
  const storage = new Failing();
  const persistence = over(storage);
  persistence.set('a', '1');
  storage.clear();
  expect(persistence.get('a')).toBeNull();
});
