/**
 * A recorded JVMPI stream in every view, by the command line: what Dumps.java does, and sums of the events that `jvmpi events` lists, which are
 * read apart from the tables of the views.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from '../../../testing/shared-data.js';
import { runCommand } from '../../testing/run-command.js';

const FILE = join(ROOT, 'examples/jvmpi/dumps.jvmpi.gz');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-stream-'));
after(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;

interface Answer {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  readonly pauses?: { readonly sum: number };
  readonly sections?: Readonly<Record<string, number>>;
}

async function asked(...words: string[]): Promise<Answer> {
  const more = words[0] === 'summary' ? [] : ['--limit', '0'];
  const { status, stdout, stderr } = await runCommand([...words, FILE, ...more, '--no-cache', '--json']);
  equal(status, 0, stderr);
  return JSON.parse(stdout);
}

let recordedEvents: Promise<readonly Row[]> | undefined;

/** The events of a type, with all fields. */
async function events(type: string): Promise<readonly Row[]> {
  recordedEvents ??= runCommand(['jvmpi', 'events', FILE, '--limit', '0', '--no-cache', '--json']).then(
    ({ stdout }) => JSON.parse(stdout).rows,
  );
  return (await recordedEvents).filter(({ event }) => String(event).startsWith(`${type}#`));
}

const find = (rows: readonly Row[], key: string, value: string): Row => rows.find((row) => row[key] === value) ?? {};

describe('a recorded JVMPI stream', () => {
  it('functions, tree, monitors and threads have how long a thread waited to enter', async () => {
    const [enter] = await events('MONITOR_CONTENDED_ENTER');
    const [entered] = await events('MONITOR_CONTENDED_ENTERED');
    const waited = Number(entered?.time) - Number(enter?.time);
    const site = 'Dumps.lambda$main$1()';
    const { rows } = await asked('functions', '--metric', 'blocked');
    equal(find(rows, 'function', site).self, waited);
    const tree = await asked('tree', '--metric', 'blocked');
    equal(find(tree.rows, 'function', site).total, waited);
    const [monitor] = (await asked('monitors', '--contention')).rows;
    deepEqual([monitor?.time, String(monitor?.monitor).replace(/@.*/, '')], [waited, 'java.lang.Object']);
    const threads = await asked('threads');
    equal(find(threads.rows, 'name', 'entering').waited, waited);
  });

  it('monitors are those of the program when it was dumped', async () => {
    const { rows } = await asked('monitors');
    const held = rows.filter(({ owner }) => owner === 'main');
    deepEqual(
      held.map(({ monitor, waiters }) => [String(monitor).replace(/@.*/, ''), waiters]),
      [['java.lang.Object', ['entering']]],
    );
    ok(rows.some(({ waiters }) => JSON.stringify(waiters) === '["waiting"]'));
  });

  it('heap dumps have the objects of the program', async () => {
    const { rows } = await asked('heap', 'histogram');
    deepEqual(
      ['Dumps$Book', 'Dumps$Book[]'].map((name) => find(rows, 'class', name).objects),
      [1, 1],
    );
    const dominators = await asked('heap', 'dominators');
    // The book keeps its pages and sequels.
    equal(find(dominators.rows, 'name', 'Dumps$Book').dominates, 2);
  });

  it('allocations are exact, and collections last from GC_START to GC_FINISH', async () => {
    const allocations = await events('OBJECT_ALLOC');
    const { rows, notes } = await asked('sites');
    const sum = (summands: readonly Row[], key: string): number =>
      summands.reduce((all, row) => all + Number(row[key]), 0);
    equal(sum(rows, 'allocated_bytes'), sum(allocations, 'bytes'));
    equal(sum(rows, 'samples'), allocations.length);
    deepEqual(
      notes.filter((note) => note.includes('estimates')),
      [],
    );
    const [start] = await events('GC_START');
    const [finish] = await events('GC_FINISH');
    equal((await asked('gc')).pauses?.sum, Number(finish?.time) - Number(start?.time));
  });

  it('summary counts events, flame and timeline draw them', async () => {
    const { sections } = await asked('summary');
    equal(sections?.OBJECT_ALLOC, (await events('OBJECT_ALLOC')).length);
    for (const command of ['flame', 'timeline']) {
      const page = join(folder, `${command}.html`);
      equal((await runCommand([command, FILE, '-o', page, '--no-cache'])).status, 0);
      ok(existsSync(page));
    }
  });
});
