/** The proof of files written whole; the proof of parts is tested with stripping. */
import { rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { proveIprof } from './prove.js';
import { bytesOf, fixture, readBytes, SHIPPED } from './testing/iprof-documents.js';
import { writeIprof } from './write/write.js';

for (const name of SHIPPED) {
  test(`${name}, written from the models alone, is unchanged`, async () => {
    const whole = { ...(await readBytes(fixture(name))), residue: undefined };
    const written = memorySource('written.iprof', bytesOf(writeIprof(whole)));
    await proveIprof(written, { whole });
  });
}

test('different and missing entries are found', async () => {
  const whole = { ...(await readBytes(fixture('all-sections-1.1.0.iprof'))), residue: undefined };
  const json = JSON.parse(Buffer.from(bytesOf(writeIprof(whole))).toString());
  const changes: readonly (readonly [string, (entries: { ctx: string; records: number[] }[]) => void])[] = [
    ['callCountProfiles', ([entry]) => entry?.records.fill(4711)],
    ['callCountProfiles', (entries) => entries.pop()],
    ['conditionalProfiles', ([entry]) => entry?.records.unshift(...entry.records.splice(-2))],
    ['virtualInvokeProfiles', ([entry]) => entry?.records.push(...entry.records.slice(0, 2))],
  ];
  for (const [section, change] of changes) {
    const changed = structuredClone(json);
    change(changed[section]);
    const source = memorySource('changed.iprof', new TextEncoder().encode(JSON.stringify(changed)));
    await rejects(proveIprof(source, { whole }), /differs from the expected value; nothing was written/);
  }
});
