/** Statistics of the heap and of input and output, and lists by stack, of experiments of known content and beside gprofng. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MadeExperiment, type Moment } from '../../../formats/experiment/testing/made-experiment.js';
import { HAS_PEER, ownTexts, peerText, writeMade } from '../testing/made.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-statistics-'));
after(() => rmSync(folder, { recursive: true }));

const COMMANDS = ['-heapstat', '-heap', '-leaks', '-allocs', '-iostat', '-iocallstack', '-ioactivity', '-iodetail'];

function clock(): (stack: string) => Moment {
  let time = 0;
  return (stack) => {
    time += 1e7;
    return { stack: { native: stack.split(' ') }, thread: 1, time };
  };
}

/** Blocks around each edge of the ranges of sizes, some freed. */
function heap(): MadeExperiment {
  const made = new MadeExperiment();
  const at = clock();
  const sizes = [0, 1, 1023, 1024, 1025];
  for (const edge of [13, 15, 17, 18, 19, 20, 30, 40]) sizes.push(2 ** edge, 2 ** edge + 1);
  for (const edge of [10, 100, 10240, 102400, 10485760]) sizes.push(edge * 2 ** 20, edge * 2 ** 20 + 1);
  for (const [i, bytes] of sizes.entries()) made.heap(at(`_start main F${i % 4}`), 0, 0x1000 * (i + 1), bytes);
  for (const i of [2, 5, 7]) made.heap(at('_start main'), 1, 0x1000 * i, 0);
  return made;
}

/** Reads, writes, other calls and failed ones. */
function io(): MadeExperiment {
  const made = new MadeExperiment();
  const at = clock();
  for (let i = 0; i < 40; i++) made.io(at(`_start main F${i % 3}`), i % 10, 2 ** (i % 34), 1000 * i + 7, `f${i % 4}`);
  return made;
}

/** Texts without the numbers of stacks, which are those of each program, and the file system that gprofng takes for known where it is not recorded. */
const plain = (text: string): string => text.replace(/^(Stack 0x).*$/gm, '$1').replace(/ \(FS=zfs\)$/gm, '');

describe('statistics', () => {
  for (const [name, make] of [
    ['heap', heap],
    ['io', io],
  ] as const)
    test(`of ${name} are those of gprofng`, { skip: !HAS_PEER && 'gprofng is not installed' }, async () => {
      const path = join(folder, `${name}.er`);
      writeMade(make(), path);
      const own = await ownTexts(path, COMMANDS);
      for (const command of COMMANDS) {
        const peer = peerText(path, command);
        const { out = '', err = '' } = own.get(command) ?? {};
        deepEqual([command, plain(out), err.trim()], [command, plain(peer.out), peer.err.trim()]);
      }
    });

  test('of the heap see what realloc frees, but with --strict', async () => {
    const at = clock();
    const made = new MadeExperiment();
    made.heap(at('_start main'), 0, 0x1000, 100);
    made.heap(at('_start main'), 2, 0x1000, 300, 0x1000);
    made.heap(at('_start main'), 2, 0x2000, 500, 0x1000);
    made.heap(at('_start main'), 1, 0x2000, 0);
    const path = join(folder, 'realloc.er');
    writeMade(made, path);
    const peakOf = async (strict: boolean): Promise<string | undefined> =>
      /Heap size bytes +(\d+)/.exec((await ownTexts(path, ['-heapstat'], strict)).get('-heapstat')?.out ?? '')?.[1];
    deepEqual([await peakOf(false), await peakOf(true)], ['500', '900']);
  });

  test('of calls have counts, bytes and times', async () => {
    const at = clock();
    const made = new MadeExperiment();
    for (const bytes of [10, 3000, 0]) made.io(at('_start main'), 0, bytes, 2_000_000, 'x');
    const path = join(folder, 'reads.er');
    writeMade(made, path);
    const text = (await ownTexts(path, ['-iostat'], false)).get('-iostat')?.out ?? '';
    match(
      text,
      /Smallest read bytes +10\nLargest read bytes +3000\nTotal time +0\.006000 \(secs\.\)\nTotal calls +3\nTotal bytes +3010\n/,
    );
    equal(/Write/.test(text), false);
  });
});
