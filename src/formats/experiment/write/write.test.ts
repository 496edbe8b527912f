/** Written experiments: read back on every kind of machine, and by gprofng, they have the values of the profile that was drawn. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { stringAt } from '../../../base/text.js';
import { threadName } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import { openInputs } from '../../../session/open.node.js';
import { ask, type Session } from '../../../session/session.js';
import { runs } from '../../../testing/amount.js';
import { drawn, functionOf, type PlainEvent, plainEvents } from '../../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../../testing/recordings.js';
import { ROOT } from '../../../testing/shared-data.js';
import { readExperiment } from '../read.js';
import { memorySet, wholeParts } from '../testing/memory-tree.js';
import type { MachineLayout } from './packets.js';
import { planOf } from './plan.js';
import { writeExperiment } from './write.js';

const MACHINES: readonly MachineLayout[] = [
  { littleEndian: true, word: 8 },
  { littleEndian: false, word: 8 },
  { littleEndian: true, word: 4 },
  { littleEndian: false, word: 4 },
];
/** Nanoseconds of a tick: that of the usual profiling clock. */
const TICK = 10_007_000;

/** The drawn profile; its counts are samples of a clock if `isClock`. */
function recordingOf(events: readonly PlainEvent[], isClock: boolean): Recording {
  const { program, profile } = drawn(events);
  const [metric] = profile.metrics;
  if (metric === undefined) throw new Error('a drawn profile has a metric');
  const clock = { ...metric, unit: 'samples' as const, period: { value: TICK, unit: 'ns' as const } };
  return drawnRecording({ program, profile: isClock ? { ...profile, metrics: [clock] } : profile });
}

/** Sums by thread and stack, of events that have one. */
function sumsOf(rows: readonly { readonly key: string; readonly value: number }[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { key, value } of rows) sums.set(key, (sums.get(key) ?? 0) + value);
  return [...sums].filter(([, value]) => value > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

const keyOf = (thread: string, frames: readonly string[]): string => `${thread}: ${frames.join(';')}`;

function drawnSums(events: readonly PlainEvent[]): [string, number][] {
  return sumsOf(
    events.map(({ thread, frames, count }) => ({ key: keyOf(thread, frames.map(functionOf)), value: count })),
  );
}

/** The same of a recording that was read, by the key of a column. */
function readSums({ program, profile }: Recording, key: string): [string, number][] {
  const table = profile?.events[0];
  if (profile === undefined || table === undefined) return [];
  const [stack, thread, values] = [column(table, 'stack'), column(table, 'thread'), column(table, key)];
  const rows = Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = stack[row] ?? -1; id >= 0; id = profile.stacks.parent[id] ?? -1) {
      const own = program.locations.function[profile.stacks.location[id] ?? 0] ?? 0;
      frames.unshift(stringAt(program.names, program.functions.name[own] ?? 0));
    }
    return { key: keyOf(threadName(profile, program, thread[row] ?? -1) ?? '', frames), value: values[row] ?? 0 };
  });
  return sumsOf(rows);
}

async function readBack(recording: Recording, machine?: MachineLayout): Promise<Recording> {
  const { tree, set } = memorySet(wholeParts(writeExperiment(recording, machine).parts));
  return readExperiment(tree, set);
}

describe('a written experiment has the events of the profile', () => {
  test('of any profile, on machines of both byte orders and widths', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, fc.constantFrom(...MACHINES), fc.boolean(), async (events, machine, isClock) => {
        const read = await readBack(recordingOf(events, isClock), machine);
        deepStrictEqual(read.problems.list, []);
        deepStrictEqual(readSums(read, isClock ? 'count' : 'counter_0'), drawnSums(events));
      }),
      runs(200),
    );
  });

  test('with stacks that need several packets', async () => {
    const frames = Array.from({ length: 9001 }, (_, i) => ['a', 'b', 'c'][i % 3] ?? '');
    const events = [{ frames, thread: 'main', time: 1, count: 2 }];
    for (const machine of MACHINES) {
      const read = await readBack(recordingOf(events, true), machine);
      deepStrictEqual(readSums(read, 'count'), drawnSums(events));
    }
  });

  test('with times of the clock, and in the order of the machine', async () => {
    const read = await readBack(recordingOf([{ frames: ['a'], thread: 'main', time: 5, count: 3 }], true), MACHINES[1]);
    const table = read.profile?.events[0];
    ok(table !== undefined);
    deepStrictEqual([...column(table, 'cpu')], [3 * TICK]);
    deepStrictEqual([...column(table, 'time')], [5]);
    equal(read.metadata.find(({ key }) => key === 'architecture')?.value, 'sun4v');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'kansoku-experiment-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes a recording as a new experiment; its path. */
function written(recording: Recording, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [part, bytes] of wholeParts(writeExperiment(recording).parts)) writeFileSync(join(path, part), bytes);
  return path;
}

/** What gprofng prints of commands. */
const peer = (words: readonly string[]): string =>
  execFileSync('gprofng', ['display', 'text', ...words], { encoding: 'utf8', cwd: folder });

/** What gprofng prints of the functions of an experiment: exclusive and inclusive seconds by name, sums of equal names. */
function peerFunctions(text: string): [string, string, string][] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*([\d.]+)\s+[\d.]+\s+([\d.]+)\s+[\d.]+\s+(\S.*)$/.exec(line);
    return match === null ? [] : [[match[3] ?? '', match[1] ?? '', match[2] ?? '']];
  });
}

const printed = (count: number): string => (count === 0 ? '0.' : ((count * TICK) / 1e9).toFixed(3));

/** The same, from the events that were drawn. */
function expectedFunctions(events: readonly PlainEvent[]): [string, string, string][] {
  const sums = new Map<string, { self: number; total: number }>();
  const add = (name: string, self: number, total: number): void => {
    const known = sums.get(name) ?? { self: 0, total: 0 };
    sums.set(name, { self: known.self + self, total: known.total + total });
  };
  for (const { frames, count } of events) {
    // gprofng has no row for what has no stack, but adds it up.
    add('<Total>', count, count);
    const names = frames.map(functionOf);
    for (const name of new Set(names)) add(name, name === names.at(-1) ? count : 0, count);
  }
  return [...sums].map(([name, { self, total }]) => [name, printed(self), printed(total)]);
}

/** Values around a function or a fragment of stacks: `caller main 0.120`, `function f 0.040`, `callee g 0.080`. */
type Around = readonly string[];

/** gprofng also lists callers and callees whose value belongs to an inner call. */
const valued = (around: Around): string[] => around.filter((line) => !line.endsWith(' 0.')).sort();

/** What gprofng prints of callers and callees, by the function in the middle. */
function peerCallers(text: string): Map<string, Around> {
  const found = new Map<string, Around>();
  for (const block of text.split('\n\n')) {
    const rows = block.split('\n').flatMap((line) => {
      const [, value = '', mark = '', name = ''] = /^\s*([\d.]+)\s+[\d.]+\s+([*]?)(\S.*)$/.exec(line) ?? [];
      return name === '' ? [] : [{ value, isCentre: mark !== '', name }];
    });
    const centre = rows.findIndex(({ isCentre }) => isCentre);
    if (centre < 0) continue;
    const around = rows.map(({ name, value }, i) => `${relation(i - centre)} ${name} ${value}`);
    found.set(rows[centre]?.name ?? '', valued(around));
  }
  return found;
}

const relation = (after: number): string => (after < 0 ? 'caller' : after > 0 ? 'callee' : 'function');

/** What gprofng prints of a fragment, in sections for callers, fragment and callees. */
function peerFragment(text: string): Around {
  let part = '';
  const around = text.split('\n').flatMap((line) => {
    const [, title] = /^=+ (Callers|Stack Fragment|Callees)$/.exec(line) ?? [];
    if (title !== undefined) part = { Callers: 'caller', Callees: 'callee' }[title] ?? 'function';
    const [, value, name] = /^\s*([\d.]+)\s+[\d.]+\s+(\S.*)$/.exec(line) ?? [];
    return value === undefined || part === '' ? [] : [`${part} ${name} ${value}`];
  });
  return valued(around);
}

/** The view's rows in the same words. */
async function ownCallers(session: Session, words: string): Promise<Around> {
  const name = (text: string): string => `^${text.replace(/[.[\]]/g, '\\$&')}( \\(\\[.*\\]\\))?$`;
  const options = { function: words.split(' -> ').map(name).join(' -> '), metric: 'cpu' };
  const { rows } = await ask(session, { view: 'callers', options, page: { limit: 0 } });
  const around = rows.map(({ relation: of, function: name, attributed }) => {
    const plain = name === '<root>' ? '<Total>' : name.replace(/ \(\[.*\]\)$/, '');
    return `${of} ${plain} ${seconds(attributed ?? 0)}`;
  });
  return valued(around);
}

const seconds = (nanos: number): string => (nanos === 0 ? '0.' : (nanos / 1e9).toFixed(3));

/** Events that gprofng has rows for: without any value it prints no table; events without a stack it attributes to a function of its own. */
const knownEvents = (events: readonly PlainEvent[]): PlainEvent[] =>
  events.filter(({ frames, count }) => frames.length > 0 && count > 0);

test('gprofng prints our functions, callers and callees, and fragments of stacks of any profile', async (t) => {
  if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
  let number = 0;
  await fc.assert(
    fc.asyncProperty(plainEvents, fc.nat(), fc.integer({ min: 2, max: 3 }), async (events, pick, length) => {
      const known = knownEvents(events);
      if (known.length === 0) return;
      const path = written(recordingOf(known, true), `${number++}.er`);
      const { frames = [] } = known[pick % known.length] ?? {};
      const from = pick % frames.length;
      const fragment = frames.slice(from, from + length).map(functionOf);
      const text = peer(['-functions', '-callers-callees', ...fragmentWords(fragment), path]);
      const [functions = '', ...callers] = text.split(/^(?=Callers and callees sorted)/m);
      const byName = (a: readonly string[], b: readonly string[]): number => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1);
      deepStrictEqual(peerFunctions(functions).sort(byName), expectedFunctions(known).sort(byName));
      const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
      for (const [name, around] of peerCallers(callers[0] ?? ''))
        if (name !== '<Total>') deepStrictEqual(await ownCallers(session, name), around);
      if (fragment.length > 1)
        deepStrictEqual(await ownCallers(session, fragment.join(' -> ')), peerFragment(callers.at(-1) ?? ''));
      await session.close();
    }),
    runs(200),
  );
});

/** Commands for a fragment: functions that are added at its end, after each of which gprofng prints it. */
function fragmentWords(fragment: readonly string[]): string[] {
  return fragment.flatMap((name) => ['-cappend', name, '1']);
}

test('gprofng prints our lines', async (t) => {
  if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
  const example = join(ROOT, 'examples/hprof/cpu-samples.txt');
  const session = await openInputs([example], { cache: false, announce: () => undefined, work: {} });
  const { rows } = await ask(session, { view: 'functions', options: { by: 'line' }, page: { limit: 0 } });
  // gprofng gives places without a line that of the function's first entry.
  const mixed = rows.flatMap(({ function: line }) =>
    line.endsWith(', no line') ? [line.replace(', no line', '(')] : [],
  );
  const isWhole = (line: string): boolean => !mixed.some((name) => line.startsWith(name));
  const expected = rows.flatMap(({ function: line, self }) =>
    /:\d+\)$/.test(line) && isWhole(line) && self ? [`${line} ${self}`] : [],
  );
  ok(expected.length > 5);
  const [recording] = session.recordings;
  if (recording === undefined) throw new Error('the example has a recording');
  const text = peer(['-lines', written(recording, 'lines.er')]);
  const found = [...text.matchAll(/^ *(\d+) +[\d.]+ +(\S.*), line (\d+) in "(.*)"$/gm)].flatMap(
    ([, self = '', name, line, file]) =>
      self === '0' || !isWhole(`${name}(`) ? [] : [`${name}(${file}:${line}) ${self}`],
  );
  deepStrictEqual(found.sort(), expected.sort());
  await session.close();
});

test('times of waits are no CPU time', async () => {
  const file = join(ROOT, 'examples/jfr/shop.jfr.gz');
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  const profile = session.recordings[0]?.profile;
  ok(profile !== undefined);
  const { clock, counters } = planOf(profile);
  equal(clock, undefined);
  const times = profile.metrics.filter(({ unit }) => unit === 'ns').map(({ id }) => id);
  ok(times.includes('parked'));
  const written = counters.map(({ metric }) => metric.id);
  deepStrictEqual(
    times.filter((id) => written.includes(id)),
    times,
  );
  ok(written.includes('samples'));
  await session.close();
});

test('gprofng prints the functions of a recording of JFR', async (t) => {
  if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
  const file = join(ROOT, 'src/formats/jfr/fixtures/warehouse-jdk25.jfr.gz');
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  const { rows } = await ask(session, { view: 'functions', options: { metric: 'cpu-time' }, page: { limit: 0 } });
  const [recording] = session.recordings;
  if (recording === undefined) throw new Error('the fixture has a recording');
  const columns = ['-metrics', 'e.%totalcpu:i.%totalcpu:name', '-functions'];
  const found = peerFunctions(peer([...columns, written(recording, 'jfr.er')]));
  const own = rows.map(({ function: name, self, total }) => [name, seconds(self ?? 0), seconds(total ?? 0)]);
  ok(own.length > 50);
  const isShown = ([name = '', , total]: readonly string[]): boolean => name !== '<Total>' && total !== '0.';
  const text = (all: readonly (readonly string[])[]): string[] =>
    all
      .filter(isShown)
      .map((row) => row.join(' '))
      .sort();
  deepStrictEqual(text(found), text(own));
  await session.close();
});
