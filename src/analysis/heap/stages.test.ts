/** Graphs of dumps on disk and in little memory: what is kept answers without the dump; what does not fit is refused by name. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { TooLargeError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText } from '../../cli/render/spelling.js';
import { heapReader } from '../../formats/hprof/heaps.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { dumpBytes } from '../../formats/hprof/testing/plain-heap.js';
import { SMALL_HEAPS } from '../../formats/hprof/testing/small-heap.js';
import type { HeapReader } from '../../models/heap/heap.js';
import { openedRecording } from '../../models/open-recording.js';
import type { DerivedOptions } from '../../session/derived.js';
import { openInputs } from '../../session/open.node.js';
import { ask, type Question, type Session, sessionOfOpen } from '../../session/session.js';
import { ColumnStore } from '../../session/store/column-store.node.js';
import { sharedData } from '../../testing/shared-data.js';
import type { ViewName } from '../../views/index.js';

const NAMES = Object.keys(SMALL_HEAPS);

/** A session of a small dump. `readable`: whether its graph can be read from the source. */
async function opened(name: string, derived: DerivedOptions, readable = true): Promise<Session> {
  const { options, heap } = SMALL_HEAPS[name];
  const source = memorySource(name, dumpBytes(options, heap));
  const recording = await readHprofFile(source);
  const reader = heapReader(source, recording);
  const refused = (): never => {
    throw new Error('the graph is read again');
  };
  const heaps: HeapReader = readable
    ? reader
    : {
        graph: refused,
        part: refused,
        fields: refused,
        values: (...given) => reader.values(...given),
        records: refused,
      };
  return sessionOfOpen([openedRecording(recording, { heaps, content: name })], { derived });
}

const QUESTIONS: readonly Pick<Question<ViewName>, 'view' | 'options'>[] = [
  { view: 'heap-dominators', options: {} },
  { view: 'heap-dominators', options: { by: 'class', roots: 'mat', sizes: 'mat' } },
  { view: 'heap-dominators', options: { without: ['weak'] } },
  { view: 'heap-objects', options: {} },
  { view: 'heap-paths', options: { class: 'Node' } },
];

async function answersOf(session: Session): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const question of QUESTIONS) answers.push(await ask(session, { ...question, page: { limit: 0 } }));
  await session.close();
  return answers;
}

describe('what was derived from a dump is kept', () => {
  for (const name of NAMES)
    test(`${name}: later processes answer the same and read nothing but values of a page`, async (t: TestContext) => {
      const folder = mkdtempSync(join(tmpdir(), 'kansoku-heap-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const announced: string[] = [];
      const kept = () => ({
        store: new ColumnStore({
          folder,
          announce: (line) => announced.push(commandLineText(line)),
          now: 0,
          program: 'p',
        }),
      });
      const first = await answersOf(await opened(name, kept()));
      deepStrictEqual(first, await answersOf(await opened(name, {})));
      deepStrictEqual(await answersOf(await opened(name, kept(), false)), first);
      deepStrictEqual(announced, []);
      // Objects, references, dominators and holders of three choices, paths.
      equal(readdirSync(folder).length, 9);
    });
});

describe('with little memory', () => {
  test('questions about the graph are refused with the memory that they need, and what works instead', async () => {
    const session = await opened('hotspot-heap.hprof', { most: 100 });
    const object = '0x7000001e0';
    const inspect: Question<'heap-inspect'> = { view: 'heap-inspect', options: { object } };
    for (const question of [...QUESTIONS, inspect])
      await rejects(ask(session, question), (error: Error) => {
        ok(error instanceof TooLargeError);
        ok(
          /^heap (?:dominators|objects|paths) of .* needs about [\d.]+ [KM]?B of memory; the limit is 100 B$/.test(
            error.message,
          ),
          error.message,
        );
        ok(commandLineText(error.advice ?? '').includes('heap inspect --no-graph'));
        return true;
      });
    ok((await ask(session, { view: 'heap-histogram' })).rows.length > 0);
    equal((await ask(session, { ...inspect, options: { object, graph: false } })).object.object, 'a.More');
  });
});

describe('an object without the graph has what it has with it', () => {
  /** What does not come from the graph. */
  const ownOf = async (session: Session, object: string, graph: boolean) => {
    const {
      rows,
      object: about,
      roots,
      allocated,
      ...rest
    } = await ask(session, {
      view: 'heap-inspect',
      options: { object, graph },
      page: { limit: 5 },
    });
    if (!graph) deepStrictEqual([rest.dominators, rest.referrers, rest.path, about.retained], [null, null, null, null]);
    const values = rows.map((row) => ({ ...row, retained: null }));
    return { values, about: { ...about, retained: null }, roots, allocated, total: rest.total };
  };

  for (const name of NAMES)
    test(`${name}: every object`, async () => {
      const session = await opened(name, {});
      const { rows } = await ask(session, { view: 'heap-objects', page: { limit: 0 } });
      for (const { address } of rows)
        deepStrictEqual(await ownOf(session, address, false), await ownOf(session, address, true), address);
    });

  for (const name of ['hotspot/hs25-graph.hprof.gz', 'agent/graph-heap-dump.hprof.gz', 'agent/graph-heap-dump.txt.gz'])
    test(`${name}: objects of the program`, async (t) => {
      const file = sharedData(t, `hprof/${name}`);
      if (file === undefined) return;
      const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
      t.after(() => session.close());
      const page = { limit: 6 };
      const { rows } = await ask(session, { view: 'heap-objects', options: { class: '^GraphDemo' }, page });
      ok(rows.length > 3);
      for (const { address } of rows)
        deepStrictEqual(await ownOf(session, address, false), await ownOf(session, address, true), address);
    });

  test('an address without an object is an error', async () => {
    const session = await opened('hotspot-heap.hprof', {});
    await rejects(ownOf(session, '0x123', false), /no object has the address 0x123/);
  });
});
