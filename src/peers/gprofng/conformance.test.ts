/**
 * `print --strict` against what gprofng printed for hundreds of commands: each file passes or fails as a whole. `KANSOKU_WRITE=print` writes the table
 * of the page.
 */
import { equal, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { judged, tableText } from './testing/table.js';

const DATA = process.env.KANSOKU_DATA;
/** Set, the page gets the table. */
const WRITES = process.env.KANSOKU_WRITE === 'print';
const PAGE = join(ROOT, 'docs', 'print.md');

test('the pass table of docs/print.md', async (t) => {
  if (DATA === undefined) return t.skip('KANSOKU_DATA is not set');
  const results = await judged(DATA);
  ok(results.length > 600);
  if (WRITES) writeTable(tableText(results));
  const page = readFileSync(PAGE, 'utf8');
  const [, table = ''] = /<!-- table -->\n([\s\S]*)\n<!-- end -->/.exec(page) ?? [];
  equal(table, tableText(results));
});

function writeTable(table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [
    page.indexOf('<!-- table -->\n') + '<!-- table -->\n'.length,
    page.indexOf('\n<!-- end -->'),
  ];
  writeFileSync(PAGE, page.slice(0, before) + table + page.slice(after));
}
