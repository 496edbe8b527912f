/** Line counts derived from a profile against those of a twin program that counts itself. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { readClassFile } from '../../code/java/class-file/class-file.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { type CountedProgram, countedProgram, type Run } from '../../code/java/testing/counted-program.node.js';
import { readText } from '../../formats/iprof/testing/iprof-documents.js';
import { LineCoverage, type MissingMethods } from './line-coverage.js';
import { functionRuns, MethodContexts } from './method-contexts.js';
import { MethodIndex } from './method-index.js';

let prepared: CountedProgram | undefined;

/** Compiled once for all tests of the file; undefined without a JDK. */
function program(t: TestContext): CountedProgram | undefined {
  if (!hasProgram(t, 'javac')) return undefined;
  if (prepared === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-counted-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    prepared = countedProgram(folder);
  }
  return prepared;
}

async function coverageOf(
  { classes, profile }: CountedProgram,
  runs: readonly Run[],
  missing: MissingMethods = 'zero',
) {
  const recording = await readText(profile(runs));
  ok(recording.profile !== undefined);
  const known = functionRuns(recording.profile, recording.program);
  const all = new MethodContexts(recording.profile, recording.program, known.seen);
  const index = new MethodIndex(recording.program);
  const coverage = new LineCoverage((method) => {
    const ids = index.of(method);
    const contexts = ids.flatMap((id) => all.of(id));
    return { contexts, ran: known.ran(ids[0] ?? -1), listed: ids.length > 0 };
  }, missing);
  const path = await openClassPath([classes]);
  await path.load('all', (name, bytes) => coverage.add(readClassFile(bytes, name), undefined), {});
  await path.close();
  const [file, ...more] = coverage.finish();
  ok(file !== undefined && more.length === 0);
  return { file, tally: coverage.tally };
}

function added(runs: readonly Run[], lines: Iterable<number>): Map<number, number> {
  return new Map([...lines].map((line) => [line, runs.reduce((sum, run) => sum + (run.lines.get(line) ?? 0), 0)]));
}

it('each line has the count that the program counts itself', async (t) => {
  const counted = program(t);
  if (counted === undefined) return;
  const runs = [counted.run('9')];
  const { file, tally } = await coverageOf(counted, runs);
  const found = new Map([...file.lines].filter(([line]) => counted.marked.has(line)));
  deepEqual(
    found,
    added(
      runs,
      [...counted.marked].sort((a, b) => a - b),
    ),
  );
  for (const line of counted.open) ok(Number.isNaN(file.lines.get(line)), `line ${line}`);
  equal(tally.contradictory, 0);
  equal(tally.unplaced, 0);
});

it('contexts of a method add up', async (t) => {
  const counted = program(t);
  if (counted === undefined) return;
  const runs = [counted.run('3'), counted.run('17')];
  const { file } = await coverageOf(counted, runs);
  const found = new Map([...file.lines].filter(([line]) => counted.marked.has(line)));
  deepEqual(
    found,
    added(
      runs,
      [...counted.marked].sort((a, b) => a - b),
    ),
  );
});
