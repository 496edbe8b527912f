/** Tables in little room, by hand and by laws that hold for every listing and width. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { runs } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import type { ResultColumn } from '../../views/listing.js';
import { runCommand } from '../testing/run-command.js';
import { remarks, render } from './render.js';
import { table } from './table.js';

const COLUMNS = [
  { key: 'calls', title: 'Calls', unit: 'count' },
  { key: 'noise', title: 'Noise', unit: 'count', detail: 2 },
  { key: 'ratio', title: 'Ratio', unit: 'none', detail: 1 },
  { key: 'name', title: 'Name', unit: 'text' },
] as const;
const ROWS = [
  { calls: 1_234_567, noise: 12, ratio: 0.5, name: 'org.example.shop.checkout.Basket.priceOf(java.lang.String)' },
];

async function drawn(width: number): Promise<string[]> {
  const { text, leftOut } = await table('r', { columns: COLUMNS, rows: ROWS }, false, width);
  return [...text.split('\n').slice(1, -1), ...leftOut];
}

describe('a table', () => {
  it('loses the finest details first, and shortens names where they say least', async () => {
    deepStrictEqual(await drawn(0), [
      '    Calls  Noise  Ratio  Name',
      '1,234,567     12    0.5  org.example.shop.checkout.Basket.priceOf(java.lang.String)',
    ]);
    deepStrictEqual(await drawn(70), [
      '    Calls  Noise  Ratio  Name',
      '1,234,567     12    0.5  org.example.sh…sket.priceOf(java.lang.String)',
    ]);
    deepStrictEqual((await drawn(45))[0], '    Calls  Ratio  Name');
    deepStrictEqual((await drawn(45)).slice(2), ['Noise']);
    deepStrictEqual((await drawn(10)).slice(2), ['Noise', 'Ratio']);
  });

  it('loses columns without a cell before all others, from the right', async () => {
    const rows = ROWS.map((row) => ({ ...row, calls: null }));
    const { text, leftOut } = await table('r', { columns: COLUMNS, rows }, false, 40);
    equal(text.split('\n')[1], 'Noise  Ratio  Name');
    deepStrictEqual(leftOut, ['Calls']);
    // Where there is room they stay: that nothing is known is an answer, too.
    deepStrictEqual((await table('r', { columns: COLUMNS, rows }, false, 0)).leftOut, []);
  });

  it('shows the first of several parts, which are the largest', async () => {
    const columns: ResultColumn[] = [
      { key: 'count', title: 'Count', unit: 'count' },
      { key: 'owners', title: 'Owners', unit: 'parts' },
    ];
    const owners = [0.5, 0.3, 0.2].map((share, i) => ({ name: `worker-${i}`, count: 1, share }));
    const { text } = await table(undefined, { columns, rows: [{ count: 3, owners }] }, false, 34);
    deepStrictEqual(text.split('\n').slice(0, 2), ['Count  Owners', '    3  worker-0 50.00 %  worker-1…']);
  });

  it('is never wider than it may be once details and texts can give way', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 90 });
    const listing = fc.array(fc.record({ calls: fc.nat(), noise: fc.nat(), ratio: fc.nat(), name: cell }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(listing, fc.integer({ min: 60, max: 120 }), async (rows, width) => {
        const narrow = await table('r', { columns: COLUMNS, rows }, false, width);
        for (const line of narrow.text.split('\n').slice(1)) ok(stringWidth(line) <= width, line);
        const wide = await table('r', { columns: COLUMNS, rows }, false, 0);
        deepStrictEqual(wide.leftOut, []);
        if (
          wide.text
            .split('\n')
            .slice(1)
            .every((line) => stringWidth(line) <= width)
        )
          equal(narrow.text, wide.text);
      }),
      runs(2000),
    );
  });
});

describe('notes below a table', () => {
  const notes = ['one.', 'two.', 'three.', 'four.', 'five.'];
  it('names few of many hidden columns', () => {
    const leftOut = Array.from({ length: 90 }, (_, i) => `C${i}`);
    const result = { notes: [], rows: [], total: 0, offset: 0, columns: [] };
    const [text = ''] = remarks(Object.assign(Object.create(null), result), false, { leftOut });
    equal(text, 'Columns hidden: C0, C1, C2, C3, C4, C5 and 84 more (--width 0 shows all).');
  });

  it('is three notes and what is not shown, and all notes on demand', () => {
    const result = { type: 't', notes, rows: [{}], total: 7, offset: 0 };
    deepStrictEqual(remarks(result, false, { leftOut: ['Ratio'] }), [
      ...notes.slice(0, 3),
      'Showing 1 of 7 rows (--limit 0 shows all). Columns hidden: Ratio (--width 0 shows all). 2 more notes (--notes shows all).',
    ]);
    deepStrictEqual(remarks({ type: 't', notes }, true), notes);
    deepStrictEqual(remarks({ type: 't', notes: ['one.'] }, false), ['one.']);
  });

  it('has the headlines where the text does not: they are part of tables, never of rows of csv', async () => {
    const columns = [{ key: 'name', title: 'Name', unit: 'text' }];
    const result = {
      type: 't',
      recording: 'r',
      headlines: ['deadlock: a\u001b'],
      notes,
      columns,
      rows: [{ name: 'x' }],
    };
    const as = async (format: 'table' | 'md' | 'csv' | 'ndjson') =>
      (await render(result, { format, colour: false })).text.split('\n').slice(0, -1);
    deepStrictEqual(await as('table'), ['# r', 'deadlock: a\\u001b', 'Name', 'x']);
    deepStrictEqual((await as('md')).slice(0, 2), ['deadlock: a\\u001b', '']);
    deepStrictEqual([await as('csv'), await as('ndjson')], [['name', 'x'], ['{"name":"x"}']]);
    deepStrictEqual(remarks(result, true), ['deadlock: a\\u001b', ...notes]);
    deepStrictEqual(remarks(result, true, { headlines: false }), notes);
  });
});

describe('units in heads', () => {
  it('are for csv and tsv, and for what is counted or measured', async () => {
    const result = { type: 't', columns: COLUMNS, rows: [] };
    equal(
      (await render(result, { format: 'csv', colour: false, units: true })).text,
      'calls [count],noise [count],ratio,name\n',
    );
    equal((await render(result, { format: 'tsv', colour: false })).text, 'calls\tnoise\tratio\tname\n');
  });

  it('are refused elsewhere, as is a width of what has no lines', async () => {
    const file = 'examples/krisfoster-binary-tree.iprof';
    match((await runCommand(['functions', file, '--units'], { cwd: ROOT })).stderr, /--units is for csv and tsv/);
    match(
      (await runCommand(['functions', file, '--json', '--width', '80'], { cwd: ROOT })).stderr,
      /--width is for tables, not for json/,
    );
  });
});
