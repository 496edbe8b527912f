import { deepStrictEqual, equal, match, notEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { functionKey, functionKeyParts, functionOfKey, functionsOfKey, stemOf } from './function-key.js';
import { isSteady } from './spelling.js';
import { unite } from './unite.js';

interface Spec {
  readonly type?: string | undefined;
  readonly name: string;
  readonly descriptor?: string | undefined;
  readonly loader?: string;
  readonly file?: string | undefined;
  /** Of native functions: compile unit, path of the load object and its build id. */
  readonly unit?: string | undefined;
  readonly path?: string | undefined;
  readonly build?: string | undefined;
}

function program(...functions: readonly Spec[]): Program {
  const builder = new ProgramBuilder();
  const id = (text: string | undefined): number => (text === undefined ? -1 : builder.name(text));
  for (const { type, name, descriptor, loader, file, unit, path, build } of functions) {
    if (path !== undefined) {
      const loadObject = builder.loadObject(builder.name(path), 'library', id(build));
      builder.native(builder.name(name), { unit: builder.unit(id(unit), loadObject) });
    } else if (type === undefined) builder.native(builder.name(name), { file: id(file) });
    else builder.function(builder.class(builder.name(type), id(loader)), builder.name(name), -1, id(descriptor));
  }
  return builder.finish();
}

function keyOf(spec: Spec): string {
  return functionKey(program(spec), 0) ?? '';
}

const HASH = '9fedd389'.repeat(5);
const OTHER_HASH = '01234567'.repeat(5);
const NATIVE = { name: 'inflate', unit: '/src/zlib/inflate.c', path: '/usr/lib/libz.so.1' };

describe('keys of functions', () => {
  const cases: readonly (readonly [string, Spec, string])[] = [
    [
      'a method',
      { type: 'a.B', name: 'm', descriptor: '(I[Ljava/lang/String;)V' },
      '1:a.B.m;p=int,java.lang.String[];r=void',
    ],
    ['without parameters', { type: 'a.B', name: 'm', descriptor: '()V' }, '1:a.B.m;p=;r=void'],
    ['of unknown types', { type: 'a.B', name: 'm' }, '1:a.B.m'],
    ['of an unknown return type', { type: 'a.B', name: 'm', descriptor: '(J)L?;' }, '1:a.B.m;p=long'],
    ['whatever its loader', { type: 'a.B', name: 'm', loader: 'app' }, '1:a.B.m'],
    ['of a hidden class', { type: 'a.B$$Lambda$7/0x0001', name: 'run' }, '1:a.B$$Lambda/*.run'],
    ['a script', { name: 'main', file: 'tracer.py' }, '1:main;f=tracer.py'],
    ['with a build id', { ...NATIVE, build: '4a5f' }, '1:inflate;u=inflate.c;o=libz.so.1;B=4a5f;D=/src/zlib/'],
    ['without a build id', NATIVE, '1:inflate;u=inflate.c;o=libz.so.1;D=/src/zlib/;L=/usr/lib/'],
    ['with a hash', { type: 'a.B', name: `m_${HASH}`, descriptor: '()V' }, `1:a.B.m_*;p=;r=void;H=a.B.m_${HASH}`],
    ['with signs of keys', { name: 'a;B=1%,\n\ud800', file: '' }, '1:a%3BB=1%25,%0A%ED%A0%80;f='],
  ];
  for (const [name, spec, key] of cases) test(name, () => equal(keyOf(spec), key));

  test('a function that is only a number in its recording has none', () => {
    const { functions, ...rest } = program({ type: 'a.B', name: 'm' });
    const missing = { ...rest, functions: { ...functions, kind: functions.kind.map(() => 3) } };
    equal(functionKey(missing, 0), undefined);
    equal(functionKey(missing, -1), undefined);
  });

  test('of two builds differ only behind their stem', () => {
    for (const [one, other] of [
      [
        { ...NATIVE, build: '4a5f' },
        { ...NATIVE, build: '77', unit: '/other/inflate.c', path: '/opt/libz.so.1' },
      ],
      [
        { type: 'a.B', name: `m_${HASH}` },
        { type: 'a.B', name: `m_${OTHER_HASH}` },
      ],
    ] as const) {
      notEqual(keyOf(one), keyOf(other));
      equal(stemOf(keyOf(one)), stemOf(keyOf(other)));
      deepStrictEqual(functionsOfKey(program(other), keyOf(one)), { functions: [0], sameBuild: false });
    }
  });

  test('a text that is no key means nothing', () => {
    const one = program({ type: 'a.B', name: 'm' });
    for (const text of ['', 'a.B.m', '2:a.B.m', '1:', '1:a.B', '1:a.B.m;p='])
      deepStrictEqual([functionOfKey(one, text), functionsOfKey(one, text).functions], ['none', []], text);
    equal(functionKeyParts('2:a.B.m'), undefined);
  });

  test('two loaders of a class, two lambdas of a class: nothing is guessed', () => {
    const twice = program(
      { type: 'a.B', name: 'm', loader: 'app' },
      { type: 'a.B', name: 'm', loader: 'web' },
      { type: 'a.B$$Lambda/0x0001', name: 'run' },
      { type: 'a.B$$Lambda/0x0002', name: 'run' },
    );
    equal(functionOfKey(twice, '1:a.B.m'), 'ambiguous');
    deepStrictEqual(functionsOfKey(twice, '1:a.B$$Lambda/*.run').functions, [2, 3]);
  });
});

/** Names with every sign that keys use, and with what the rules of spelling change. */
const names = fc.oneof(
  fc.constantFrom('m', '', '<init>', 'operator,', 'a;p=b', '%', '%3B', ';B=1', '1:', '*', '\ud800', '\u2028', 'm_*'),
  fc.constantFrom('x$$Lambda$14/1234', 'x$$Lambda/0x00ab', `m_${HASH}`, `m_${OTHER_HASH}`, '$Proxy12', 'A[]', '?'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const paths = fc.oneof(names, fc.constantFrom('/a/x.c', '/b/x.c', 'x.c', 'C:\\x.c', `/a/m_${HASH}`));
const specs = fc.oneof(
  fc.record({
    type: names,
    name: names,
    descriptor: fc.option(fc.constantFrom('()V', '(I)V', '(I)L?;'), { nil: undefined }),
  }),
  fc.record({ name: names, file: fc.option(paths, { nil: undefined }) }),
  fc.record({
    name: names,
    path: paths,
    unit: fc.option(paths, { nil: undefined }),
    build: fc.option(fc.constantFrom('4a', '5f'), { nil: undefined }),
  }),
);

describe('of any program', () => {
  test('a key is one printed line, and finds its functions again, which are all that have it', () => {
    fc.assert(
      fc.property(fc.array(specs, { minLength: 1, maxLength: 12 }), (functions) => {
        const of = program(...functions);
        const keys = Array.from({ length: of.functions.length }, (_, id) => functionKey(of, id) ?? '');
        for (const key of keys) {
          match(key, /^1:[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u);
          const { functions: meant, sameBuild } = functionsOfKey(of, key);
          equal(sameBuild, true);
          deepStrictEqual(
            meant,
            [...keys.keys()].filter((id) => keys[id] === key),
          );
        }
      }),
      runs(400),
    );
  });

  test('functions with equal keys unite, in one program and in two', () => {
    fc.assert(
      fc.property(fc.array(specs, { maxLength: 8 }), fc.array(specs, { maxLength: 8 }), (first, second) => {
        // A build id stands for the folder of a load object: its path is the same here.
        const settled = (list: readonly Spec[]) =>
          list.map((spec) => (spec.build === undefined ? spec : { ...spec, path: '/lib/x.so' }));
        const programs = [program(...settled(first)), program(...settled(second))];
        const { rows } = unite(programs).functions;
        const rowOf = new Map<string, number>();
        for (const [i, of] of programs.entries())
          for (let id = 0; id < of.functions.length; id++) {
            const key = functionKey(of, id) ?? '';
            equal(rows[i][id], rowOf.get(key) ?? rows[i][id], key);
            rowOf.set(key, rows[i][id]);
          }
      }),
      runs(400),
    );
  });

  test('the parts of a key are those of its function', () => {
    const plain = fc.oneof(
      fc.constantFrom('', '%', '%3B', ';B=x', 'a,b', '\ud800', '\n'),
      fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => isSteady(text) && !/[/\\]/.test(text)),
    );
    fc.assert(
      fc.property(plain, plain, plain, plain, (name, unit, loadObject, buildId) => {
        const key = keyOf({ name, unit, path: loadObject, build: buildId });
        deepStrictEqual(functionKeyParts(key), { name, unit, loadObject, ...(buildId !== '' && { buildId }) });
        const method = keyOf({ type: 'a.B', name, descriptor: '(IJ)V' });
        deepStrictEqual(functionKeyParts(method), {
          name: `a.B.${name}`,
          parameters: ['int', 'long'],
          returns: 'void',
        });
      }),
      runs(400),
    );
  });
});
