/** Events of real recordings of JFR, field by field against what `jfr print --json` says of them, and its counts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { ask } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';
import { comparePrinted, opened, printedEvents, unpacked } from './testing/printed-events.js';

function countsIn(path: string): [string, number][] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(1);
  return lines.flatMap((line): [string, number][] => {
    const [type = '', count] = line.split('\t');
    return type === '' || type.startsWith('#') ? [] : [[type, Number(count)]];
  });
}

const NAMES = ['ap44-warehouse.jfr.gz', 'multichunk-jdk21.jfr.gz', 'warehouse-jdk17.jfr', 'warehouse-jdk25.jfr.gz'];

describe('events of recordings of JFR', () => {
  for (const file of NAMES)
    test(`${file} has the values that jfr print has`, async (t) => {
      const folder = sharedData(t, 'interop/jfr');
      if (folder === undefined) return;
      const name = file.replace(/\.jfr.*$/, '');
      const printed = printedEvents(unpacked(join(folder, 'expected', `${name}.print.json.gz`)).toString('utf8'));
      const compared = await comparePrinted(await opened(join(folder, file)), printed);
      assert.ok(compared > 3 * printed.length, `${compared} values compared of ${printed.length} events`);
    });

  test('types with few events, as the jfr of this machine prints them', async (t) => {
    const path = sharedData(t, 'interop/jfr/warehouse-jdk17.jfr');
    const home = jdkHomes(t).at(-1);
    if (path === undefined || home === undefined) return;
    const session = await opened(path);
    const { rows } = await ask(session, { view: 'event-types', page: { limit: 0 } });
    const types = rows.flatMap(({ type, count }) => (count <= 250 ? [type] : []));
    const json = jdkTool(home, 'jfr', ['print', '--json', '--stack-depth', '2', '--events', types.join(','), path]);
    const printed = printedEvents(json);
    const compared = await comparePrinted(session, printed);
    assert.ok(compared > 3 * printed.length, `${compared} values compared of ${printed.length} events`);
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
