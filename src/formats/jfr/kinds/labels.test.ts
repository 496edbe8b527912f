/** Labels of the work as steps of a scope, in any view. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { jdkHomes, jdkTool } from '../../../code/java/testing/jdks.js';
import { ask, openSession, type Session } from '../../../session/session.js';
import { sharedData } from '../../../testing/shared-data.js';
import { printedEvents, unpacked } from '../../../views/events/testing/printed-events.js';
import { jfrBytes } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-labels-'));
after(() => rmSync(folder, { recursive: true }));

const sessionOfBytes = (bytes: Uint8Array): Promise<Session> => openSession([memorySource('labels.jfr', bytes)]);

/** Values of all functions with a filter. */
async function selfOf(session: Session, expression: string): Promise<number> {
  const scope = [{ kind: 'filter', expression }] as const;
  const { rows } = await ask(session, { view: 'functions', options: { metric: 'samples' }, scope, page: { limit: 0 } });
  return rows.reduce((sum, { self }) => sum + (self ?? 0), 0);
}

describe('labels', () => {
  test('choose the samples that have them, also beside events without labels', async () => {
    const types = SMALL_TYPES.map((type) =>
      type.name === 'jdk.ExecutionSample'
        ? { ...type, fields: [...type.fields, { name: 'contextId', type: 'long' }] }
        : type,
    );
    const { records } = smallChunk();
    const labels = records.map((_, i) => i % 3);
    const labelled = records.map((record, i) =>
      'type' in record && record.type === 'jdk.ExecutionSample'
        ? { ...record, values: { ...record.values, contextId: labels[i] ?? 0 } }
        : record,
    );
    const session = await sessionOfBytes(jfrBytes([smallChunk({ types, records: labelled })]));
    for (const label of [0, 1, 2]) {
      const expected = records.filter(
        (record, i) =>
          'type' in record &&
          record.type === 'jdk.ExecutionSample' &&
          record.values.stackTrace !== 0 &&
          labels[i] === label,
      );
      ok(expected.length > 0);
      equal(await selfOf(session, `contextId=${label}`), expected.length);
    }
    await session.close();
  });

  test('of a real recording have the samples that the JDK prints', async (t) => {
    const path = sharedData(t, 'interop/jfr/dump1.jfr.gz');
    const home = jdkHomes(t).at(-1);
    if (path === undefined || home === undefined) return;
    const plain = join(folder, 'dump1.jfr');
    writeFileSync(plain, unpacked(path));
    const words = ['print', '--json', '--stack-depth', '1', '--events', 'jdk.ExecutionSample', plain];
    const printed = printedEvents(jdkTool(home, 'jfr', words)).map(({ values }) => Number(values.contextId));
    const labels = [...new Set(printed)].sort((a, b) => a - b);
    deepEqual(labels, [0, 1, 2, 3, 4]);
    const session = await sessionOfBytes(unpacked(path));
    for (const label of labels)
      equal(await selfOf(session, `contextId=${label}`), printed.filter((one) => one === label).length);
    await session.close();
  });
});
