/** Waits of virtual threads: one program on JDK 21 and 25 that counted them itself, and drawn recorders. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import { noteTexts } from '../../../cli/render/spelling.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import { THREADS } from '../../../models/profile/tables.js';
import { ask, openSession, type Session } from '../../../session/session.js';
import { ROOT } from '../../../testing/shared-data.js';
import { readJfr } from '../read.js';
import { type Recorder, withVirtualWaits } from './virtual-waits.js';

const fixture = (name: string): Uint8Array =>
  gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/kinds/fixtures', name)));

/** Waits by whether their thread is virtual. */
async function waitsIn(file: string): Promise<Record<string, number>> {
  const { profile } = await readJfr(memorySource(file, fixture(file)));
  const waits = WAIT_EVENTS.of(profile);
  ok(waits !== undefined && profile?.threads !== undefined);
  const { virtual } = THREADS.rows(profile.threads);
  const counts: Record<string, number> = {};
  for (let row = 0; row < waits.length; row++) {
    const name = `${virtual?.[waits.thread[row]] === 1 ? 'virtual' : 'platform'} ${WAIT_REASONS[waits.reason[row]]}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function notesOf(session: Session, view: 'summary' | 'threads' | 'timeline' | 'functions'): Promise<string[]> {
  const options = view === 'functions' ? { metric: 'contention' } : view === 'timeline' ? { buckets: 1 } : {};
  const { notes } = await ask(session, { view, options });
  return notes.flatMap((each) => (each.code === 'virtual-waits' ? noteTexts([each]) : []));
}

describe('waits of virtual threads', () => {
  // The program counted waits of 20 ms and more: 5 for the monitor, 13 for the lock on JDK 21; 6 and 12 on JDK 25.
  test('JDK 21 has those for monitors, JDK 25 has none; neither has parks', async () => {
    deepEqual(await waitsIn('virtual-jdk21.jfr.gz'), { 'virtual enter': 5, 'platform park': 20 });
    deepEqual(await waitsIn('virtual-jdk25.jfr.gz'), { 'platform park': 14 });
  });

  for (const [version, words] of [
    [
      21,
      /^At least 6 virtual threads: Java 21 records their waits for monitors \(5\), and of their parks only .* \(0\)/,
    ],
    [25, /^An unknown number of virtual threads: Java 25 records .* only while they are pinned \(0\)/],
  ] as const)
    test(`views say what JDK ${version} lacks, and what shows it`, async () => {
      const name = `virtual-jdk${version}.jfr.gz`;
      const session = await openSession([memorySource(name, fixture(name))]);
      for (const view of ['summary', 'threads', 'timeline', 'functions'] as const) {
        const texts = await notesOf(session, view);
        equal(texts.length, 1, view);
        match(texts[0] ?? '', words);
        match(texts[0] ?? '', /Thread\.dump_to_file.*method timing.*events of your own/);
      }
      const { notes } = await ask(session, { view: 'monitors', options: { contention: true } });
      ok(notes.some(({ code }) => code === 'virtual-waits'));
      await session.close();
    });
});

describe('notes of drawn recorders', () => {
  const threads = THREADS.having(['virtual', 'group']).builder();
  for (const virtual of [1, 1, 0]) threads.add({ name: 0, virtual, group: virtual === 1 ? 1 : 2 });
  const waits = WAIT_EVENTS.builder();
  for (const thread of [0, 1, 2, 2]) waits.add({ thread, reason: WAIT_REASONS.indexOf('park'), waited: 30 });
  const metrics = [
    { id: 'parked', title: 'Time parked', unit: 'ns', nature: 'flow', table: 'wait', field: 'parked' },
    { id: 'slept', title: 'Time asleep', unit: 'ns', nature: 'flow', table: 'wait', field: 'slept' },
  ] as const;
  const textsOf = (recorder: Partial<Recorder>): string[] => {
    const whole = { java: 25, hasVirtualStarts: false, carrierGroup: -1, ...recorder };
    const described = withVirtualWaits(metrics, waits.finish(), threads.finish(), whole);
    equal(described[1]?.notes, undefined);
    return noteTexts(described[0]?.notes ?? []);
  };

  test('the number of threads is exact where their starts are recorded; an unknown version is none', () => {
    match(textsOf({})[0] ?? '', /^At least 2 virtual threads: Java 25 .* \(2\)/);
    match(textsOf({ hasVirtualStarts: true })[0] ?? '', /^2 virtual threads: /);
    match(textsOf({ java: undefined })[0] ?? '', /: From JDK 24 on the JVM records /);
    match(textsOf({ java: 23 })[0] ?? '', /: Java 23 records their waits for monitors \(0\), .* \(2\)/);
  });

  test('recordings without virtual threads have none', () => {
    const platform = THREADS.having(['virtual']).builder();
    platform.add({ name: 0, virtual: 0 });
    const recorder = { java: 25, hasVirtualStarts: false, carrierGroup: -1 };
    deepEqual(withVirtualWaits(metrics, waits.finish(), platform.finish(), recorder), metrics);
    deepEqual(withVirtualWaits(metrics, waits.finish(), undefined, recorder), metrics);
  });
});
