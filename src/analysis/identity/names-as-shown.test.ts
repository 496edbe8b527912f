/** Parts of names as tables show them, in which expressions see signs. */
import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { className, functionSignature, matchClasses, matchFunctions, matchNames } from '../../models/program/names.js';
import { picture } from '../../testing/pictures/picture.js';

const { program } = picture(`
  @count  1                       1                  1                1
          shop.Sessions$Session.a shop.Sessions.b    shop.Main.run    shop.Main$$Lambda.run
`);

function classes(pattern: string): string[] {
  return [...matchClasses(program, pattern)].flatMap((mark, id) => (mark === 1 ? [className(program, id)] : []));
}

function functions(pattern: string): string[] {
  return [...matchFunctions(program, pattern)].flatMap((mark, id) =>
    mark === 1 ? [functionSignature(program, id)] : [],
  );
}

describe('a part of a name as it is shown', () => {
  test('is found where no name matches it as an expression', () => {
    deepEqual(classes('shop.Sessions$Session'), ['shop.Sessions$Session']);
    deepEqual(classes('Main$$Lambda'), ['shop.Main$$Lambda']);
    deepEqual(functions('Main$$Lambda'), ['shop.Main$$Lambda.run']);
    deepEqual(functions('Sessions$Session.a'), ['shop.Sessions$Session.a']);
    deepEqual([...matchNames('worker[1]', 2, (id) => ['worker[1]', 'other'][id] ?? '')], [1, 0]);
    deepEqual([...matchNames('pool (', 2, (id) => ['pool (', 'other'][id] ?? '')], [1, 0], 'a whole name');
  });

  test('is an expression where some name matches it', () => {
    deepEqual(classes('Sessions$'), ['shop.Sessions']);
    deepEqual(classes('shop.Sessions'), ['shop.Sessions$Session', 'shop.Sessions']);
    deepEqual(functions('Main.run$'), ['shop.Main.run']);
  });

  test('that no name has is nothing, or no expression', () => {
    deepEqual(classes('nothing$'), []);
    deepEqual(functions('nothing'), []);
    throws(() => classes('nothing('), SyntaxError);
    throws(() => functions('nothing('), SyntaxError);
  });
});
