/** Events of real recordings of JFR, field by field against what `jfr print --json` says of them, and its counts. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { comparePrinted, opened, printedEvents, unpacked } from './testing/printed-events.js';

function countsIn(path: string): [string, number][] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(1);
  return lines.flatMap((line): [string, number][] => {
    const [type = '', count] = line.split('\t');
    return type === '' || type.startsWith('#') ? [] : [[type, Number(count)]];
  });
}

const folder = mkdtempSync(join(tmpdir(), 'kansoku-jfr-truth-'));
after(() => rmSync(folder, { recursive: true }));

/** Files that the JDK prints in whole: of JDK 9 to 25, and of async-profiler. */
const ALL_TYPES = [
  'warehouse-jdk17.jfr',
  'warehouse-jdk25.jfr.gz',
  'multichunk-jdk21.jfr.gz',
  'jmc-9u0.jfr',
  'cpool-uint64-constant-index.jfr.gz',
  'speedscope-heavy.jfr',
  'ap44-warehouse.jfr.gz',
  'wall.jfr.gz',
  'dump1.jfr.gz',
  'example.jfr.gz',
  'nativemem.jfr.gz',
];

const NAMES = ['ap44-warehouse.jfr.gz', 'multichunk-jdk21.jfr.gz', 'warehouse-jdk17.jfr', 'warehouse-jdk25.jfr.gz'];

describe('events of recordings of JFR', () => {
  for (const file of NAMES)
    test(`${file} has the values that jfr print has`, async (t) => {
      const folder = sharedData(t, 'interop/jfr');
      if (folder === undefined) return;
      const name = file.replace(/\.jfr.*$/, '');
      const expectedEvents = printedEvents(
        unpacked(join(folder, 'expected', `${name}.print.json.gz`)).toString('utf8'),
      );
      const compared = await comparePrinted(await opened(join(folder, file)), expectedEvents);
      assert.ok(compared > 3 * expectedEvents.length, `${compared} values compared of ${expectedEvents.length} events`);
    });

  for (const file of amount(ALL_TYPES, ALL_TYPES.slice(0, 1)))
    test(`all types of ${file} have the values that the jfr of each JDK prints`, async (t) => {
      const path = sharedData(t, `interop/jfr/${file}`);
      const homes = jdkHomes(t);
      if (path === undefined || homes.length === 0) return;
      const session = await opened(path);
      const { rows } = await ask(session, { view: 'event-types', page: { limit: 0 } });
      const types = rows.flatMap(({ type, count }) => (count <= amount(Infinity, 250) ? [type] : []));
      const plain = join(folder, 'plain.jfr');
      writeFileSync(plain, unpacked(path));
      const chosen = amount([], ['--events', types.join(',')]);
      const words = ['print', '--json', '--stack-depth', '2', ...chosen, plain];
      for (const home of amount(homes, homes.slice(-1))) {
        const expectedEvents = printedEvents(jdkTool(home, 'jfr', words));
        assert.deepEqual([...new Set(expectedEvents.map(({ type }) => type))].sort(), [...types].sort(), home);
        const compared = await comparePrinted(session, expectedEvents);
        assert.ok(
          compared > 3 * expectedEvents.length,
          `${home}: ${compared} values compared of ${expectedEvents.length} events`,
        );
      }
    });

  test('types have the counts that the JDK counts', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    for (const file of NAMES) {
      const session = await opened(join(folder, file));
      const { rows } = await ask(session, { view: 'event-types', page: { limit: 0 } });
      const expected = countsIn(join(folder, 'expected', `${file.replace(/\.jfr.*$/, '')}.types.tsv`));
      assert.deepEqual(rows.map(({ type, count }) => [type, count]).sort(), expected.sort(), file);
    }
  });
});
