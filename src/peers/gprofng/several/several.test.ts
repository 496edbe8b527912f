/** Several experiments at once: sums, groups and comparisons of experiments of known content, beside gprofng. */
import { deepEqual, equal, fail, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { experimentDetails } from '../../../formats/experiment/index.js';
import { MadeExperiment, type Moment } from '../../../formats/experiment/testing/made-experiment.js';
import type { Recording } from '../../../models/recording.js';
import { plainPath } from '../../../session/together/marked-path.js';
import { type ComparedPart, objectKeys } from '../../../session/together/object-keys.node.js';
import { openExperiment, openExperiments } from '../peer/experiment.js';
import { printedFor } from '../testing/expected.js';
import { HAS_PEER, rowsOf, writeMade } from '../testing/made.js';
import { openParts } from './opened-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-several-'));
after(() => rmSync(folder, { recursive: true }));

function moments(): (stack: string, thread?: number) => Moment {
  let time = 0;
  return (stack, thread = 1) => {
    time += 1e7;
    return { stack: { native: stack.split(' ') }, thread, time };
  };
}

/** Clock ticks by stack, and heap events in every second experiment. */
function made(ticks: Readonly<Record<string, number>>, blocks: readonly number[]): MadeExperiment {
  const experiment = new MadeExperiment();
  const at = moments();
  for (const [stack, count] of Object.entries(ticks))
    for (let i = 0; i < count; i++) experiment.clock(at(stack, 1 + (i % 2)), 1);
  for (const [i, bytes] of blocks.entries()) experiment.heap(at('_start main grow'), 0, 0x1000 * (i + 1), bytes);
  return experiment;
}

const PARTS: Readonly<Record<string, MadeExperiment>> = {
  'a.er': made({ '_start main work': 30, '_start main': 5, '_start main old': 7 }, [100, 50]),
  'b.er': made({ '_start main work': 12, '_start main new': 9 }, []),
  'c.er': made({ '_start main work inner': 3 }, [4000]),
};
const NAMES = Object.keys(PARTS);

before(() => {
  for (const [name, experiment] of Object.entries(PARTS)) writeMade(experiment, join(folder, name));
});

async function recordingOf(name: string): Promise<Recording> {
  const [part] = await openParts([join(folder, name)], { maps: [], work: {} });
  await part?.session.close();
  return part?.recording ?? fail(name);
}

async function own(words: string, names: readonly string[] = NAMES) {
  const experiment = await openExperiments(
    names.map((name) => join(folder, name)),
    { strict: true },
  );
  try {
    return await printedFor(experiment, words.split(' '));
  } finally {
    await experiment.close();
  }
}

function peer(words: string, names: readonly string[] = NAMES): string {
  return spawnSync('gprofng', ['display', 'text', ...words.split(' '), ...names], { cwd: folder, encoding: 'utf8' })
    .stdout;
}

const COMMANDS = [
  '-functions',
  '-calltree',
  '-callers-callees',
  '-experiment_list',
  '-overview',
  '-threads',
  '-processes',
  '-experiment_ids',
  '-thread_list',
  '-leaks',
  '-filters EXPID==2 -functions',
  '-filters EXPGRID==3 -functions',
  '-filters EXPID_CMP!=1 -calltree',
  '-compare on -functions',
  '-compare delta -functions',
  '-compare ratio -functions',
  '-compare on -calltree',
  '-compare delta -callers-callees',
  '-compare on -threads',
  '-compare on -experiment_ids',
  '-compare on -overview',
  '-compare on -metrics i.%totalcpu:name:size -functions',
];

describe('several experiments', () => {
  test('are printed as gprofng prints them', async (t) => {
    if (!HAS_PEER) return t.skip('gprofng is missing');
    const differing: string[] = [];
    for (const command of COMMANDS) if ((await own(command)).out !== peer(command)) differing.push(command);
    deepEqual(differing, []);
  });

  test('have the sums of all', async () => {
    const { out } = await own('-metrics e.totalcpu:e.heapallocbytes:name -functions');
    // 10.007 ms a tick.
    equal(rowsOf(out)['<Total>'], `${(66 * 0.010007).toFixed(3)} ${100 + 50 + 4000}`);
  });

  test('of a group are one in comparisons', async () => {
    writeFileSync(join(folder, 'both.erg'), '#analyzer experiment group\na.er\nb.er\n');
    const words = '-compare on -metrics e.totalcpu:name -functions';
    const { out } = await own(words, ['both.erg', 'c.er']);
    equal(rowsOf(out)['<Total>'], `${(63 * 0.010007).toFixed(3)} ${(3 * 0.010007).toFixed(3)}`);
    if (HAS_PEER) equal(out, peer(words, ['both.erg', 'c.er']));
  });

  test('in one folder are refused', async () => {
    const both = join(folder, 'both');
    mkdirSync(both);
    writeMade(made({ main: 1 }, []), join(both, 'a.er'));
    writeMade(made({ main: 1 }, []), join(both, 'b.er'));
    await rejects(openExperiment(both, { strict: true }), /holds 2 experiments; print takes one/);
  });

  test('have one load object a content, or a path and check sum with --strict', async () => {
    const path = '/bin/program';
    const attributes = new Map(Object.entries({ object: 'segment', name: path, modes: '0x005', chksum: '0xFFFFFFFF' }));
    const [process] = experimentDetails(await recordingOf('a.er'))?.processes ?? [];
    ok(process);
    const part = (text: string): ComparedPart => ({
      details: {
        type: 'experiment details',
        processes: [{ ...process, map: [{ kind: 'map', attributes }] }],
        events: new Map(),
      },
      copyOf: (asked) => Promise.resolve(memorySource(asked, new TextEncoder().encode(text))),
    });
    const parts = [part('first build'), part('second build'), part('first build')];
    const keysOf = async (strict: boolean): Promise<number> => {
      const { keyOf } = await objectKeys(parts, strict);
      deepEqual([plainPath(keyOf(1, path)), keyOf(2, path)], [path, path]);
      return new Set(parts.map((_, i) => keyOf(i, path))).size;
    };
    deepEqual([await keysOf(true), await keysOf(false)], [1, 2]);
  });

  test('have values again after a comparison', async () => {
    equal((await own('-compare on -compare off -functions')).out, (await own('-functions')).out);
  });

  test('a comparison of one is none', async () => {
    const { out } = await own('-compare on -functions', ['a.er']);
    ok(!out.includes('a.er'));
  });
});
