/**
 * The smallest HPROF texts of faults that damaged files have found in the reader, all fixed: damage that was silent,
 * lines that were lost with it, lines that were given to another record.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { readHprofText } from '../read.js';
import type { HprofContent } from './hprof-content.js';
import { seenByReader } from './hprof-seen.js';
import { latin1 } from './hprof-truth-grammar.js';

const HEAP = 'HEAP DUMP BEGIN (1 objects, 1 bytes) Sat Nov 21 01:42:25 2026\n';
const SAMPLES = 'CPU SAMPLES BEGIN (total = 1) Sat Nov 21 01:42:25 2026\n';
const ROW = '   1 100.00% 100.00%       1     1 a.b\n';
const TRACE = 'TRACE 1:\n\ta.b(C.java:1)\n';
const THREAD = 'THREAD START (obj=1, id = 1, name="a", group="g")\n';

/** One character a byte. */
async function read(text: string): Promise<{ recording: Recording; seen: HprofContent }> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  assert.equal(latin1(bytes), text);
  const recording = await readHprofText(memorySource('fault', bytes));
  return { recording, seen: seenByReader(recording) };
}

/** The text must be read with a problem at the place of `at`, or at the byte `at`. */
async function readDamaged(text: string, at: string | number, code = 'hprof-line'): Promise<HprofContent> {
  const { recording, seen } = await read(text);
  const offset = typeof at === 'number' ? at : text.indexOf(at);
  const found = recording.problems.list.map((problem) => `${problem.code} ${problem.offset}`);
  assert.ok(found.includes(`${code} ${offset}`), `${code} ${offset} is not among ${found.join(', ')}`);
  if (code === 'hprof-line' || code === 'hprof-section-cut') assert.equal(recording.complete, false);
  return seen;
}

async function mustShow(text: string, at: string | number, code?: string): Promise<void> {
  await readDamaged(text, at, code);
}

describe('two joined lines are reported', () => {
  test('frames', () => mustShow('TRACE 1:\n\ta.b(C.java:1)\x0b\td.e(F.java:2)\n', '\ta.b', 'hprof-frame'));
  test('an object and its first reference', () =>
    mustShow(`${TRACE}${HEAP}OBJ 1 (sz=1, trace=1, class=a@2)\n\tx\t\t1\x0b\ty\t\t1\nHEAP DUMP END\n`, '\tx'));
  test('objects', () =>
    mustShow(
      `${TRACE}${HEAP}OBJ 1 (sz=1, trace=1, class=a@2)\x0bOBJ 3 (sz=1, trace=1, class=a@2)\nHEAP DUMP END\n`,
      'OBJ 1',
    ));
  test('the heading and the first root of a heap dump', () =>
    mustShow(`${HEAP.trimEnd()}\x0bROOT 1 (kind=<unknown>)\nHEAP DUMP END\n`, 0, 'hprof-date'));
  test('the title of the columns and the only row', () =>
    mustShow(`${TRACE}${SAMPLES}rank   self  accum   count trace method\x0b${ROW}CPU SAMPLES END\n`, 'rank'));
  test('the heading and the first row of cpu=old', () =>
    mustShow('count callee caller time\x0b1 a.b()V c.d()V 1\n1 a.b()V c.d()V 1\n', 0));
  test('two waits', () =>
    mustShow(
      'WAIT: MONITOR La;, timeout=1, thread 1\x0bWAIT: MONITOR La;, timeout=1, thread 1\nTHREAD END (id = 1)\n',
      0,
    ));
  test('two starts of threads', () => mustShow(`${THREAD.trimEnd()}\x0b${THREAD}${THREAD}`, 0));
});

describe('damage in a line is reported', () => {
  test('in the first line', () => mustShow(`JAVA PROFILE 1,0.1, created now\n--------\n${THREAD}`, 0, 'hprof-prelude'));
  test('in a date', () =>
    mustShow(`${TRACE}${SAMPLES.replace('Nov', 'N\xefv')}${ROW}CPU SAMPLES END\n`, 'CPU', 'hprof-date'));
  test('in a method without a name', () => mustShow('TRACE 1:\n\ta.(C.java:1)\n', '\ta', 'hprof-frame'));
  test('in a status', () =>
    mustShow(`${TRACE}MONITOR DUMP BEGIN\n    THREAD 1, trace 1, status: R|R\nMONITOR DUMP END\n`, '    THREAD'));
  test('in the id of a class: it is not an array of primitives', () =>
    mustShow(`${TRACE}${HEAP}ARR 1 (sz=1, trace=1, nelems=1, elem type=a[]A5)\nHEAP DUMP END\n`, 'ARR'));
  test('in a class without an id', () =>
    mustShow(`${TRACE}${HEAP}OBJ 1 (sz=1, trace=1, class=a)\nHEAP DUMP END\n`, 'OBJ'));
  test('in the descriptor of a method of cpu=old', () =>
    mustShow('count callee caller time\n1 a.b(X)V c.d()V 1\n', '1 a'));
  test('in a count below zero', () =>
    mustShow(`${TRACE}${SAMPLES}   1 100.00% 100.00%       -1     1 a.b\nCPU SAMPLES END\n`, '   1'));
  test('in a frame that is minus zero', () =>
    mustShow(`${HEAP}ROOT 1 (kind=<Java stack>, thread=1, frame=-0)\nHEAP DUMP END\n`, 'ROOT'));
  test('between a monitor and its time', () =>
    mustShow('WAIT: MONITOR La;- timeout=1, thread 1\nTHREAD END (id = 1)\n', 0));
});

describe('the lines after a damaged line', () => {
  test('are not frames of the trace before', async () => {
    const seen = await readDamaged(`${TRACE}TRICE 2:\n\tx.y(Z.java:1)\n${SAMPLES}${ROW}CPU SAMPLES END\n`, 'TRICE');
    assert.deepEqual(
      seen.traces.map(({ frames }) => frames),
      [['a.b(C.java:1)']],
    );
  });
  test('are not references of the object before', async () => {
    const lines = 'OBJ 1 (sz=1, trace=1, class=a@2)\nOBI 3 (sz=1, trace=1, class=a@2)\n\tx\t\t1\n';
    const seen = await readDamaged(`${TRACE}${HEAP}${lines}HEAP DUMP END\n`, 'OBI');
    assert.deepEqual(seen.sections[0]?.lines, ['OBJ 1 1 1 a a@2']);
  });
  test('are not owners of the monitor before, or of one in an earlier dump', async () => {
    const owner = '\towner: thread 1, entry count: 1\n';
    const dump = `MONITOR DUMP BEGIN\n    MONITOR La;\n    MONITAR Lb;\n${owner}MONITOR DUMP END\n`;
    const seen = await readDamaged(`${dump}MONITOR DUMP BEGIN\n${owner}MONITOR DUMP END\n`, '    MONITAR');
    assert.deepEqual(
      seen.sections.map(({ lines }) => lines),
      [['MONITOR a -1 -1 -1 La;'], []],
    );
  });
  test('are waits and sections if the end of a thread start is damaged', async () => {
    const wait = 'WAIT: MONITOR La;, timeout=1, thread 1\n';
    const seen = await readDamaged(
      `THREAD START (obj=1, id = 1, name="a", group="g"\n${wait}${SAMPLES}${ROW}CPU SAMPLES END\n`,
      0,
    );
    assert.deepEqual([seen.waits.length, seen.sections[0]?.rows.length], [1, 1]);
  });
  test('are a section if the end of the one before is damaged', async () => {
    const samples = `${SAMPLES}${ROW}`;
    const seen = await readDamaged(
      `${TRACE}${samples}${samples}CPU SAMPLES END\n`,
      TRACE.length + SAMPLES.length + ROW.length,
      'hprof-section-cut',
    );
    assert.deepEqual(
      seen.sections.map(({ rows }) => rows.length),
      [1, 1],
    );
  });
  test('are sections if the line below the heading is damaged', async () => {
    const text = `JAVA PROFILE 1.0.1, created now\n----+---\n${SAMPLES}${ROW}CPU SAMPLES END\n`;
    const { recording, seen } = await read(text);
    assert.equal(seen.sections[0]?.rows.length, 1);
    assert.equal(recording.problems.counts['hprof-prelude'], 1);
  });
  test('do not have threads and traces that only a damaged line names', async () => {
    const seen = await readDamaged(`${HEAP}ROOT 1 (kind=<thread>, id=7, trace=8]\n${THREAD}HEAP DUMP END\n`, 'ROOT');
    assert.deepEqual([seen.dangling, seen.threads.length], [[], 1]);
  });
});

test('a line of megabytes with many possible cuts does not overflow the stack', async () => {
  const { recording } = await read(`TRACE 1:\n\ta.b(C.java:1)\n${'\t'.repeat(12 << 20)}\n`);
  assert.equal(recording.problems.counts['hprof-line-cut'], Math.floor((12 << 20) / 1023));
});

describe('intact lines', () => {
  test('a name with ") before a line feed', async () => {
    const { recording, seen } = await read('THREAD START (obj=1, id = 1, name="a")\nb", group="g")\n');
    assert.deepEqual([recording.problems.list, seen.threads], [[], ['1 a")\nb|g|1 0 -1']]);
  });
  test('the end of a thread before the start of another with its number: they are two threads', async () => {
    const { seen } = await read(`THREAD END (id = 1)\n${THREAD}`);
    assert.deepEqual(seen.threads, ['1  -1 0', '1 a|g|1 20 -1']);
  });
  test('a table of samples with a damaged total is not read as times', async () => {
    const other = SAMPLES.replace('total = 1', 'total = 9');
    const { recording, seen } = await read(`${TRACE}${SAMPLES}${ROW}CPU SAMPLES END\n${other}${ROW}CPU SAMPLES END\n`);
    assert.deepEqual(
      seen.sections.map(({ kind, dump }) => [kind, dump]),
      [
        ['CPU SAMPLES', 0],
        ['CPU SAMPLES', 1],
      ],
    );
    assert.equal(recording.problems.counts['hprof-share'], 1);
  });
  test('an object after one with a line cut at 1,023 bytes', async () => {
    const long = `OBJ 1 (sz=1, trace=1, class=${'x'.repeat(2000)}`.slice(0, 1023);
    const seen = await readDamaged(`${TRACE}${HEAP}${long}OBJ 3 (sz=1, trace=1, class=a@2)\nHEAP DUMP END\n`, 'OBJ 1');
    assert.deepEqual(seen.sections[0]?.lines, ['OBJ 3 1 1 a a@2']);
  });
  test('a class with a name beyond ASCII is the same as in a descriptor', async () => {
    const surrogates = '\xed\xa0\xbd\xed\xb4\xa5';
    const { recording } = await read(
      `count callee caller time\n1 ${surrogates}.b(L${surrogates};)V <unknown caller> 1\n`,
    );
    assert.equal(recording.program.classes.length, 2);
  });
});

describe('errors found later by random damage', () => {
  test('the quote that opens a group does not close it', async () => {
    const text = `THREAD START (obj=1, id = 1, name="a", group=")\n${THREAD.replace('id = 1', 'id = 2')}`;
    const seen = await readDamaged(text, 0);
    assert.equal(seen.threads.length, 1);
  });

  test('a static without a name is not read', async () => {
    const line = '\tstatic  6\n';
    await mustShow(`${TRACE}${HEAP}CLS 5 (name=A, trace=1)\n${line}HEAP DUMP END\n`, line);
  });
});
