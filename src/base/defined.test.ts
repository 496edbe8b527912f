import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.js';

interface Options {
  readonly name: string;
  readonly limit?: number;
}

test('only undefined fields are removed', () => {
  const limit: number | undefined = Number('3') > 3 ? 3 : undefined;
  const options: Options = defined({ name: 'a', limit });
  deepStrictEqual(options, { name: 'a' });
  deepStrictEqual(defined({ zero: 0, empty: '', no: false, none: null }), {
    zero: 0,
    empty: '',
    no: false,
    none: null,
  });
});
