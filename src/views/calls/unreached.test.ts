/**
 * Methods that one of class path, report and profile lacks. Expected names are those of the drawn files, lengths of bytecode those of
 * `javap -c` (the offset of the last instruction, and its one byte).
 */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { openInputs } from '../../session/open.node.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const FOLDER = join(ROOT, 'examples/points-to');
const REPORT = join(FOLDER, 'call_tree_shop-2.txt');
const REPORTED = readFileSync(REPORT, 'utf8');

/** `shop.Book.price()`: each node of the report once. */
const REACHED = new Set(
  REPORTED.split('\n').flatMap((line) => /(?:entry|calls|by) \w+:(\S+\(.*?\)):\S+ id(?:-ref)?=/.exec(line)?.[1] ?? []),
);

const UNREACHED: Readonly<Record<string, number>> = {
  'shop.Stock.<init>()': 16,
  'shop.Report.print(shop.Item)': 13,
  'shop.tax.Rates.<clinit>()': 11,
  'shop.Book.round(long)': 10,
  'shop.Book.<init>()': 5,
  'shop.Main.<init>()': 5,
  'shop.Report.<init>()': 5,
  'shop.tax.Rate.<init>()': 5,
  'shop.tax.Rates.<init>()': 5,
};

describe('methods that one of class path, report and profile lacks', () => {
  let session: Session;
  before(async () => {
    session = await openInputs([REPORT, join(FOLDER, 'shop.collapsed')], {
      cache: false,
      announce: () => undefined,
      work: {},
      library: { classes: [join(FOLDER, 'shop.jar')] },
    });
    return () => session.close();
  });

  it('unreached: those of the class path with code, and their bytecode', async () => {
    const options = { show: 'unreached', by: 'method' } as const;
    const { rows, totals, notes } = await ask(session, { view: 'calls-unreached', options, page: { limit: 0 } });
    deepEqual(Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])), UNREACHED);
    deepEqual([totals.methods, totals.of, totals.bytes], [9, 20, 75]);
    // Item.price is abstract, Stock.lock native.
    match(noteTexts(notes).join(), /Abstract and native methods have no bytecode and are not listed: 2 beside 20/);
  });

  it('unreached by package', async () => {
    const { rows } = await ask(session, { view: 'calls-unreached' });
    deepEqual(
      rows.map(({ name, methods, of: methodCount, bytes }) => `${name} ${methods} ${methodCount} ${bytes}`),
      ['shop 6 14 54', 'shop.tax 3 6 21'],
    );
  });

  it('missed: those that a profile saw; unobserved: those that it did not', async () => {
    const [missed, unobserved] = await Promise.all(
      (['missed', 'unobserved'] as const).map((show) =>
        ask(session, { view: 'calls-unreached', base: 'r2', options: { show, by: 'method' }, page: { limit: 0 } }),
      ),
    );
    deepEqual(
      missed?.rows.map(({ name }) => name),
      ['shop.Report.print'],
    );
    // Names without parameters, each of one method of the report.
    const seenMethods = ['shop.Main.main', 'shop.Stock.open', 'java.util.HashMap.get', 'shop.Book.price'];
    deepEqual(
      unobserved?.rows.map(({ name }) => name.replace('Lambda/0xffeeddccbbaa998877665544332211000', 'Lambda')).sort(),
      [...REACHED]
        .filter((name) => !seenMethods.some((one) => name.startsWith(`${one}(`)))
        .map((name) => name.replace('Lambda/0xffeeddccbbaa998877665544332211000', 'Lambda'))
        .sort(),
    );
    match(noteTexts(unobserved?.notes ?? []).join(), /1 method that the profile saw is not reachable in the report/);
    equal(unobserved?.rows.find(({ name }) => name === 'shop.tax.Rate.apply(long)')?.bytes, 20);
    equal(unobserved?.rows.find(({ name }) => name.startsWith('java.lang.StringBuilder.append'))?.bytes, null);
  });

  it('a name that may mean several methods makes none of them observed or missing', async () => {
    const report = REPORTED.replace('java.util.HashMap.hash(java.lang.Object):int', 'java.util.HashMap.get(int):int');
    const sources = [report, 'shop.Main.main;java.util.HashMap.get 1\n'].map((text, i) =>
      memorySource(['report', 'profile'][i] ?? '', Buffer.from(text)),
    );
    const both = await openSession(sources);
    const missed = await ask(both, { view: 'calls-unreached', base: 'r2', options: { show: 'missed' } });
    equal(missed.totals.methods, 0);
    const options = { show: 'unobserved', by: 'method' } as const;
    const { rows, notes } = await ask(both, { view: 'calls-unreached', base: 'r2', options, page: { limit: 0 } });
    equal(
      rows.some(({ name }) => name.includes('HashMap.get')),
      false,
    );
    match(noteTexts(notes).join(), /1 name in the profile may mean several methods: 2 reachable methods are neither/);
  });

  // Recordings of the VM name the module of a class, `java.base@17.0.15`, where reports name its loader, `null`.
  it('thread dumps: their frames, without modules, are looked up in the lines of a report with loaders', async () => {
    const report = gunzipSync(readFileSync(join(FOLDER, 'call_tree_hello.txt.gz')));
    const dump = readFileSync(join(ROOT, 'src/formats/thread-dump/fixtures/monitor-deadlock.jstack-17.txt'));
    const frames = [...new Set([...dump.toString().matchAll(/^\s+at ([\w.$]+)\(/gm)].map(([, name = '']) => name))];
    const lines = new Map(frames.map((name) => [name, new Set<string>()]));
    for (const [line, name = ''] of report.toString().matchAll(/:([\w.$]+)\([^)]*\)/g)) lines.get(name)?.add(line);
    const linesOf = (name: string): ReadonlySet<string> => lines.get(name) ?? new Set();
    const both = await openSession([memorySource('report', report), memorySource('dump', dump)]);
    const namesOf = async (show: 'missed' | 'unobserved'): Promise<string[]> => {
      const options = { show, by: 'method' } as const;
      const { rows } = await ask(both, { view: 'calls-unreached', base: 'r2', options, page: { limit: 0 } });
      return rows.map(({ name }) => name).filter((name) => !name.includes('Lambda'));
    };
    deepEqual((await namesOf('missed')).sort(), frames.filter((name) => linesOf(name).size === 0).sort());
    const unobserved = new Set(await namesOf('unobserved'));
    const certain = frames.flatMap((name) => (linesOf(name).size === 1 ? [...linesOf(name)] : []));
    ok(certain.length > 2);
    for (const line of certain) equal(unobserved.has(line.slice(1)), false, line);
  });

  it('a heap dump without stacks observes nothing, which is no answer', async () => {
    const inputs = [REPORT, join(ROOT, 'examples/heap/cache-after.hprof.gz'), join(FOLDER, 'shop.collapsed')];
    const all = await openInputs(inputs, { cache: false, announce: () => undefined, work: {} });
    for (const show of ['missed', 'unobserved'] as const) {
      await rejects(
        ask(all, { view: 'calls-unreached', base: 'r2', options: { show } }),
        /cache-after\.hprof\.gz: no stacks, traces or counts of calls/,
      );
      const { notes } = await ask(all, { view: 'calls-unreached', base: 'r3', baseRuns: ['r2'], options: { show } });
      match(
        noteTexts(notes).join(),
        /cache-after\.hprof\.gz has no stacks, traces or counts of calls: it observes nothing/,
      );
    }
    await all.close();
  });

  it('sizes of machine code, of a report without return types', async () => {
    const dump = (methods: string) =>
      memorySource('dump', Buffer.from(`[{"packages":{"shop":{"types":{"Main":{"methods":{${methods}}}}}}}]`));
    const both = await openSession([
      dump('"main(java.lang.String[])":{"size":70},"other()":{"size":7},"more(int)":{}'),
      memorySource('profile', Buffer.from('shop.Start.up;shop.Main.main 1\n')),
    ]);
    const options = { show: 'unobserved', by: 'method' } as const;
    const { rows } = await ask(both, { view: 'calls-unreached', base: 'r2', options });
    deepEqual(
      rows.map(({ name, code_bytes: bytes }) => [name, bytes]),
      [
        ['shop.Main.other()', 7],
        ['shop.Main.more(int)', null],
      ],
    );
  });

  // The dump knows the module and no return type, the profile the reverse.
  it('a PGO profile beside a report with modules and without return types', async () => {
    const methods = '"fibonacci()":{"size":70},"other()":{"size":7}';
    const dump = `[{"module":"app","packages":{"":{"types":{"Fib":{"methods":{${methods}}}}}}}]`;
    const both = await openSession([
      memorySource('dump', Buffer.from(dump)),
      memorySource('profile', readFileSync(join(ROOT, 'examples/pgo/after.iprof'))),
    ]);
    const rowsOf = async (show: 'missed' | 'unobserved') =>
      (await ask(both, { view: 'calls-unreached', base: 'r2', options: { show, by: 'method' }, page: { limit: 0 } }))
        .rows;
    deepEqual(
      (await rowsOf('unobserved')).map(({ name, code_bytes: bytes }) => [name, bytes]),
      [['Fib.other()', 7]],
    );
    const missed = (await rowsOf('missed')).map(({ name }) => name);
    deepEqual([missed.includes('Fib.fibonacci()'), missed.length > 0], [false, true]);
  });
});
