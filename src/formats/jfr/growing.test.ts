/** Recordings that grow while they are read: drawn ones step by step, one that a JVM was writing, and one of a live JVM. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import type { Recording } from '../../models/recording.js';
import { type GrowingOptions, openGrowing } from '../../session/growing.node.js';
import { ask, type Session } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';
import { unpacked } from '../../views/events/testing/printed-events.js';
import { readJfr } from './read.js';
import { BEING_WRITTEN, chunkAfter, FINISHED, WRITING } from './testing/growing-chunk.js';
import { difference } from './testing/jfr-oracle.js';
import { plainJfr } from './testing/plain-jfr.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-growing-'));
after(() => rmSync(folder, { recursive: true }));

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

async function follow(
  path: string,
  options: GrowingOptions = {},
): Promise<{ session: Session; refresh: () => Promise<Recording> }> {
  const session = await openGrowing(path, options);
  const [source] = session.sources;
  if (source?.refresh === undefined) throw new Error('it does not grow');
  const { refresh } = source;
  return { session, refresh: async () => (await refresh()).recording };
}

/** The values of all tables, by name: rows of a snapshot stay in the next ones. */
function columnsOf({ program, profile }: Recording): Map<string, ArrayLike<number>> {
  const found = new Map<string, ArrayLike<number>>([
    ['names', program.names.offsets],
    ['functions', program.functions.name],
    ['locations', program.locations.function],
    ['stacks', profile?.stacks.parent ?? []],
    ['frames', profile?.stacks.location ?? []],
  ]);
  for (const { kind, columns } of profile?.events ?? [])
    for (const [key, values] of Object.entries(columns)) if (values !== undefined) found.set(`${kind} ${key}`, values);
  return found;
}

describe('a file that grows', () => {
  test('has each whole event once, and rows keep their numbers', async () => {
    const path = join(folder, 'grows.jfr');
    const tail = chunkAfter(4, WRITING);
    writeFileSync(path, chunkAfter(1, WRITING));
    const { session, refresh } = await follow(path);
    const before: Map<string, number[]>[] = [];
    for (let flushes = 1; flushes <= 4; flushes++) {
      const whole = chunkAfter(flushes, FINISHED);
      const recording = await refresh();
      equal(difference(plainJfr(whole), recording), undefined, `after ${flushes} flushes`);
      before.push(new Map([...columnsOf(recording)].map(([name, values]) => [name, Array.from(values)])));
      for (const snapshot of before)
        for (const [name, values] of snapshot)
          deepEqual(Array.from(columnsOf(recording).get(name) ?? []).slice(0, values.length), values, name);
      // What is behind the flush is not read: half of an event, the header being written.
      const next = chunkAfter(flushes + 1, WRITING);
      for (const cut of [3, 40]) {
        writeFileSync(path, joined(chunkAfter(flushes, WRITING), tail.subarray(0, cut)));
        equal(await refresh(), recording);
      }
      next[64] = BEING_WRITTEN;
      writeFileSync(path, next);
      equal(await refresh(), recording);
      next[64] = WRITING;
      writeFileSync(path, next);
    }
    const { rows } = await ask(session, { view: 'functions' });
    ok(rows.length > 0);
    await session.close();
  });

  test('may be removed, also before its end', async () => {
    const path = join(folder, 'repo');
    mkdirSync(path);
    const file = (second: number): string => join(path, `2026_11_23_01_45_0${second}.jfr`);
    writeFileSync(file(0), chunkAfter(2, WRITING));
    const { session, refresh } = await follow(path);
    // Rotation: the first chunk is finished, the next begins.
    writeFileSync(file(0), chunkAfter(3, FINISHED));
    writeFileSync(file(1), chunkAfter(1, WRITING, 1));
    const rotated = await refresh();
    equal(difference(plainJfr(joined(chunkAfter(3, FINISHED), chunkAfter(1, FINISHED, 1))), rotated), undefined);
    equal(rotated.metadata.find(({ key }) => key === 'chunks')?.value, '2');
    // Files that were read may go: nothing is lost.
    rmSync(file(0));
    equal(await refresh(), rotated);
    equal(rotated.complete, true);
    renameSync(file(1), join(folder, 'gone.jfr'));
    const lost = await refresh();
    deepEqual(lost.sections, rotated.sections);
    match(lost.problems.list.map(({ message }) => message).join(), /2026_11_23_01_45_01\.jfr: removed before its end/);
    equal(lost.complete, false);
    equal(await refresh(), lost);
    await session.close();
  });

  test('is read to its end if that was written before it was removed', async () => {
    const path = join(folder, 'removed');
    mkdirSync(path);
    const [file, elsewhere] = [join(path, '2026_11_23_01_45_00.jfr'), join(folder, 'elsewhere.jfr')];
    writeFileSync(file, chunkAfter(2, WRITING));
    const { session, refresh } = await follow(path);
    renameSync(file, elsewhere);
    writeFileSync(elsewhere, chunkAfter(3, FINISHED));
    const recording = await refresh();
    equal(difference(plainJfr(chunkAfter(3, FINISHED)), recording), undefined);
    equal(recording.problems.list.length, 0);
    const isFinal = (): boolean | undefined => session.sources[0]?.current().final;
    equal(isFinal(), false);
    rmSync(path, { recursive: true });
    await refresh();
    equal(isFinal(), true);
    await session.close();
  });

  for (const size of [0n, 1n, 100_000n, 2n ** 62n, -1n])
    test(`keeps what it has if the header of a removed file says ${size} bytes`, async () => {
      const [path, elsewhere] = [join(folder, `lies${size}.jfr`), join(folder, 'lies')];
      writeFileSync(path, chunkAfter(2, WRITING));
      const { session, refresh } = await follow(path);
      const { sections } = await refresh();
      renameSync(path, elsewhere);
      const bytes = chunkAfter(3, FINISHED);
      new DataView(bytes.buffer).setBigInt64(8, size);
      writeFileSync(elsewhere, bytes);
      const recording = await refresh();
      deepEqual(recording.sections, sections);
      match(recording.problems.list.map(({ message }) => message).join(), /removed before its end/);
      await session.close();
    });

  test('has events of each type, and new ones get the next numbers', async () => {
    const times = [40, 10, 20, 5, 50, 7, 45, 60, 61];
    const samples = times.map((time) => ({
      type: 'jdk.ExecutionSample',
      values: { startTime: 1000n + BigInt(time), sampledThread: 1, stackTrace: 1 },
    }));
    const byTime = (first: number): string[] =>
      [...times.slice(0, first).entries()].sort(([, a], [, b]) => a - b).map(([i]) => `jdk.ExecutionSample#${i + 1}`);
    const path = join(folder, 'numbers.jfr');
    writeFileSync(path, chunkAfter(1, WRITING, 0, samples));
    const usual = await follow(path);
    const outlined = await follow(path, { foreseen: ['ExecutionSample'] });
    const options = { types: ['ExecutionSample'] };
    const page = { limit: 0 };
    for (const flushes of [1, 2, 3]) {
      writeFileSync(path, chunkAfter(flushes, WRITING, 0, samples));
      for (const { session, refresh } of [usual, outlined]) {
        await refresh();
        const { rows } = await ask(session, { view: 'events', options, page });
        deepEqual(
          rows.map(({ event }) => event),
          byTime(3 * flushes),
        );
        const after = { 'jdk.ExecutionSample': 3 * (flushes - 1) };
        const newer = await ask(session, { view: 'events', options: { ...options, after }, page });
        deepEqual(
          newer.rows.map(({ event }) => event),
          byTime(3 * flushes).filter((event) => Number(event.split('#')[1]) > 3 * (flushes - 1)),
        );
        // The span of an event, which lasts no time.
        const scope = [{ kind: 'at', event: 'ExecutionSample#2' }] as const;
        const spanned = await ask(session, { view: 'events', options, scope, page });
        deepEqual(
          spanned.rows.map(({ event }) => event),
          ['jdk.ExecutionSample#2'],
        );
      }
    }
    rmSync(path);
    // Its file is still open until the end was read.
    const { rows } = await ask(usual.session, { view: 'events', options: { types: ['Order'] }, page });
    equal(rows.length, 0);
    equal(outlined.session.recordings[0]?.profile, undefined);
    for (const each of [usual, outlined]) await each.session.close();
    await rejects(
      ask(outlined.session, { view: 'events', options: { types: ['Allocation'] } }),
      /the recorder removed it/,
    );
  });

  test('that async-profiler writes has each chunk once it is whole', async () => {
    const [first, second] = ['dump1', 'wall'].map(
      (name) => new Uint8Array(unpacked(`src/formats/jfr/fixtures/${name}.jfr.gz`)),
    );
    // Until a chunk ends, its header says so many bytes, and that it is finished.
    const begun = (chunk: Uint8Array, size: number): Uint8Array => {
      const bytes = chunk.slice(0, size);
      new DataView(bytes.buffer).setBigInt64(8, 1n << 30n);
      return bytes;
    };
    const path = join(folder, 'async-profiler.jfr');
    const steps: readonly (readonly [bytes: Uint8Array, whole: readonly Uint8Array[]])[] = [
      [begun(first, 68), []],
      [begun(first, 20_000), []],
      [begun(first, first.length), []],
      [first, [first]],
      [joined(first, second.subarray(0, 30)), [first]],
      [joined(first, begun(second, 68)), [first]],
      [joined(first, begun(second, 50_000)), [first]],
      [joined(first, second), [first, second]],
    ];
    writeFileSync(path, steps[0][0]);
    const { session, refresh } = await follow(path);
    for (const [i, [bytes, whole]] of steps.entries()) {
      writeFileSync(path, bytes);
      const recording = await refresh();
      const expected = whole.length === 0 ? undefined : await readJfr(memorySource('x.jfr', joined(...whole)));
      deepEqual(recording.sections, expected?.sections ?? [], `step ${i}`);
      deepEqual(columnsOf(recording).get('sample stack'), expected && columnsOf(expected).get('sample stack'));
      equal(recording.complete, true, `step ${i}`);
    }
    equal(session.sources[0]?.current().final, false);
    await refresh();
    equal(session.sources[0]?.current().final, true);
    await session.close();
  });

  test('that a JVM was writing has what the JDK sees up to its flush', async (t) => {
    const data = sharedData(t, 'interop/jfr/growing-jdk17.jfr.gz');
    const home = jdkHomes(t).at(-1);
    if (data === undefined || home === undefined) return;
    const bytes = new Uint8Array(unpacked(data));
    writeFileSync(join(folder, 'jdk17.jfr'), bytes);
    const { session, refresh } = await follow(join(folder, 'jdk17.jfr'));
    const { sections } = await refresh();
    await session.close();
    const flushed = bytes.slice(0, Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(8)));
    flushed[64] = 0;
    writeFileSync(join(folder, 'flushed.jfr'), flushed);
    const summary = jdkTool(home, 'jfr', ['summary', join(folder, 'flushed.jfr')]);
    ok(sections.length > 10);
    for (const { name, entries } of sections)
      match(summary, new RegExp(`^ ${name.replaceAll('.', '\\.')} +${entries} `, 'm'));
    deepEqual(sections, (await readJfr(memorySource('flushed.jfr', flushed))).sections);
  });
});
