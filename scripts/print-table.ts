/** Writes the pass table of docs/print.md: `KANSOKU_DATA=… node dist/scripts/print-table.js`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judged, tableText } from '../src/cli/print/testing/table.js';
import { ROOT } from '../src/testing/shared-data.js';

const data = process.env.KANSOKU_DATA;
if (data === undefined) throw new Error('KANSOKU_DATA is not set');
const page = join(ROOT, 'docs', 'print.md');
const table = tableText(await judged(data));
const text = readFileSync(page, 'utf8');
writeFileSync(
  page,
  text.replace(/(<!-- table -->\n)[\s\S]*(\n<!-- end -->)/, (_, from: string, to: string) => from + table + to),
);
