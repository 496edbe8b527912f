/** Call trees as tables: three and seven files, read and written. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { memorySource } from '../../../bytes/byte-source.js';
import { faultsOf } from '../../../models/callgraph/call-graph.js';
import type { Recording } from '../../../models/recording.js';
import { amount, runs } from '../../../testing/amount.js';
import { readCallTree } from '../read-text.js';
import { difference, wordedGraph } from '../testing/compare-graphs.js';
import { randomGraph } from '../testing/random-graph.js';
import { filesOf, readTableFiles, type TableFiles, tableFiles } from '../testing/table-files.js';
import { methodName, writeCallTree } from '../write-text.js';
import { displayOf } from './display.js';
import { writeCallTreeSet } from './write-set.js';

const GENUINE = process.env.KANSOKU_DATA && join(process.env.KANSOKU_DATA, 'points-to/genuine');

const METHODS = `Id,Name,Type,Parameters,Return,Display,Flags,IsEntryPoint
0,main,shop.Main,java.lang.String[],void,s.M.main,ps,true
3,price,shop.Item,int[][] long,java.math.BigDecimal,s.I.price,pa,false
7,price,shop.Book,int[][] long,java.math.BigDecimal,s.B.price,p,false
8,<init>,shop.Book,empty,void,s.B.<init>,,false
`;
const INVOKES = `Id,MethodId,BytecodeIndexes,TargetId,IsDirect
0,0,4,8,true
1,0,3->11,3,false
2,7,-5,8,true
`;
const TARGETS = `InvokeId,TargetId
0,8
1,7
`;
const THREE = { methods: METHODS, invokes: INVOKES, targets: TARGETS };

const OLD_METHODS = METHODS.replaceAll(/,(?:IsEntryPoint|true|false)$/gm, '').replace(/^3.*\n/m, '');
const SEVEN = {
  vm: 'Id,Name\n0,VM\n',
  methods: OLD_METHODS,
  virtual_methods: `${OLD_METHODS.split('\n', 1)[0]}\n9,price,shop.Item,int[][] long,java.math.BigDecimal,s.I.price,pa\n`,
  entry_points: 'Id\n0\n',
  direct_edges: 'StartId,EndId,BytecodeIndexes\n0,8,4\n',
  virtual_edges: 'StartId,EndId,BytecodeIndexes\n0,9,3->11\n',
  override_by_edges: 'StartId,EndId\n9,7\n',
};

const read = (texts: Record<string, string>): Promise<Recording> => readTableFiles(tableFiles(texts));
const again = async (recording: Recording, version?: string): Promise<TableFiles> =>
  filesOf(await writeCallTreeSet(recording, version === undefined ? {} : { version }));
const texts = (files: TableFiles): Record<string, string> =>
  Object.fromEntries([...files].map(([name, bytes]) => [name.slice(10, -4), Buffer.from(bytes).toString()]));
const asText = async (recording: Recording): Promise<Recording> =>
  readCallTree(memorySource('text', Buffer.concat([...writeCallTree(recording).chunks])));

async function sound(files: Record<string, string>): Promise<Recording> {
  const recording = await read(files);
  const { callGraph, program, problems, complete } = recording;
  deepEqual([problems.list, complete], [[], true]);
  deepEqual(callGraph && faultsOf(callGraph, program.functions.length, program.classes.length), []);
  return recording;
}

/** Problems of tables that are not sound: `code file offset`. */
async function faults(files: Record<string, string>): Promise<string[]> {
  const { problems, complete } = await read(files);
  equal(
    complete,
    problems.list.every(({ severity }) => severity !== 'error'),
  );
  return problems.list.map(({ code, message, offset }) => `${code} ${message.split(':', 1)[0]} ${offset ?? '-'}`);
}

describe('three tables', () => {
  it('have calls with their BCIs, declared methods and targets', async () => {
    const recording = await sound(THREE);
    deepEqual(wordedGraph(recording), {
      methods: [
        'shop.Book.<init>():void',
        'shop.Book.price(int[][], long):java.math.BigDecimal',
        'shop.Main.main(java.lang.String[]):void',
      ],
      entries: ['shop.Main.main(java.lang.String[]):void'],
      calls: [
        'shop.Main.main(java.lang.String[]):void @3->11 shop.Item.price(int[][], long):java.math.BigDecimal -> shop.Book.price(int[][], long):java.math.BigDecimal',
        'shop.Main.main(java.lang.String[]):void @4  -> shop.Book.<init>():void',
      ],
      declaredOnly: 1,
      withoutTarget: 1,
    });
    deepEqual(
      recording.sections.map(({ entries }) => entries),
      [1, 4, 3, 2],
    );
    deepEqual(texts(await again(recording)), THREE);
  });

  it('may have lines that end as on Windows', async () => {
    const windows = Object.fromEntries(
      Object.entries(THREE).map(([table, text]) => [table, text.replaceAll('\n', '\r\n')]),
    );
    deepEqual(texts(await again(await sound(windows))), windows);
  });

  it('join the cells of names with commas, which nothing quotes', async () => {
    const odd = `${METHODS}9,a, b,demo.Odd,java.lang.String int[][],void,d.O.a, b,psS,false
10,c,demo.X,Y,empty,void,d.XY.c,,false
`;
    const recording = await sound({ ...THREE, methods: odd });
    const names = Array.from(recording.program.functions.name, (_, id) => methodName(recording.program, id));
    deepEqual(names.slice(-2), ['demo.Odd.a, b(java.lang.String, int[][]):void', 'demo.X,Y.c():void']);
    equal(texts(await again(recording)).methods, odd);
    const wrong = odd.replace('d.O.a, b', 'd.O.a, c');
    deepEqual(await faults({ ...THREE, methods: wrong }), [`call-tree-row call_tree_methods.csv ${METHODS.length}`]);
  });

  it('of the forge have no TargetId', async () => {
    const invokes = INVOKES.replace('TargetId,', '').replace(/,\d+(?=,(?:true|false)$)/gm, '');
    const { callGraph } = await sound({ ...THREE, invokes });
    deepEqual([...(callGraph?.sites.declared ?? [])], [-1, -1, -1]);
  });

  it('without a marked entry have those methods that nothing calls', async () => {
    const recording = await read({ ...THREE, methods: METHODS.replace('true', 'false') });
    deepEqual(wordedGraph(recording).entries, ['shop.Main.main(java.lang.String[]):void']);
    deepEqual(
      recording.problems.list.map(({ code, severity }) => `${code} ${severity}`),
      ['call-tree-entries warning'],
    );
    equal(texts(await again(recording)).methods, METHODS.replace('true', 'false'));
  });
});

describe('seven tables', () => {
  it('give each virtual call all overrides of its declared method', async () => {
    const recording = await sound(SEVEN);
    deepEqual(wordedGraph(recording, true).calls, wordedGraph(await sound(THREE), true).calls);
    deepEqual(
      recording.sections.map(({ name, entries }) => `${name} ${entries}`),
      ['entries 1', 'methods 3', 'virtual methods 1', 'call sites 2', 'targets 2'],
    );
    deepEqual(texts(await again(recording)), SEVEN);
  });

  it('of drafts have virtual methods without a heading', async () => {
    const bare = SEVEN.virtual_methods.slice(SEVEN.virtual_methods.indexOf('\n') + 1);
    deepEqual(wordedGraph(await sound({ ...SEVEN, virtual_methods: bare })), wordedGraph(await sound(SEVEN)));
  });

  it('are written from three, and three from them', async () => {
    const three = await sound(THREE);
    const { dropped, parts } = await writeCallTreeSet(three, { version: '21.3' });
    const seven = await readTableFiles(filesOf({ parts, dropped }));
    deepEqual(dropped, ['1 direct calls without a target']);
    deepEqual(wordedGraph(seven, true).calls, wordedGraph(three, true).calls);
    deepEqual(seven.sections, (await sound(SEVEN)).sections);
    const back = await readTableFiles(await again(seven, '24.1'));
    deepEqual(wordedGraph(back), { ...wordedGraph(three), withoutTarget: 0 });
    await rejects(again(three, '9'), /no version '9'/);
  });
});

describe('damaged tables', () => {
  it('name file and place', async () => {
    deepEqual(await faults({ ...THREE, targets: TARGETS.slice(0, -3) }), [
      `call-tree-cut call_tree_targets.csv ${TARGETS.length - 4}`,
      `call-tree-row call_tree_targets.csv ${TARGETS.length - 4}`,
    ]);
    deepEqual(await faults({ ...THREE, invokes: INVOKES.replace('3->11', '3>11') }), [
      `call-tree-row call_tree_invokes.csv ${INVOKES.indexOf('1,0,')}`,
    ]);
    deepEqual(await faults({ methods: METHODS, invokes: INVOKES }), ['call-tree-table call_tree_methods.csv -']);
    deepEqual(await faults({ ...THREE, targets: INVOKES }), [
      'call-tree-table call_tree_targets.csv 0',
      ...['0,0,', '1,0', '2,7'].map((row) => `call-tree-row call_tree_targets.csv ${INVOKES.indexOf(`\n${row}`) + 1}`),
    ]);
    deepEqual(await faults({ ...THREE, vm: SEVEN.vm }), ['call-tree-table call_tree_methods.csv -']);
    deepEqual(await faults({ ...SEVEN, vm: 'Id,Name\n1,VM\n' }), ['call-tree-row call_tree_vm.csv 8']);
  });

  it('of two runs are named as such', async () => {
    const others = METHODS.replace('\n8,', '\n18,');
    const found = await faults({ ...THREE, methods: others });
    deepEqual(
      found.filter((each) => each.startsWith('call-tree-runs')),
      ['call-tree-runs call_tree_invokes.csv -', 'call-tree-runs call_tree_targets.csv -'],
    );
    const { problems } = await read({ ...THREE, methods: others });
    match(
      problems.list.map(({ message }) => message).join('\n'),
      /2 of its 3 rows .*call_tree_methods\.csv.* different runs/,
    );
    deepEqual(await faults({ ...THREE, targets: TARGETS.replace('0,8', '0,7') }), [
      'call-tree-runs call_tree_targets.csv -',
    ]);
    ok(
      (await faults({ ...SEVEN, override_by_edges: 'StartId,EndId\n10,7\n' })).includes(
        'call-tree-runs call_tree_override_by_edges.csv -',
      ),
    );
  });

  // Found by damage: a lost comma moved the return type `void` to the parameters, and the method had no types at all; a bracket in
  // a parameter made the ones before it a part of the name.
  it('with types that do not exist report the row', async () => {
    for (const types of [
      'void,d.O.a',
      'long void[],d.O.a',
      'empty,void[]',
      'java.lan(.String,void',
      'long in(t,void',
    ]) {
      const row = `9,a,demo.Odd,${types},b,psS,false`;
      deepEqual(await faults({ ...THREE, methods: `${METHODS}${row}\n` }), [
        `call-tree-row call_tree_methods.csv ${METHODS.length}`,
      ]);
    }
  });

  it('without methods are refused', async () => {
    await rejects(read({ invokes: INVOKES, targets: TARGETS }), /expected the table of methods/);
    await rejects(read({ ...THREE, methods: METHODS.split('\n', 1)[0] ?? '' }), /expected rows of methods/);
  });

  it('whose overrides would be too many targets are refused', async () => {
    const many = 1 << 12;
    const list = (row: (i: number) => string) => Array.from({ length: many }, (_, i) => `${row(i)}\n`).join('');
    await rejects(
      read({
        ...SEVEN,
        virtual_edges: `StartId,EndId,BytecodeIndexes\n${list((i) => `0,9,${i}`)}`,
        override_by_edges: `StartId,EndId\n${list(() => '9,7')}`,
      }),
      /expected at most \d+ targets of virtual calls/,
    );
  });
});

describe('random graphs', () => {
  it('come back from three and seven tables, and from text made of them', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraph(), async (drawn) => {
        const three = await readTableFiles(await again(drawn));
        deepEqual([three.problems.list, three.complete], [[], true]);
        deepEqual(wordedGraph(three), wordedGraph(drawn));
        const seven = await readTableFiles(await again(drawn, '21.3'));
        deepEqual([seven.problems.list, seven.complete], [[], true]);
        deepEqual(wordedGraph(seven, true).calls, wordedGraph(drawn, true).calls);
        deepEqual(wordedGraph(await asText(three)).calls, wordedGraph(await asText(drawn)).calls);
        deepEqual(texts(await again(three)), texts(await again(await readTableFiles(await again(three)))));
      }),
      runs(100),
    );
  });
});

describe('reports of real builds', () => {
  const plain = (path: string): Uint8Array =>
    path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const builds = amount(['hello-25.0.2', 'medium-25.0.2', 'hello-23.0.6'], ['hello-23.0.6']);
  for (const build of builds)
    it(`${build}: tables are written byte for byte, and have the graph of the tree`, async (t) => {
      if (GENUINE === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
      const folder = join(GENUINE, build);
      const isTable = (name: string): boolean => /^call_tree.*csv/.test(name);
      const files = new Map(
        readdirSync(join(folder, 'csv'))
          .filter(isTable)
          .map((name) => [name.replace(/_(?:hello|medium).*/, '.csv'), plain(join(folder, 'csv', name))]),
      );
      const tables = await readTableFiles(files);
      deepEqual([tables.problems.list, tables.complete], [[], true]);
      for (const [name, bytes] of await again(tables))
        equal(Buffer.compare(bytes, files.get(name) ?? Buffer.of()), 0, name);

      const text = readdirSync(join(folder, 'txt')).find((name) => name.startsWith('call_tree')) ?? '';
      const merged = files.size === 7;
      const tree = wordedGraph(await readCallTree(memorySource(text, plain(join(folder, 'txt', text)))), merged);
      const own = wordedGraph(tables, merged);
      for (const list of ['methods', 'entries', 'calls'] as const)
        deepEqual([difference(tree[list], own[list]), difference(own[list], tree[list])], [[], []], list);
      if (build === 'medium-25.0.2') deepEqual([own.declaredOnly, own.withoutTarget], [1100, 965]);

      const rows = Buffer.from(files.get('call_tree_methods.csv') ?? [])
        .toString()
        .split('\n')
        .slice(1);
      const whole = rows.map((row) => row.split(',')).filter(({ length }) => length === 7 || length === 8);
      for (const [, name = '', type = '', , , display] of whole) equal(display, displayOf(type, name));
    });
});
