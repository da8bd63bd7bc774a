import { describe, expect, it } from 'vitest';
import { mergePatch } from '../src/store/merge-patch.ts';

describe('mergePatch', () => {
  /** RFC 7396, appendix A: the original, the patch, and the result. */
  const CASES: [unknown, unknown, unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a', 'b'], ['c', 'd'], ['c', 'd']],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];

  it('follows the examples of RFC 7396', () => {
    for (const [value, patch, expected] of CASES) {
      const before = JSON.stringify(value);
      expect(mergePatch(value, patch)).toEqual(expected);
      expect(JSON.stringify(value), 'the given value is unchanged').toBe(before);
    }
  });

  it('gives no name a special meaning', () => {
    const patch: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    const merged = mergePatch({}, patch);
    expect(Object.keys(merged as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
