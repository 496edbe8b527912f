/** Counts of a profile on the calls of a report: each number is drawn into a profile of a few entries. */
import { deepEqual, match, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { openInputs } from '../../session/open.node.js';
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
    const result = await ask(await beside(2), { view: 'calls-callers', base: 'r2', options, page: { limit: 0 } });
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
    match(noteTexts(result.notes)[0] ?? '', /^The profile has 3 of 19 calls of the report \(15\.79 %\), 22 times\.$/);
    match(
      noteTexts(result.notes)[1] ?? '',
      /^It has 2 calls that the report lacks, 1 between methods of the report\.$/,
    );
    match(
      noteTexts(result.notes).join(),
      /2 calls by receiver type are not shown: the report has the place, but the target is unknown/,
    );
  });

  it('are those of all receivers where a site has one target', async () => {
    const { rows, notes } = await ask(await beside(1), { view: 'calls-tree', base: 'r2', page: { limit: 0 } });
    deepEqual(
      rows.filter(({ calls }) => calls !== null).map(({ calls, function: text }) => [calls, text]),
      [[16, 'is overridden by shop.Book.price()']],
    );
    match(noteTexts(notes).join(), /It has 3 calls that the report lacks, 0 between/);
  });

  it('need a profile that counts calls; without one there is no column', async () => {
    const session = await openSession([
      memorySource('report', readFileSync(join(ROOT, 'examples/points-to/call_tree_shop-1.txt'))),
      memorySource('samples', Buffer.from('shop.Main.main;shop.Book.price 3\n')),
    ]);
    await rejects(ask(session, { view: 'calls-tree', base: 'r2' }), /samples does not count calls/);
    const { columns } = await ask(session, { view: 'calls-tree' });
    deepEqual(
      columns.map(({ key }) => key),
      ['at', 'function'],
    );
  });

  // Rare and Old inherit from Book, Small from Toy; none of them is in the report.
  const RECEIVED = ['shop.Rare', 'shop.Old', 'shop.Small'];
  const inherited = (): string => {
    const types = [...TYPES, ...RATES, ...RECEIVED].map((name, id) => ({ id, name }));
    const id = (name: string): number => types.findIndex((one) => one.name === name);
    return JSON.stringify({
      ...PROFILE,
      types,
      callCountProfiles: [{ ctx: `${BOOK}:0<${APPLY}:7`, records: [4] }],
      virtualInvokeProfiles: [
        { ctx: `${MAIN}:9`, records: RECEIVED.flatMap((name, i) => [id(name), 10 ** i]) },
        { ctx: `${MAIN}:77`, records: [id('shop.Old'), 5] },
        // An inlined call with a single receiver.
        { ctx: `${APPLY}:7`, records: [id('shop.Old'), 4] },
      ],
    });
  };

  it('are those of inherited targets, by the class path, else by inlined calls of the profile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-test-'));
    const paths = [join(folder, 'shop.iprof'), join(folder, 'shop/Rare.class'), join(folder, 'shop/Small.class')];
    mkdirSync(join(folder, 'shop'));
    writeFileSync(paths[1] ?? '', classFile('shop/Rare', 'shop/Book'));
    writeFileSync(paths[2] ?? '', classFile('shop/Small', 'shop/Toy'));
    writeFileSync(paths[0] ?? '', inherited());
    const report = join(ROOT, 'examples/points-to/call_tree_shop-2.txt');
    const answerWith = async (classes?: readonly string[]) => {
      const session = await openInputs([report, paths[0] ?? ''], {
        cache: false,
        announce: () => undefined,
        work: {},
        ...(classes && { library: { classes } }),
      });
      const result = await ask(session, { view: 'calls-tree', base: 'r2', page: { limit: 0 } });
      await session.close();
      const calls = result.rows.flatMap(({ calls, function: name }) => (calls === null ? [] : [`${calls} ${name}`]));
      return { calls, notes: noteTexts(result.notes).join(' ') };
    };
    const without = await answerWith();
    deepEqual(without.calls, ['10 is overridden by shop.Book.price()']);
    match(
      without.notes,
      /10 calls by receiver type are of inherited methods; .*: 10 by inlined calls of the profile\./,
    );
    match(without.notes, /101 calls by receiver type are not shown: .* --classes PATH names the classes/);
    match(without.notes, /9 calls by receiver type are at places that the report lacks/);
    const jar = join(ROOT, 'examples/points-to/shop.jar');
    const answer = await answerWith([folder, jar]);
    deepEqual(answer.calls, ['11 is overridden by shop.Book.price()', '100 is overridden by shop.Toy.price()']);
    match(
      answer.notes,
      /111 calls by receiver type are of .*: 101 by the class path, 10 by inlined calls of the profile/,
    );
    rmSync(folder, { recursive: true });
  });

  it('are those of targets that the report shows to be inherited', async () => {
    // Deluxe overrides a method of Book, so it is below Book; Toy has nothing to do with it.
    const report = `VM Entry Points
└── entry app:shop.Main.main(java.lang.String[]):void id=0 
    ├── directly calls app:shop.Book.<init>():void id=1 @bci=1 
    ├── virtually calls shop.Item.price():long @bci=9
    │   ├── is overridden by app:shop.Book.price():long id=2 
    │   └── is overridden by app:shop.Toy.price():long id=3 
    └── virtually calls shop.Book.title():long @bci=12
        ├── is overridden by app:shop.Book.title():long id=4 
        └── is overridden by app:shop.Comic.title():long id=5 

`;
    const records = [type('shop.Comic'), 7, type('shop.Main'), 2];
    const profile = { ...PROFILE, callCountProfiles: [], virtualInvokeProfiles: [{ ctx: `${MAIN}:9`, records }] };
    const session = await openSession([
      memorySource('report', Buffer.from(report)),
      memorySource(
        'shop.iprof',
        Buffer.from(JSON.stringify({ ...profile, callCountProfiles: [{ ctx: '0:0', records: [1] }] })),
      ),
    ]);
    const { rows, notes } = await ask(session, { view: 'calls-tree', base: 'r2', page: { limit: 0 } });
    deepEqual(
      rows.filter(({ calls }) => calls !== null).map(({ calls, function: text }) => [calls, text]),
      [[7, 'is overridden by shop.Book.price()']],
    );
    match(
      noteTexts(notes).join(' '),
      /: 7 by overridden methods of the report\..* 2 calls by receiver type are not shown/,
    );
  });
});

/** A class without members (JVMS 4.1). */
function classFile(name: string, above: string): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([1, 0, value.length]), Buffer.from(value)]);
  const pool = [text(name), Buffer.from([7, 0, 1]), text(above), Buffer.from([7, 0, 3])];
  const head = Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, pool.length + 1]);
  return Buffer.concat([head, ...pool, Buffer.from([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0])]);
}
