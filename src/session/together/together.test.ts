/** Several experiments as one recording: the sums that gprofng printedFile for them, and each process by itself. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import type { ScopeStep } from '../../models/scope.js';
import { BINARY_TREE, sharedData } from '../../testing/shared-data.js';
import type { ViewName } from '../../views/index.js';
import { openInputs } from '../open.node.js';
import { ask, type Question, type Session } from '../session.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-together-'));
after(() => rmSync(folder, { recursive: true }));

async function withInputs<Value>(name: string, use: (session: Session) => Promise<Value>): Promise<Value> {
  const session = await openInputs([name], { cache: false, announce: () => undefined, work: {} });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

function asked<Name extends ViewName>(session: Session, question: Question<Name>) {
  return ask(session, { ...question, page: { limit: 0 } });
}

/** Seconds of inclusive CPU time and name of each function, sorted; gprofng drops rows below a millisecond to 0. */
async function inclusive(session: Session, scope: readonly ScopeStep[] = []): Promise<string[]> {
  const { rows } = await asked(session, { view: 'functions', scope });
  return rows.map((row) => `${(Number(row.total) / 1e9).toFixed(3)} ${row.function.replace(/ .*/, '')}`).sort();
}

/** The same of what gprofng printed; the rows of `<Total>` aside. */
function printedInclusive(text: string): string[] {
  return [...text.matchAll(/^ *[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+ +([^<\s]\S*)$/gm)]
    .map(([, seconds = '', name = '']) => `${Number(seconds).toFixed(3)} ${name}`)
    .sort();
}

test('functions of two experiments have the sums of gprofng; two programs at one path would be two', async (t) => {
  const one = sharedData(t, 'experiments/c-single.er.tar.gz');
  const other = sharedData(t, 'experiments/c-single-O2.er.tar.gz');
  const printedFile = sharedData(t, 'experiments/expected/compare/compare-off.txt');
  if (one === undefined || other === undefined || printedFile === undefined) return;
  await withInputs(`${one}+${other}`, async (session) => {
    equal(session.sources.length, 1);
    const peer = printedInclusive(await readFile(printedFile, 'utf8'));
    ok(peer.length > 10);
    const ownRows = await inclusive(session);
    const namedRows = peer.filter((row) => !row.endsWith('.constprop.0'));
    // Inlined calls are functions of their own here, which gprofng adds to the caller.
    for (const row of namedRows) ok(ownRows.includes(row), row);
    const { rows } = await asked(session, { view: 'processes' });
    deepEqual(
      rows.map(({ descendant }) => descendant),
      ['c-single.er', 'c-single-O2.er'],
    );
    for (const view of ['tree', 'threads', 'timeline', 'flame', 'usage', 'check'] as const)
      await asked(session, { view });
    const source = await asked(session, { view: 'source', options: { name: 'matmul' } });
    ok(source.rows.length > 5);
  });
});

test('a process is chosen by its number, its name, its command, or in a filter', async (t) => {
  const family = sharedData(t, 'experiments/descend.er.tar.gz');
  const single = sharedData(t, 'experiments/c-single.er.tar.gz');
  const printedFile = sharedData(t, 'experiments/expected/descend/filter-expid.txt');
  if (family === undefined || single === undefined || printedFile === undefined) return;
  const peer = printedInclusive(await readFile(printedFile, 'utf8'));
  const alone = await withInputs(single, (session) => inclusive(session));
  await withInputs(`${family}+${single}`, async (session) => {
    const third = await inclusive(session, [{ kind: 'process', processes: '3' }]);
    for (const row of peer) ok(third.includes(row), row);
    deepEqual(await inclusive(session, [{ kind: 'process', processes: '_f2$' }]), third);
    deepEqual(await inclusive(session, [{ kind: 'filter', expression: 'process = 3' }]), third);
    deepEqual(await inclusive(session, [{ kind: 'process', processes: 'cpuwork' }]), alone);
    deepEqual(await inclusive(session, [{ kind: 'filter', expression: 'process > 10' }]), alone);
    await rejects(() => inclusive(session, [{ kind: 'process', processes: '99' }]), UsageError);
  });
});

test('a plus sign at the end makes one recording of all in a group, one in the name of a file is a part of it', async (t) => {
  const one = sharedData(t, 'experiments/c-single.er.tar.gz');
  if (one === undefined) return;
  const group = join(folder, 'both.erg');
  writeFileSync(group, `#analyzer experiment group\n${one}\n${one}\n`);
  await withInputs(`${group}+`, async (session) => {
    equal(session.sources.length, 1);
    const [total] = await inclusive(session).then((rows) => rows.filter((row) => row.endsWith(' main')));
    equal(total, `${(2 * 2.22155).toFixed(3)} main`);
  });
  await withInputs(group, async ({ sources }) => equal(sources.length, 2));
  const profile = join(folder, 'a+b.iprof');
  writeFileSync(profile, await readFile(BINARY_TREE));
  await withInputs(profile, async ({ sources }) => equal(sources.length, 1));
  await rejects(() => withInputs(`${profile}+${one}`, () => Promise.resolve()), /no experiment/);
});
