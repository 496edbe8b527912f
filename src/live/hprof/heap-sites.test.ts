/** heap=sites of the HPROF agent: a program that counts its own allocations, and the genuine agent's file of the same program. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { compiledFor, folder } from '../agent/testing/probed.js';
import { hprofRun } from './testing/hprof-run.js';

/** A row of SITES, with the lines of its trace. */
interface SiteRow {
  readonly liveBytes: number;
  readonly live: number;
  readonly bytes: number;
  readonly objects: number;
  readonly name: string;
  readonly lines: readonly string[];
}

function siteRows(text: string): SiteRow[] {
  const traces = new Map<string, string[]>();
  for (const [, serial = '', lines = ''] of text.matchAll(/^TRACE (\d+):.*\n((?:\t.*\n)*)/gm))
    traces.set(serial, lines.trim().split(/\n?\t/));
  const table = text.slice(text.lastIndexOf('SITES BEGIN'), text.lastIndexOf('SITES END'));
  const rows = table.matchAll(/^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) (.*)$/gm);
  return [...rows].map(([, liveBytes, live, bytes, objects, trace = '', name = '']) => {
    const [counts, lines] = [[liveBytes, live, bytes, objects].map(Number), traces.get(trace) ?? []];
    return {
      liveBytes: counts[0] ?? 0,
      live: counts[1] ?? 0,
      bytes: counts[2] ?? 0,
      objects: counts[3] ?? 0,
      name,
      lines,
    };
  });
}

/** Class → objects since the start, and those that are there. */
function objectsByClass(rows: readonly SiteRow[]): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const { name, objects, live } of rows) {
    const [allCount, keptCount] = sums.get(name) ?? [0, 0];
    sums.set(name, [allCount + objects, keptCount + live]);
  }
  return sums;
}

/** What `Sites` prints: class, objects, and those that it keeps. */
const ownSums = (stdout: string): [string, [number, number]][] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', objects, live]) => [name, [Number(objects), Number(live)]]);

/** The optimizing compiler leaves out objects that nobody sees: the VM tells of none then, while code in the classes counts them. */
const EXACT = { options: 'live=exact', flags: ['-XX:TieredStopAtLevel=1'] };
const COUNTED = { options: 'live=sampled', flags: [] };

const RUNS = amount(
  [
    { version: '17', ...COUNTED, words: ['1', '3000'] },
    { version: '17', ...COUNTED, words: ['8', '300'] },
    { version: '25', ...COUNTED, words: ['2', '1500'] },
    { version: '25', ...COUNTED, words: ['60', '50', 'virtual'] },
    { version: '17', ...EXACT, words: ['8', '100'] },
    { version: '25', ...EXACT, words: ['20', '50', 'virtual'] },
  ],
  [
    { version: '25', ...COUNTED, words: ['10', '30', 'virtual'] },
    { version: '17', ...EXACT, words: ['2', '50'] },
  ],
);

for (const { version, options, flags, words } of RUNS)
  test(`JDK ${version}, ${options}: objects of ${words.join(' ')} are those that the program counts itself`, (t) => {
    const home = compiledFor(t, version, 'Sites');
    if (home === undefined) return;
    const all = `heap=sites,cutoff=0,depth=3,${options}`;
    const { status, stdout, stderr, text } = hprofRun(home, all, ...flags, 'Sites', ...words);
    equal(status, 0, stderr);
    const sums = objectsByClass(siteRows(text));
    const ownRows = ownSums(stdout);
    equal(ownRows.length, 8);
    for (const [name, expected] of ownRows) {
      const [allCount, keptCount] = sums.get(name) ?? [0, 0];
      equal(allCount, expected[0], name);
      // A copy that JDK 25 makes by `Object.clone` loses its tag: it is counted, but not as a live one.
      if (options === EXACT.options && (version !== '25' || name !== 'Sites$Grandchild'))
        equal(keptCount, expected[1], name);
    }
  });

/** Lines of the JDK change with its updates. */
const comparable = (lines: readonly string[]): string =>
  lines.map((line) => (line.startsWith('AllocDemo') ? line : line.replace(/\(.*/, ''))).join(' ');

/** The trace as of the instruction that allocates: the genuine agent's begins in the constructors, and may have no other method. */
function behindConstructors(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.findIndex((line) => !line.includes('.<init>(')));
}

for (const { options, flags } of [EXACT, COUNTED])
  test(`${options}: sites of a program are those of the genuine agent`, (t) => {
    const shared = sharedData(t, 'hprof');
    const home = shared === undefined ? undefined : compiledFor(t, '17', 'Sites');
    if (shared === undefined || home === undefined) return;
    // As the shared class files were: strings are joined by StringBuilder.
    const words = ['--release', '8', '-g', '-d', folder, join(shared, 'programs/AllocDemo.java')];
    equal(spawnSync(join(home, 'bin/javac'), words).status, 0);
    const { status, stderr, text } = hprofRun(home, `heap=sites,cutoff=0,${options}`, ...flags, 'AllocDemo');
    equal(status, 0, stderr);
    const rows = siteRows(text);
    const genuineRows = siteRows(readFileSync(join(shared, 'agent/alloc-heap-sites.txt'), 'latin1'));
    const comparedRows = genuineRows.filter(({ lines }) =>
      behindConstructors(lines).some((line) => line.startsWith('AllocDemo.')),
    );
    ok(comparedRows.length >= 9, `${comparedRows.length} sites`);
    for (const { name, bytes, objects, lines } of comparedRows) {
      const shownLines = comparable(behindConstructors(lines));
      const sameSite = rows.find((row) => row.name === name && comparable(row.lines).startsWith(shownLines));
      deepEqual([sameSite?.bytes, sameSite?.objects], [bytes, objects], `${name} ${shownLines}`);
    }
  });

test('our readers find the sites in the file, and no problem', async (t) => {
  const home = compiledFor(t, '25', 'Sites');
  if (home === undefined) return;
  const { status, stderr, text } = hprofRun(home, 'heap=sites,cutoff=0,collect=y', 'Sites', '2', '20');
  equal(status, 0, stderr);
  const session = await openInputs([join(folder, 'java.hprof.txt')], {
    cache: false,
    announce: () => undefined,
    work: {},
  });
  deepEqual((await ask(session, { view: 'check' })).rows, []);
  const { rows } = await ask(session, { view: 'sites', page: { limit: 0 } });
  equal(rows.length, siteRows(text).length);
  await session.close();
});
