/** Calls of PGO profiles as graphs for other programs, against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { UsageError } from '../base/errors.js';
import { plainText } from '../base/phrase.js';
import { plural } from '../base/units.js';
import { readBytes } from '../formats/iprof/testing/iprof-documents.js';
import { iprofTruth, sums } from '../formats/iprof/testing/iprof-truth.js';
import { iprofFiles, ROOT } from '../testing/shared-data.js';
import { convertRecording } from './convert.node.js';

const FIB = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');

/** Texts of XML as they were. */
function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

for (const path of [...iprofFiles(), FIB]) {
  describe(`calls of ${basename(path)}`, () => {
    it('are edges of GraphML, whose counts into a method add up to its inlined calls', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const output = join(folder, 'calls.graphml');
      const { dropped } = await convertRecording(await readBytes(readFileSync(path)), output);
      const text = readFileSync(output, 'utf8');
      const names = new Map(
        [...text.matchAll(/<node id="(n\d+)"><data key="name">([^<]*)</g)].map(([, id, name]) => [
          id,
          unescaped(name ?? ''),
        ]),
      );
      const edges = [...text.matchAll(/<edge id="e\d+" source="n\d+" target="(n\d+)">(.*)<\/edge>/g)].map(
        ([, target, data = '']) =>
          [names.get(target) ?? '', Number(/<data key="count">([^<]*)</.exec(data)?.[1] ?? 0)] as const,
      );
      const truth = iprofTruth(path);
      const entries = truth.entries('callCountProfiles', 'hotnessPoints');
      const inlined = entries.filter(({ frames }) => frames.length > 1);
      const isCounted = ([, count]: readonly [string, number]): boolean => count > 0;
      deepEqual(
        sums(edges).filter(isCounted),
        sums(inlined.map(({ frames, records }) => [frames[0]?.method ?? '', records[0] ?? 0])).filter(isCounted),
      );
      const rootCalls = entries
        .filter(({ frames }) => frames.length === 1)
        .reduce((sum, { records }) => sum + (records[0] ?? 0), 0);
      ok(rootCalls > 0);
      match(plainText(dropped[0] ?? ''), new RegExp(`^${plural(rootCalls, 'call')} of methods that were not inlined`));
    });
  });
}

it('a report of an analysis is not made of a profile', async () => {
  const recording = await readBytes(readFileSync(FIB));
  await rejects(
    convertRecording(recording, join(tmpdir(), 'fib.call-tree.txt')),
    (error) => error instanceof UsageError && error.code === 'no-call-graph',
  );
  equal(recording.callGraph, undefined);
});
