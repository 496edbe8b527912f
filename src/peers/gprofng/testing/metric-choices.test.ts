/** Choices of metrics, their order and what lists are then sorted by, as gprofng on this machine takes them. */
import { equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram } from '../../../../scripts/testing/programs.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { sharedData } from '../../../testing/shared-data.js';
import { openExperiment } from '../peer/experiment.js';
import { printedFor } from './expected.js';

/** Choices, each followed by commands; a run prints all of an experiment. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'c-single': [
    'i.totalcpu:e.%totalcpu -functions -callers-callees',
    'name:i.totalcpu -functions -calltree -csingle main -lines -indxobj Threads',
    'e.totalcpu:size:name:address -functions -calltree -callers-callees -csingle matmul -cmetric_list',
    'ie.totalcpu -functions',
    'e%totalcpu:i.totalcpu -functions',
    'name -functions -calltree -csingle matmul',
    'any -functions',
    'size:address:name -sort address -functions -sort -address -functions -sort size -functions -sort bogus',
    'default -functions',
  ],
  'threads-sync': [
    'i.sync:e.totalcpu:i.totalcpu -functions',
    'i.sync:i.totalcpu -functions',
    'e!totalcpu:i.totalcpu -functions',
    'e!totalcpu',
    'any:totalcpu',
    'a.totalcpu',
    '+totalcpu',
    'e.%any -functions',
    'name:i.sync:e.syncn -functions -indxobj Threads',
  ],
  'synthetic-hwc': ['hwc -functions', 'e.%any -functions', 'i%IPC:name:e.insts -functions', 'insts', 'bit', 'i.cycles'],
};

for (const [name, choices] of Object.entries(CHOICES))
  test(`metrics of ${name}`, async (t) => {
    const archive = sharedData(t, `experiments/${name}.er.tar.gz`);
    if (archive === undefined || !hasProgram(t, 'gprofng')) return;
    const folder = await temporaryFolder(t);
    execFileSync('tar', ['xzf', archive, '-C', folder]);
    const words = choices.flatMap((choice) => ['-metrics', ...choice.split(' ')]);
    const peer = execFileSync('gprofng', ['display', 'text', ...words, `${name}.er`], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const experiment = await openExperiment(join(folder, `${name}.er`), { strict: true });
    t.after(() => experiment.close());
    const { out, refused } = await printedFor(experiment, words, folder);
    equal(refused, undefined);
    equal(out, peer);
  });
