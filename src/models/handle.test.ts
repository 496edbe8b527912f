import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { HANDLE_KINDS, handleOf, isHandle, rowOfHandle } from './handle.js';

const names = fc.array(fc.oneof(fc.constantFrom('', 'a', 'a.b', '\ud800'), fc.string({ unit: 'binary' })), {
  minLength: 1,
  maxLength: 10,
});

describe('handles', () => {
  test('name their row, whatever its name, and only of their kind', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...HANDLE_KINDS), (list, kind) => {
        for (const [row, name] of list.entries()) {
          const handle = handleOf(kind, row, name);
          ok(/^\w+#\d+-[0-9a-f]{8}$/.test(handle));
          for (const other of HANDLE_KINDS) {
            equal(isHandle(other, handle), other === kind);
            equal(
              rowOfHandle(other, handle, list.length, (id) => list[id] ?? ''),
              other === kind ? row : undefined,
            );
          }
        }
      }),
      runs(200),
    );
  });

  test('of a table in another order name the only row with the name', () => {
    fc.assert(
      fc.property(names, fc.nat(20), (list, shift) => {
        const others = [...Array.from({ length: shift + 1 }, (_, i) => `another ${i}`), ...list];
        for (const [row, name] of list.entries()) {
          // The row of the handle has another name there, unless both have the same.
          if (others[row] === name) continue;
          const places = [...others.keys()].filter((id) => others[id] === name);
          const [place = -1, another] = places;
          equal(
            rowOfHandle('thread', handleOf('thread', row, name), others.length, (id) => others[id] ?? ''),
            another === undefined ? place : -1,
          );
        }
      }),
      runs(200),
    );
  });

  test('of names that are not there name none', () => {
    equal(
      rowOfHandle('class', handleOf('class', 3, 'a'), 2, () => 'b'),
      -1,
    );
    equal(
      rowOfHandle('class', handleOf('class', 0, 'a'), 0, () => 'a'),
      -1,
    );
  });

  test('are distinguished from names and patterns', () => {
    for (const text of [
      'function',
      'function#',
      'function#1',
      'function#1-5f2a',
      'function#1-5F2A07BD',
      'x function#1-5f2a07bd',
    ])
      equal(
        rowOfHandle('function', text, 5, () => 'a'),
        undefined,
        text,
      );
  });
});
