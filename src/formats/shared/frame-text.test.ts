/** Splitting frames into classes, methods, lines and files; every frame is written back unchanged. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { FRAME_MODES, FUNCTION_KINDS } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { FrameReader, writeFrame } from './frame-text.js';

function placed(bytes: Uint8Array) {
  const builder = new ProgramBuilder();
  const location = new FrameReader(builder).location(bytes, 0, bytes.length);
  return { program: builder.finish(), location };
}

/** class, name, file, line, mode, kind. */
function parts(text: string): string {
  const { program, location } = placed(encodeUtf8(text));
  const { functions, locations, classes, names } = program;
  const of = locations.function[location];
  const name = (id: number | undefined): string => (id === undefined || id < 0 ? '-' : stringAt(names, id));
  const declaring = functions.class[of];
  return [
    declaring < 0 ? '-' : name(classes.name[declaring]),
    name(functions.name[of]),
    name(functions.file?.[of]),
    locations.line?.[location] ?? 0,
    FRAME_MODES[locations.mode?.[location] ?? 0],
    FUNCTION_KINDS[functions.kind[of]],
  ].join(' | ');
}

const CASES: Readonly<Record<string, string>> = {
  'java/util/HashMap.get': 'java/util/HashMap | get | - | 0 | unknown | java',
  'java.util.HashMap.get:556': 'java.util.HashMap | get | - | 556 | unknown | java',
  'java/util/HashMap.get:556_[j]': 'java/util/HashMap | get | - | 556 | jit | java',
  'java/lang/invoke/LambdaForm$MH.0x00007fc36c001400.invoke':
    'java/lang/invoke/LambdaForm$MH.0x00007fc36c001400 | invoke | - | 0 | unknown | java',
  'shop/bench/Warehouse$$Lambda.0x00007f.run_[0]':
    'shop/bench/Warehouse$$Lambda.0x00007f | run | - | 0 | interpreted | java',
  'app.Main.<clinit>_[1]': 'app.Main | <clinit> | - | 0 | c1 | java',
  'BusyClient.run_[j]': 'BusyClient | run | - | 0 | jit | java',
  'Buffer.capacity_[i]': 'Buffer | capacity | - | 0 | inlined | java',
  'a/b/c.d_[j]': 'a/b/c | d | - | 0 | jit | java',
  'BusyClient.run': '- | BusyClient.run | - | 0 | unknown | native',
  'a/b/c.d': '- | a/b/c.d | - | 0 | unknown | native',
  'net/http.send': '- | net/http.send | - | 0 | unknown | native',
  '/usr/lib/Libc.so': '- | /usr/lib/Libc.so | - | 0 | unknown | native',
  'github.com/x/y.F': '- | github.com/x/y.F | - | 0 | unknown | native',
  'foo::bar(int, char)': '- | foo::bar(int, char) | - | 0 | unknown | native',
  'std::sort_[i]': '- | std::sort | - | 0 | inlined | native',
  'do_syscall_64_[k]': '- | do_syscall_64 | - | 0 | unknown | kernel',
  'method:123': '- | method | - | 123 | unknown | native',
  'a::b:7': '- | a::b | - | 7 | unknown | native',
  'kworker/0:1': '- | kworker/0:1 | - | 0 | unknown | native',
  'a::7': '- | a::7 | - | 0 | unknown | native',
  'method:0123': '- | method:0123 | - | 0 | unknown | native',
  'java/util/HashMap.get (map.cc:12)_[j]': '- | java/util/HashMap.get | map.cc | 12 | jit | native',
  'collatz (tracer_demo.py:6)': '- | collatz | tracer_demo.py | 6 | unknown | native',
  '<module> (<frozen importlib._bootstrap>:1176)':
    '- | <module> | <frozen importlib._bootstrap> | 1176 | unknown | native',
  '[unknown]': '- | [unknown] | - | 0 | unknown | native',
  '<empty>': '- | <empty> | - | 0 | unknown | native',
  '': '- | <empty> | - | 0 | unknown | pseudo',
  '_[j]': '- | _[j] | - | 0 | unknown | native',
};

describe('frames', () => {
  for (const [text, expected] of Object.entries(CASES))
    test(JSON.stringify(text), () => assert.equal(parts(text), expected));

  test('are written back unchanged', () => {
    const pieces = [
      'java/',
      'util.',
      'HashMap',
      '.get',
      ':12',
      ':0',
      '_[j]',
      '_[k]',
      ' (',
      'a.py',
      ')',
      '<init>',
      '::',
      '$1',
      '\u00fc',
      '[x tid=1]',
      ' ',
    ];
    const frames = fc.oneof(
      fc.constantFrom(...Object.keys(CASES)).map((text) => encodeUtf8(text)),
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((list) => encodeUtf8(list.join(''))),
      fc.string({ unit: 'binary' }).map((text) => encodeUtf8(text)),
      fc.uint8Array({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(frames, (bytes) => {
        const { program, location } = placed(bytes);
        assert.deepEqual([...writeFrame(program, location)], [...bytes]);
      }),
      runs(5000),
    );
  });

  test('different spellings are different places, equal ones the same', () => {
    const builder = new ProgramBuilder();
    const reader = new FrameReader(builder);
    const texts = [...Object.keys(CASES), ...Object.keys(CASES)];
    const places = texts.map((text) => {
      const bytes = encodeUtf8(text);
      return reader.location(bytes, 0, bytes.length);
    });
    assert.equal(new Set(places).size, Object.keys(CASES).length);
  });

  test('a frame of many parts is parsed in linear time', () => {
    for (const unit of ['a.', 'A.0.', '((', ' (', 'a/', '::', ':1'])
      assert.doesNotThrow(() => placed(encodeUtf8(unit.repeat(50_000))));
  });
});
