/** Instructions that valgrind counted, as an experiment: gprofng prints what callgrind_annotate adds up in a recording without separate callers. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram } from '../../../../scripts/testing/programs.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { ROOT } from '../../../testing/shared-data.js';
import { recorded, refusedRecording } from '../testing/counted.js';
import { CallgrindContexts } from './callgrind-contexts.js';

const FUNCTIONS = ['deep', 'leaf', 'left', 'main', 'right'];

test('gprofng prints the sums of callgrind_annotate', async (t) => {
  if (!['valgrind', 'callgrind_annotate', 'gprofng', 'gcc'].every((program) => hasProgram(t, program))) return;
  const folder = await temporaryFolder(t);
  execFileSync('gcc', [
    '-g',
    '-O1',
    '-o',
    join(folder, 'steady'),
    join(ROOT, 'src/record/native/testing/programs/steady.c'),
  ]);
  const run = recorded(folder, '--with', 'valgrind', '-o', 'a.er', '--', './steady');
  equal(run.status, 5, run.stderr);
  match(run.stderr, /valgrind recorded 1 process, 1 thread/);
  spawnSync('valgrind', ['-q', '--tool=callgrind', '--callgrind-out-file=plain.out', './steady'], { cwd: folder });
  const text = execFileSync('callgrind_annotate', ['--inclusive=yes', '--threshold=100', 'plain.out'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const expected = new Map<string, number>();
  for (const [, value = '', name = ''] of text.matchAll(/^ *([\d,]+) .*?steady\.c:(\w+) \[/gm))
    if (!expected.has(name)) expected.set(name, Number(value.replaceAll(',', '')));
  const columns = ['-metrics', 'i.insts:name', '-functions', 'a.er'];
  const peerText = execFileSync('gprofng', ['display', 'text', ...columns], { cwd: folder, encoding: 'utf8' });
  const sums = FUNCTIONS.map((name) => Number(new RegExp(`^ *(\\d+) +${name}$`, 'm').exec(peerText)?.[1]));
  deepEqual(
    sums,
    FUNCTIONS.map((name) => expected.get(name)),
  );
  // Each caller has its own part: nine, three and one of thirteen.
  const tree = execFileSync('gprofng', ['display', 'text', '-calltree', 'a.er'], { cwd: folder, encoding: 'utf8' });
  const parts = [...tree.matchAll(/^ *(\d+) .*\+-leaf$/gm)].map(([, value]) =>
    Math.round(Number(value) / (Number(sums[1]) / 13)),
  );
  deepEqual(parts, [9, 3, 1]);
  ok(readdirSync(join(folder, 'a.er/archives')).some((name) => name.startsWith('steady_')));
  const refused = await refusedRecording(folder, '--with', 'valgrind', '--duration', '3s', '--', './steady');
  deepEqual([refused.status, refused.stdout], [2, '']);
  match(refused.stderr, /no --duration/);
});

test('lines of a callgrind file', () => {
  const text = `version: 1
positions: instr line
summary: 30

ob=(1) /bin/a
fl=(1) a.c
fn=(1) main
0x10 3 2
+4 4 1
cob=(2) /lib/b'c.so
cfi=(2) b.c
cfn=(2) f'main
calls=2 0x50 9
* 5 20
cfn=(3) g'main
calls=1 0x30 9
+6 5 7

ob=(2)
fn=(2)
0x50 9 20
-8 9
fn=(1)
what is this`;
  const reader = new CallgrindContexts();
  for (const line of text.split('\n')) reader.line(line);
  equal(reader.unknown, 1);
  deepEqual(
    reader.contexts.map(({ object, costs }) => [object, [...costs]]),
    [
      [
        '/bin/a',
        [
          [16, 2],
          [20, 1],
        ],
      ],
      [
        "/lib/b'c.so",
        [
          [80, 20],
          [72, 0],
        ],
      ],
      ['/bin/a', []],
    ],
  );
  const [main, called, other] = reader.contexts;
  deepEqual(called?.calls, [{ caller: main, instruction: 20, cost: 20 }]);
  deepEqual(other?.calls, [{ caller: main, instruction: 26, cost: 7 }]);
  equal(main?.callAbove(new Set()), undefined);
});
