/** Names that may contain a text, against a loop over decoded names. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { stringAt } from '../../base/text.js';
import { runs } from '../../testing/amount.js';
import { containedIn, mayContain } from './name-search.js';
import { findFunctions, functionName, functionSignature, matchFunctions } from './names.js';
import { ProgramBuilder } from './program-builder.js';

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'ab', 'B', '1', '.', '$', '[', ';', 'ö', ', '),
  maxLength: 8,
});

describe('names that may contain a text', () => {
  it('are all that do, whatever stands before and behind them', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), word, (texts, text) => {
        const program = new ProgramBuilder();
        for (const each of texts) program.name(each);
        const { names } = program.finish();
        const [marks, inner] = [mayContain(names, text), containedIn(names, text)];
        for (let id = 0; id < names.offsets.length - 1; id++) {
          const name = stringAt(names, id);
          if (name.includes(text)) ok(marks === undefined || marks[id] > 0, `${name} contains ${text}`);
          equal(inner[id] === 1, text.includes(name), `${name} in ${text}`);
        }
      }),
      runs(300),
    );
  });

  it('are few, where a word is long enough', () => {
    const program = new ProgramBuilder();
    for (const name of ['java.util.HashMap', 'put', 'putAll', 'hashmap', 'HashMa', 'p']) program.name(name);
    const { names } = program.finish();
    const marked = (text: string) =>
      [...(mayContain(names, text) ?? [])].flatMap((mark, id) => (mark > 0 ? [stringAt(names, id)] : []));
    deepEqual(marked('*HashMap.put'), ['java.util.HashMap']);
    equal(mayContain(names, '*.?'), undefined);
  });
});

it('functions of a name or a pattern are those that a loop over all signatures finds', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', 'ab', 'C', '1', '$'), minLength: 1, maxLength: 4 });
  const dotted = fc.tuple(part, part).map((parts) => parts.join('.'));
  const pattern = fc.array(fc.constantFrom('a', 'b', 'ab', 'C', '1', '.', '.*', '\\.', '\\$'), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(dotted, part, dotted), { minLength: 1, maxLength: 12 }),
      pattern,
      (methods, parts) => {
        const builder = new ProgramBuilder({ dottedTypes: true });
        for (const [type, name, parameter] of methods)
          builder.function(
            builder.class(builder.name(type)),
            builder.name(name),
            undefined,
            builder.name(`(L${parameter};[I)V`),
          );
        const program = builder.finish();
        const text = parts.join('');
        const ids = Array.from({ length: program.functions.length }, (_, id) => id);
        const matching = ids.filter((id) => new RegExp(text, 'u').test(functionSignature(program, id)));
        deepEqual(
          ids.filter((id) => matchFunctions(program, text)[id] === 1),
          matching,
        );
        const exact = ids.filter((id) => functionName(program, id) === text);
        const ends = ids.filter((id) => functionName(program, id).endsWith(`.${text}`));
        deepEqual(findFunctions(program, text), exact.length > 0 ? exact : ends.length > 0 ? ends : matching);
      },
    ),
    runs(200),
  );
});
