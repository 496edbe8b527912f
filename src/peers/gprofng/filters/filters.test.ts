/** Filters: expressions against a second evaluation and against gprofng, and the commands that choose events. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { MadeExperiment } from '../../../formats/experiment/testing/made-experiment.js';
import { runs, SEED, times } from '../../../testing/amount.js';
import { Random } from '../../../testing/random.js';
import { openExperiment } from '../peer/experiment.js';
import { printedFor } from '../testing/expected.js';
import { HAS_PEER, peerText, rowsOf, writeMade } from '../testing/made.js';
import { evaluated, folded, type Names } from './evaluate.js';
import { ExpressionError, parseExpression } from './language.js';
import { parseSelection, selectionText } from './selections.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-filters-'));
after(() => rmSync(folder, { recursive: true }));
const PATH = join(folder, 'made.er');

/** Stacks, threads, ticks, waits and allocations that differ. */
function made(): MadeExperiment {
  const experiment = new MadeExperiment();
  const stacks = ['_start main', '_start main A', '_start main A B', '_start main B A', '_start main C B'];
  for (const [i, stack] of stacks.entries()) {
    const at = (part: number) => ({
      stack: { native: stack.split(' ') },
      thread: 1 + (i % 3),
      time: (10 * i + part) * 1e7,
    });
    experiment.clock(at(1), 2 ** i);
    experiment.sync(at(2), 1e6 * (i + 1), 0x1000 * i);
    experiment.heap(at(3), 0, 0x10000 * (i + 1), 100 * (i + 1));
  }
  return experiment;
}

const NAMES: Names = { isProperty: () => true, definition: () => undefined, matches: () => [0n] };

/** The number of an expression without properties. */
function numberOf(text: string, strict: boolean): bigint | undefined {
  const expression = folded(parseExpression(text, strict), NAMES, strict);
  return evaluated(expression, { values: () => undefined }, strict ? 'unsigned' : 'signed')?.[0];
}

type Operator = (a: bigint, b: bigint) => bigint;
const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? 0n : a / b),
  '%': (a, b) => (b === 0n ? 0n : a % b),
  '<': (a, b) => BigInt(a < b),
  '>=': (a, b) => BigInt(a >= b),
  '==': (a, b) => BigInt(a === b),
  '!=': (a, b) => BigInt(a !== b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&&': (a, b) => BigInt(a !== 0n && b !== 0n),
  '||': (a, b) => BigInt(a !== 0n || b !== 0n),
};

/** An expression with its value: with a sign, and without. */
interface Drawn {
  readonly text: string;
  readonly signed: bigint;
  readonly unsigned: bigint;
}

const both = (text: string, signed: bigint, unsigned: bigint): Drawn => ({
  text,
  signed: BigInt.asIntN(64, signed),
  unsigned: BigInt.asUintN(64, unsigned),
});
const UNARY: Readonly<Record<string, (value: bigint) => bigint>> = {
  '-': (value) => -value,
  '~': (value) => -value - 1n,
  '!': (value) => BigInt(value === 0n),
};

/** Expressions with all brackets. */
const drawn = fc.letrec<{ whole: Drawn; leaf: Drawn; pair: Drawn; negative: Drawn }>((tie) => ({
  whole: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('pair'), tie('negative')),
  leaf: fc
    .bigInt({ min: 0n, max: 2n ** 64n - 1n })
    .chain((value) =>
      fc
        .constantFrom(`${value}`, `0x${value.toString(16)}`, value === 0n ? '0' : `0${value.toString(8)}`)
        .map((text) => both(text, value, value)),
    ),
  pair: fc.tuple(tie('whole'), fc.constantFrom(...Object.keys(OPERATORS)), tie('whole')).map(([a, sign, b]) => {
    const of = OPERATORS[sign] ?? (() => 0n);
    return both(`(${a.text} ${sign}${b.text})`, of(a.signed, b.signed), of(a.unsigned, b.unsigned));
  }),
  negative: fc.tuple(fc.constantFrom(...Object.keys(UNARY)), tie('whole')).map(([sign, { text, signed, unsigned }]) => {
    const of = UNARY[sign] ?? (() => 0n);
    return both(`${sign}(${text})`, of(signed), of(unsigned));
  }),
})).whole;

describe('expressions', () => {
  test('have the values of 64-bit numbers, which have a sign but with --strict', () => {
    fc.assert(
      fc.property(drawn, fc.boolean(), ({ text, signed, unsigned }, strict) =>
        equal(numberOf(text, strict), strict ? unsigned : signed),
      ),
      runs(500),
    );
  });

  test('have the levels of gprofng with --strict, else those of C', () => {
    for (const [text, strict, own] of [
      ['1+2*3==9', 1n, 0n],
      ['1 || 0 && 0', 0n, 1n],
      ['7 & 3 == 3', 1n, 1n],
      ['4 | 1 == 5', 4n, 4n],
      ['6 & 4 == 4', 0n, 0n],
      ['2^3==1', 2n, 2n],
      ['1 ? 2 : 0 ? 3 : 4', 2n, 2n],
      ['1 << 2 + 1', 5n, 8n],
      ['', 1n, 1n],
    ] as const)
      deepEqual([text, numberOf(text, true), numberOf(text, false)], [text, strict, own]);
  });

  test('that are none are refused with the place', () => {
    for (const [text, at] of [
      ['1 = 2', 2],
      ['(1', 2],
      ['1 2', 2],
      ['FNAME(x)', 6],
      ['FNAME("x', 6],
      ['1 == 2 == 3', 7],
      ['1 ? 2', 5],
      ['THRID $ 1', 6],
      [`${'('.repeat(200)}1`, 100],
    ] as const)
      throws(
        () => parseExpression(text, true),
        (error) => error instanceof ExpressionError && error.at === at,
        text,
      );
  });
});

describe('selections', () => {
  test('are ranges by process', () => {
    const textsOf = (text: string): string[] => {
      const selection = parseSelection(text, [1, 2]);
      return [1, 2].map((process) => selectionText(selection, process, { first: 1, last: 9 }));
    };
    deepEqual(textsOf('2,4-6,3'), ['2-6', '2-6']);
    deepEqual(textsOf('1:7-'), ['7-9', 'none']);
    deepEqual(textsOf('all'), ['all', 'all']);
    deepEqual(textsOf('-3'), ['1-3', '1-3']);
    deepEqual(textsOf('2:0-9'), ['none', 'all']);
    for (const text of ['x', '3-1', '', '1,,2']) throws(() => parseSelection(text, [1]), /expected numbers/);
  });
});

describe('events', () => {
  before(() => writeMade(made(), PATH));

  async function own(words: readonly string[], strict = true): Promise<{ readonly out: string; readonly err: string }> {
    const experiment = await openExperiment(PATH, { strict });
    try {
      return await printedFor(experiment, words);
    } finally {
      await experiment.close();
    }
  }

  test('of chosen stacks and threads', async () => {
    const totals = async (strict: boolean, ...words: string[]): Promise<string | undefined> =>
      rowsOf((await own([...words, '-metrics', 'e.totalcpu:name', '-functions'], strict)).out)['<Total>'];
    equal(await totals(true, '-filters', 'FNAME("A") IN LEAF'), '0.100');
    equal(await totals(true, '-filters', 'FNAME("[BC]") SOME IN STACK'), '0.280');
    equal(await totals(true, '-thread_select', '2'), '0.180');
    equal(await totals(true, '-thread_select', '2', '-filters', 'NTICK > 2'), '0.160');
    // gprofng has no names of functions in lists.
    equal(await totals(true, '-filters', '(FNAME("A"), FNAME("B")) ORDERED IN STACK'), '0.');
    equal(await totals(false, '-filters', '(FNAME("A"), FNAME("B")) ORDERED IN STACK'), '0.040');
    equal(await totals(false, '-filters', 'HAS_PROP(HSIZE)'), '0.');
    equal(await totals(true, '-filters', 'HAS_PROP(HSIZE)'), '0.310');
  });

  test('are the same where the mode of views changes, and whole after the filter 1', async () => {
    const all = (await own(['-functions'])).out;
    const { out } = await own(['-filters', '0', '-filters', '1', '-functions']);
    equal(out, `current filter setting: "0"\ncurrent filter setting: "1"\n${all}`);
    equal((await own(['-filters', 'FNAME("(") IN STACK', '-limit', '1', '-functions'])).err, 'Print limit set to 1\n');
    for (const words of [
      ['-filters', 'FNAME("(")'],
      ['-filters', '1 +'],
      ['-filters', 'NO_SUCH'],
      ['-indxobj_define', 'A', '1 +'],
      ['-thread_select', 'x'],
    ])
      ok('refused' in (await own(words, false)), words.join(' '));
    const { err } = await own(['-filters', 'NO_SUCH == 1']);
    equal(err, "Error: Invalid filter specification `NO_SUCH == 1'\n\n");
  });

  const NAMED = [
    'THRID',
    'NTICK',
    'MSTATE',
    'EVT_TIME',
    'TSTAMP',
    'TSTAMP_LO',
    'HSIZE',
    'HTYPE',
    'EXPID',
    'SOBJ',
    'SRQST',
    'HFREED',
    'HMEM_USAGE',
    'HCUR_ALLOCS',
    'CPUID',
    'IOFD',
  ];
  /** Functions have numbers that differ from those of gprofng. */
  const SETS = ['FNAME("A")', 'FNAME("[AB]")', 'FNAME("none")', 'STACK', 'LEAF', '(FNAME("A"),FNAME("B"))'];
  const NUMBERS = ['(1,2)', 'THRID', '3', '(THRID,NTICK)'];

  /** An expression as users write them, with few brackets. */
  function randomExpression(random: Random, depth: number): string {
    const one = (from: readonly string[]): string => from[random.below(from.length)] ?? '';
    const shape = depth === 0 ? random.below(3) : random.below(10);
    if (shape === 0) return String(random.below(4));
    if (shape === 1) return one(['10000000', '0x10', '300', 'TRUE', '017']);
    if (shape === 2) return one(NAMED);
    const part = (): string => randomExpression(random, depth - 1);
    if (shape === 3) return `${one(['-', '!', '~'])}${one(NAMED)}`;
    const sets = random.below(2) === 0 ? SETS : NUMBERS;
    if (shape === 4) return `(${one(sets)} ${one(['IN', 'SOME IN', 'ORDERED IN'])} ${one(sets)})`;
    if (shape === 5) return `(${part()})`;
    if (shape === 6) return `HAS_PROP(${one(NAMED)})`;
    if (shape === 7) return `(${part()} ? ${part()} : ${part()})`;
    return `${part()} ${one(Object.keys(OPERATORS))} ${part()}`;
  }

  test('are those of gprofng for random expressions', { skip: !HAS_PEER && 'gprofng is not installed' }, async () => {
    const random = new Random(SEED);
    const expressions = Array.from({ length: times(1000) }, () => randomExpression(random, 3));
    // One process of the peer takes them all.
    const words = expressions.flatMap((text) => ['-filters', text.replaceAll(' ', '\t'), '-functions']);
    const peer = peerText(PATH, words.join(' '));
    const { out, err } = await own(words);
    equal(err, peer.err);
    const parts = (text: string): string[] => text.split('current filter setting: ');
    const [ours, theirs] = [parts(out), parts(peer.out)];
    for (const [i, part] of theirs.entries()) equal(ours[i], part);
    equal(ours.length, theirs.length);
  });

  for (const words of [
    ['-indxobj_define', 'Sz', 'HSIZE', '-sz', '-filters', 'Sz==100', '-functions', '-indxobj_list'],
    ['-indxobj_define', 'Less', '0-THRID', '-indxobj', 'less', '-indxobj_define', 'less', '1'],
    ['-indxobj_define', 'No', '(1', '-indxobj_define', '9x', '1', '-indxobj_define', 'a-b', '1'],
    ['-thread_select', '1,3', '-thread_list', '-cpu_select', '0-', '-sample_select', 'all', '-functions'],
    ['-filters', 'seconds==0', '-calltree', '-viewmode', 'machine', '-functions'],
    ['-filters', 'FALSE', '-functions', '-dsync', '-dheap', '-dprofile', '-threads'],
  ])
    test(`${words.join(' ')} is as in gprofng`, { skip: !HAS_PEER && 'gprofng is not installed' }, async () => {
      const peer = peerText(PATH, words.join(' '));
      const { out, err } = await own(words);
      deepEqual([out, err.trim()], [peer.out, peer.err.trim()]);
    });
});
