/** A C++ program that gprofng records on this machine: its source and disassembly are those that gprofng prints. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { sharedData } from '../../testing/shared-data.js';
import { openExperiment } from './peer/experiment.js';
import { printedFor } from './testing/expected.js';

/** By line of a source, the seconds of its own code. Calls count for the line of the instruction behind them, which may be another one. */
function ownSeconds(text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const row of text.split('\n')) {
    const [, self = '', line = ''] = /^(?:## | {3})([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)\. /.exec(row) ?? [];
    if (Number(self) > 0) found.set(Number(line), self);
  }
  return found;
}

const MOST_RECORDINGS = 20;

test('source and disassembly of shapes.cc', async (t) => {
  const source = sharedData(t, 'experiments/src/shapes.cc');
  if (source === undefined || !['gprofng', 'g++'].every((program) => hasProgram(t, program))) return;
  const folder = await temporaryFolder(t);
  const run = (program: string, ...words: string[]): string =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  copyFileSync(source, join(folder, 'shapes.cc'));
  run('g++', '-gdwarf-4', '-O1', '-o', 'shapes', 'shapes.cc');
  const peer = (...words: string[]): string => run('gprofng', 'display', 'text', ...words, 'shapes.er');
  // Debian's recorder takes four samples of half a second: one in six recordings lacks the function that is asked for.
  for (let recordings = 0; recordings < MOST_RECORDINGS; recordings++) {
    run('gprofng', 'collect', 'app', '-O', 'shapes.er', '-p', 'on', '-a', 'usedsrc', './shapes');
    if (peer('-functions').includes('Circle::area')) break;
  }

  const experiment = await openExperiment(join(folder, 'shapes.er'), { strict: true });
  t.after(() => experiment.close());
  const { out } = await printedFor(experiment, ['-disasm', 'main'], folder);
  match(out, /<Function: main>[\s\S]*<-- vector\.tcc:\d+/);
  equal(out, peer('-disasm', 'main'));

  const session = await openInputs([join(folder, 'shapes.er')], {
    cache: false,
    announce: () => undefined,
    work: {},
    library: {},
    inlinedFrames: false,
  });
  t.after(() => session.close());
  const expected = ownSeconds(peer('-source', 'shapes.cc'));
  ok(expected.size > 0, 'no lines with values');
  const { rows } = await ask(session, { view: 'source', options: { name: 'shapes.cc' }, page: { limit: 0 } });
  const own = rows.flatMap(({ line, self }) =>
    line !== null && self !== null && self > 0 ? [[line, (self / 1e9).toFixed(3)] as const] : [],
  );
  deepStrictEqual(new Map(own), expected);
  // Without parameters.
  const { rows: code } = await ask(session, {
    view: 'disasm',
    options: { method: 'geo::Circle::area' },
    page: { limit: 0 },
  });
  ok(code.some(({ code: text }) => text.includes('sqrt')));
});
