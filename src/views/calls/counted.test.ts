/** Counts of a profile on the calls of a report: each number is drawn into a profile of a few entries. */
import { deepEqual, match, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const TYPES = [
  'void',
  'long',
  'java.lang.String',
  'java.lang.String[]',
  'shop.Main',
  'shop.Book',
  'shop.Toy',
  'shop.Comic',
];
const RATES = ['shop.tax.Rates', 'shop.tax.Rate'];
const type = (name: string): number => [...TYPES, ...RATES].indexOf(name);

const METHODS = [
  ['main', 'shop.Main', 'void', 'java.lang.String[]'],
  ['price', 'shop.Book', 'long'],
  ['of', 'shop.tax.Rates', 'shop.tax.Rate', 'java.lang.String'],
  ['apply', 'shop.tax.Rate', 'long', 'long'],
  ['price', 'shop.Comic', 'long'],
];
const [MAIN, BOOK, OF, APPLY, COMIC] = METHODS.keys();

const PROFILE = {
  version: '1.0.0',
  types: [...TYPES, ...RATES].map((name, id) => ({ id, name })),
  methods: METHODS.map(([name, ...types], id) => ({ id, name, signature: types.map(type) })),
  callCountProfiles: [
    { ctx: `${MAIN}:0`, records: [1] },
    { ctx: `${BOOK}:0<${MAIN}:9`, records: [3] },
    { ctx: `${OF}:0<${BOOK}:5`, records: [6] },
    { ctx: `${OF}:0<${BOOK}:5<${MAIN}:9`, records: [2] },
    { ctx: `${APPLY}:0<${BOOK}:99`, records: [1] },
    { ctx: `${COMIC}:0<${MAIN}:9`, records: [1] },
  ],
  virtualInvokeProfiles: [
    { ctx: `${MAIN}:9`, records: [type('shop.Book'), 10, type('shop.Toy'), 4, type('shop.Comic'), 2] },
  ],
};

async function beside(version: number) {
  const name = `call_tree_shop-${version}.txt`;
  return openSession([
    memorySource(name, readFileSync(join(ROOT, 'examples/points-to', name))),
    memorySource('shop.iprof', Buffer.from(JSON.stringify(PROFILE))),
  ]);
}

describe('counts on the calls of a report', () => {
  it('are those of inlined calls, and of receivers whose class declares the target', async () => {
    const options = { method: 'shop.Main.main|shop.Book.price' };
    const result = await ask(await beside(2), { view: 'calls-callers', base: 1, options, page: { limit: 0 } });
    deepEqual(
      result.rows
        .filter(({ relation, calls }) => relation === 'callee' && calls !== null)
        .map(({ at, calls, method }) => [at, calls, method]),
      [
        // Ten receivers, three of them in inlined code.
        ['9', 10, 'shop.Book.price()'],
        ['9', 4, 'shop.Toy.price()'],
        ['5', 8, 'shop.tax.Rates.of(java.lang.String)'],
      ],
    );
    match(result.notes[0] ?? '', /^The profile has 3 of 19 calls of the report \(15\.79 %\), 22 times\.$/);
    match(result.notes[1] ?? '', /^It has 2 calls that the report lacks, 1 between methods of the report\.$/);
    match(
      result.notes.join(),
      /2 calls by receiver type are not shown: the report has the place, but the target is unknown/,
    );
  });

  it('are those of all receivers where a site has one target', async () => {
    const { rows, notes } = await ask(await beside(1), { view: 'calls-tree', base: 1, page: { limit: 0 } });
    deepEqual(
      rows.filter(({ calls }) => calls !== null).map(({ calls, function: text }) => [calls, text]),
      [[16, 'is overridden by shop.Book.price()']],
    );
    match(notes.join(), /It has 3 calls that the report lacks, 0 between/);
  });

  it('need a profile that counts calls; without one there is no column', async () => {
    const session = await openSession([
      memorySource('report', readFileSync(join(ROOT, 'examples/points-to/call_tree_shop-1.txt'))),
      memorySource('samples', Buffer.from('shop.Main.main;shop.Book.price 3\n')),
    ]);
    await rejects(ask(session, { view: 'calls-tree', base: 1 }), /samples does not count calls/);
    const { columns } = await ask(session, { view: 'calls-tree' });
    deepEqual(
      columns.map(({ key }) => key),
      ['at', 'function'],
    );
  });
});
