/** Method filters: the rules and examples of the help text of GraalVM's `MethodFilter`. */
import { deepEqual, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { className, functionName, functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { filteredMethods, methodsNamed } from './method-filter.js';

const METHODS = {
  canonical: ['jdk.graal.compiler.nodes.PhiNode', 'canonical', '(Lg.CanonicalizerTool;Lg.LogicNode;Lx.LogicNode;)V'],
  canonicalOfTwo: ['jdk.graal.compiler.nodes.calc.AddNode', 'canonical', '(Lg.CanonicalizerTool;Lg.LogicNode;)V'],
  copy: ['java.lang.System', 'arraycopy', '(Ljava.lang.Object;ILjava.lang.Object;II)V'],
  copyOfFour: ['java.lang.System', 'arraycopy', '(Ljava.lang.Object;ILjava.lang.Object;I)V'],
  set: ['java.util.List', 'set', '(ILjava.lang.Object;)Ljava.lang.Object;'],
  setOfList: ['java.util.ArrayList', 'set', '(ILjava.lang.Object;)Ljava.lang.Object;'],
  setOfNested: ['java.util.Arrays$List', 'set', '([I)V'],
  setOfNobody: ['app.Listing', 'set', '()V'],
  text: ['java.util.List', 'toString', '()Ljava.lang.String;'],
  start: ['app.Main', 'main', '([Ljava.lang.String;)V'],
} as const;
type Name = keyof typeof METHODS;

const ALL: Name[] = [
  'canonical',
  'canonicalOfTwo',
  'copy',
  'copyOfFour',
  'set',
  'setOfList',
  'setOfNested',
  'setOfNobody',
  'text',
  'start',
];
const without = (...names: Name[]): Name[] => ALL.filter((name) => !names.includes(name));

function drawn(): Program {
  const builder = new ProgramBuilder({ dottedTypes: true });
  for (const name of ALL) {
    const [type, method, descriptor] = METHODS[name];
    builder.function(builder.class(builder.name(type)), builder.name(method), undefined, builder.name(descriptor));
  }
  return builder.finish();
}

describe('method filters', () => {
  const program = drawn();
  const cases: readonly (readonly [string, readonly Name[]])[] = [
    ['*', ALL],
    ['canonical(CanonicalizerTool;LogicNode;LogicNode)', ['canonical']],
    ['arraycopy(Object;;;;)', ['copy']],
    ['List.set', ['set', 'setOfNested']],
    ['*List.set', ['set', 'setOfList', 'setOfNested']],
    ['jdk.graal.compiler.nodes.PhiNode.*', ['canonical']],
    ['jdk.graal.compiler.nodes.*.canonical', ['canonical', 'canonicalOfTwo']],
    ['arraycopy,toString', ['copy', 'copyOfFour', 'text']],
    ['java.util.*.*,~java.util.*Array*.*', ['set', 'text']],
    ['java.util.*.*,~*Array*.*', ['set', 'text']],
    ['~java.util.*.*', without('set', 'setOfList', 'setOfNested', 'text')],
    // Negative ones apply wherever they stand, and all of them.
    ['~*Array*.*,java.util.*.*', ['set', 'text']],
    ['set,~ArrayList.*,~Listing.*,main', ['set', 'setOfNested', 'start']],
    ['~set,~canonical,~arraycopy', ['text', 'start']],
    // No parentheses: any types. Empty ones: none.
    ['set()', ['setOfNobody']],
    ['set( int ; java.lang.Object )', ['set', 'setOfList']],
    ['set(int;lang.Object)', []],
    ['set(*)', ['setOfNested']],
    ['set(int[])', ['setOfNested']],
    ['main(String[])', ['start']],
    ['l?st.set', []],
    ['L?st.s?t', ['set', 'setOfNested']],
    ['util.List.set', []],
    ['.set', ['set', 'setOfList', 'setOfNested', 'setOfNobody']],
    ['set(int', []],
  ];
  for (const [text, names] of cases)
    it(text, () => {
      const matched = filteredMethods(program, text);
      deepEqual(
        ALL.filter((_, id) => matched[id] === 1),
        names,
      );
    });

  it('stand beside names as they are shown, and beside expressions', () => {
    const named = (text: string) => methodsNamed(program, text).map((id) => functionSignature(program, id));
    // A comma between types is none between filters.
    deepEqual(named('java.util.List.set(int, java.lang.Object)'), ['java.util.List.set(int, java.lang.Object)']);
    deepEqual(named('^app'), ['app.Listing.set()', 'app.Main.main(java.lang.String[])']);
    deepEqual(named('app.M*'), ['app.Main.main(java.lang.String[])']);
    throws(() => named('main[,'), SyntaxError);
  });

  it('are the same by bytes and by regular expressions', () => {
    const names = ['a.b.C', 'a.C$D', '[La.C;', 'a/b/C', 'a.Ç', 'C', 'x y[]', 'b.aC'];
    const builder = new ProgramBuilder();
    for (const [i, name] of names.entries())
      builder.function(builder.class(builder.name(name)), builder.name(i % 2 === 0 ? 'ab' : 'Ça'), undefined);
    const made = builder.finish();
    const piece = fc.constantFrom('a', 'b', 'C', 'Ç', 'D', '.', '$', '*', '?', '[]');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const text = `*${pieces.join('')}`;
        const dot = text.lastIndexOf('.');
        const [type, method] = dot < 0 ? [undefined, text] : [text.slice(0, dot), text.slice(dot + 1)];
        const one = (glob: string): RegExp =>
          new RegExp(
            `^${glob
              .replace(/[.$[\]]/g, '\\$&')
              .replaceAll('*', '.*')
              .replaceAll('?', '.')}$`,
            'su',
          );
        const expected = names.map((_, id) => {
          const shown = className(made, made.functions.class[id]);
          const ends = [shown, ...[...shown].flatMap((sign, at) => ('.$'.includes(sign) ? [shown.slice(at + 1)] : []))];
          const own = id % 2 === 0 ? 'ab' : 'Ça';
          const isType =
            !type || (type.includes('.') ? one(type).test(shown) : ends.some((end) => one(type).test(end)));
          return isType && one(method).test(own) ? 1 : 0;
        });
        deepEqual([...filteredMethods(made, text)], expected);
        const all = names.flatMap((_, id) => (one(text).test(functionName(made, id)) ? [id] : []));
        const found = expected.flatMap((is, id) => (is === 1 ? [id] : []));
        if (found.length === 0 && all.length > 0) deepEqual(methodsNamed(made, text), all);
      }),
      runs(2000),
    );
  });
});
