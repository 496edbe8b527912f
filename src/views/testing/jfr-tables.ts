/** Tables as `jfr view` prints them, in the collection's `NAME.views.txt.gz`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The rows of a view as cells, cut at the columns of its rule of dashes; none where the JDK found no events. */
export function printedTable(folder: string, name: string, view: string): string[][] {
  const text = gunzipSync(readFileSync(join(folder, 'expected', `${name}.views.txt.gz`))).toString('utf8');
  const [, after = ''] = text.split(`### jfr view ${view}\n`);
  return tableRows(after.split('\n###')[0] ?? '');
}

/** The same of what `jfr view` prints by itself. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n');
  const rule = lines.findIndex((line) => /^-[- ]*$/.test(line));
  if (rule < 0) return [];
  const spans = [...(lines[rule] ?? '').matchAll(/-+/g)].map(({ index, 0: { length } }) => [index, index + length]);
  const rows = lines.slice(rule + 1);
  const end = rows.findIndex((line) => line.trim() === '');
  return rows
    .slice(0, end < 0 ? rows.length : end)
    .map((line) => spans.map(([from, to]) => line.slice(from, to).trim()));
}
