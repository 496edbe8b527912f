/** Thread dumps that were changed on their way have the same answers as the untouched ones. */
import { deepEqual, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { memorySource } from '../../bytes/byte-source.js';
import { detect } from '../../session/inputs/detect.js';
import { ask, sessionOf } from '../../session/session.js';
import { amount, inFullTier } from '../../testing/amount.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { seenThreads } from './testing/thread-dump-seen.js';
import { ENCODINGS, TRANSFORMATIONS, type Transformation, transformationPairs } from './testing/transformations.js';

const FOLDER = join(ROOT, 'src', 'formats', 'thread-dump', 'fixtures');
function dumpsIn(folder: string): { readonly name: string; readonly text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt') && !name.startsWith('case.'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

const DUMPS = [...dumpsIn(FOLDER), ...dumpsIn(join(FOLDER, 'dialects'))];
const SMALL = ['made-by-hand.jdk-8.txt', 'made-by-hand.jdk-21-to-file.txt', 'thread-info-17.txt', 'jhsdb-17.txt'];
const QUICK = [...DUMPS.filter(({ name }) => SMALL.includes(name))];

/** What a person sees: threads with their frames, locks, deadlocks; and whether the dump counts as damaged. */
async function answers(bytes: Uint8Array): Promise<unknown> {
  const source = memorySource('dump', bytes);
  const recording = await (await detect(source)).read(source);
  const session = sessionOf([recording]);
  const page = { limit: 0 };
  const threads = await ask(session, { view: 'threads', page });
  const monitors = await ask(session, { view: 'monitors', page });
  return {
    threads: threads.rows,
    frames: seenThreads(recording).map(({ status, ...thread }) => ({ ...thread, status: status.trim() })),
    monitors: monitors.rows,
    deadlocks: monitors.deadlocks,
    complete: recording.complete,
    errors: recording.problems.list.filter(({ severity }) => severity !== 'info').map(({ code }) => code),
  };
}

/** The answers of untouched dumps, by text. */
const untouched = new Map<string, unknown>();

async function same(text: string, bytes: Uint8Array, about: string): Promise<void> {
  const plainAnswers = untouched.get(text) ?? (await answers(Buffer.from(text)));
  untouched.set(text, plainAnswers);
  const changed = await answers(bytes);
  // A comparison that explains itself takes long.
  if (!isDeepStrictEqual(changed, plainAnswers)) deepEqual(changed, plainAnswers, about);
}

/**
 * Files of `dump_to_file` are not looked for in logs: nothing in their headings names them. A name with a line feed and a
 * header in it looks like a wrapped header. JSON in a mail is no longer JSON.
 */
function isPossible(name: string, changes: readonly Transformation[]): boolean {
  const has = (one: string): boolean => changes.some((change) => change.name === one || change.subject === one);
  if (name.includes('to-file') && has('log')) return false;
  if (name.startsWith('states.') && has('wrapping')) return false;
  return !(has('a log as a JSON array') && (has('a mail') || has('an answer to a mail')));
}

/** Digests of dumps with what changes made of them: some pairs make the same of a dump, or what one of them makes. */
const tried = new Set<string>();

/** A change that a dump has no place for says nothing. */
async function trial(dump: (typeof DUMPS)[number], changes: readonly Transformation[]): Promise<number> {
  const text = changes.reduce((before, { apply }) => apply(before), dump.text);
  if (text === dump.text || !isPossible(dump.name, changes)) return 0;
  const digest = createHash('sha1').update(dump.text).update('\0').update(text).digest('base64');
  if (tried.has(digest)) return 1;
  tried.add(digest);
  await same(dump.text, Buffer.from(text), `${dump.name}: ${changes.map(({ name }) => name).join(', ')}`);
  return 1;
}

describe('changes on the way', () => {
  test('alone', async () => {
    let trials = 0;
    for (const dump of amount(DUMPS, QUICK))
      for (const change of TRANSFORMATIONS) trials += await trial(dump, [change]);
    ok(trials >= amount(1150, 87), `${trials} trials`);
  });

  test('encodings, alone and of quoted text', async () => {
    const mail = TRANSFORMATIONS.find(({ name }) => name === 'a mail') ?? TRANSFORMATIONS[0];
    for (const { name, text } of amount(DUMPS, QUICK))
      for (const { name: encoding, encode } of ENCODINGS)
        for (const changed of [text, mail.apply(text)]) await same(text, encode(changed), `${name}: ${encoding}`);
  });

  test('in pairs', async (t) => {
    if (!inFullTier(t, 'thread-dump/transformations')) return;
    let trials = 0;
    for (const dump of DUMPS) for (const pair of transformationPairs()) trials += await trial(dump, pair);
    ok(trials >= 12_000, `${trials} trials`);
  });

  test('of the collection', async (t) => {
    const folder = sharedData(t, 'thread-dumps');
    if (folder === undefined || !inFullTier(t, 'thread-dump/transformations')) return;
    let trials = 0;
    for (const dump of dumpsIn(folder)) {
      for (const change of TRANSFORMATIONS) trials += await trial(dump, [change]);
      for (const pair of transformationPairs()) trials += await trial(dump, pair);
    }
    ok(trials >= 400, `${trials} trials`);
  });
});
