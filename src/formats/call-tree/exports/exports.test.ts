/** Call graphs for graph databases. Both outputs were also loaded into real programs: networkx 3.6 (GraphML), Neo4j 5.26 (Cypher). */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { runs } from '../../../testing/amount.js';
import { readCallTree } from '../read-text.js';
import { randomGraph } from '../testing/random-graph.js';
import { writeCypher } from './cypher.js';
import { cypherFileName } from './cypher-names.js';
import { writeGraphml } from './graphml.js';

const TREE = `VM Entry Points
└── entry app:demo.Odd.main(java.lang.String[]):void id=0, parsing reason:  root method 
    ├── directly calls app:demo.Odd.a, b(int, java.lang.String):void id=1 @bci=3->9 
    ├── virtually calls demo.Odd.quo"te():void @bci=4
    │   ├── is overridden by app:demo.Odd.quo"te():void id=2 
    │   └── is overridden by app:demo.Odd.a, b(int, java.lang.String):void id-ref=1 
    ├── directly calls app:demo.Odd.<x&y>():void id=3 @bci=7 
    └── virtually calls demo.Odd.none():void @bci=8

`;
const read = (): Promise<Recording> => readCallTree(memorySource('odd', Buffer.from(TREE)));
const textOf = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString();

/** Elements of a document with their data, by expressions. */
function elements(xml: string, name: string): { attributes: string; data: Record<string, string> }[] {
  const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return [...xml.matchAll(new RegExp(`<${name} ([^>]*)>(.*?)</${name}>`, 'gs'))].map(
    ([, attributes = '', body = '']) => ({
      attributes,
      data: Object.fromEntries(
        [...body.matchAll(/<data key="(\w+)">([^<]*)<\/data>/g)].map(([, key, text = '']) => [key, unescaped(text)]),
      ),
    }),
  );
}

describe('GraphML', () => {
  it('has methods as nodes and targets of calls as edges', async () => {
    const { chunks, dropped } = writeGraphml(await read());
    const xml = textOf(chunks);
    deepEqual(elements(xml, 'node'), [
      {
        attributes: 'id="n0"',
        data: {
          name: 'demo.Odd.main(java.lang.String[])',
          class: 'demo.Odd',
          loader: 'app',
          entry: 'true',
          reason: 'root method',
        },
      },
      {
        attributes: 'id="n1"',
        data: { name: 'demo.Odd.a, b(int, java.lang.String)', class: 'demo.Odd', loader: 'app' },
      },
      { attributes: 'id="n2"', data: { name: 'demo.Odd.quo"te()', class: 'demo.Odd', loader: 'app' } },
      { attributes: 'id="n3"', data: { name: 'demo.Odd.<x&y>()', class: 'demo.Odd', loader: 'app' } },
    ]);
    const virtual = { bcis: '4', kind: 'virtual', site: '1', declared: 'demo.Odd.quo"te()' };
    deepEqual(
      elements(xml, 'edge').map(({ attributes, data }) => [attributes.replace(/id="\w+" /, ''), data]),
      [
        ['source="n0" target="n1"', { bcis: '3->9', kind: 'direct', site: '0' }],
        ['source="n0" target="n2"', virtual],
        ['source="n0" target="n1"', virtual],
        ['source="n0" target="n3"', { bcis: '7', kind: 'direct', site: '2' }],
      ],
    );
    deepEqual(dropped, ['1 call without a target']);
  });

  it('has no character that XML does not allow', async () => {
    const odd = await readCallTree(memorySource('odd', Buffer.from(TREE.replace('<x&y>', 'a\u0001\ud83d\ude00b'))));
    const { chunks, dropped } = writeGraphml(odd);
    const xml = textOf(chunks);
    ok(xml.includes('a\ufffd\ud83d\ude00b'));
    ok(!xml.includes('\u0001'));
    equal(dropped[1], 'control characters of 1 text');
  });

  it('has the calls of any graph', () => {
    fc.assert(
      fc.property(randomGraph(), (graph) => {
        const xml = textOf(writeGraphml(graph).chunks);
        const nodes = elements(xml, 'node');
        const named = (attributes: string, end: string): string => {
          const id = new RegExp(`${end}="(n\\d+)"`).exec(attributes)?.[1] ?? '';
          return nodes.find((node) => node.attributes === `id="${id}"`)?.data.name ?? '';
        };
        const wanted = graph.calls.flatMap(({ caller, bcis, targets }) =>
          targets.map((callee) => [caller, bcis.join('->'), callee].join(' ')),
        );
        const numberOf = (name: string): number =>
          Number(/(\d+)\D*$/.exec(name.replace(/\(.*/, ''))?.[1] ?? Number.NaN);
        const found = elements(xml, 'edge').map(({ attributes, data }) =>
          [numberOf(named(attributes, 'source')), data.bcis, numberOf(named(attributes, 'target'))].join(' '),
        );
        deepEqual(found.sort(), wanted.sort());
      }),
      runs(100),
    );
  });
});

describe('a Cypher script', () => {
  it('loads tables that are written beside it, by columns that they have', async () => {
    const { parts } = await writeCypher(await read(), {}, 'out/my app.cypher');
    const files = new Map([...parts].map(([part, chunks]) => [cypherFileName(part, 'my app.cypher'), textOf(chunks)]));
    deepEqual([...files.keys()].sort(), [
      'my app.cypher',
      'my app_invokes.csv',
      'my app_methods.csv',
      'my app_targets.csv',
    ]);
    const loads = (files.get('my app.cypher') ?? '').split('LOAD CSV WITH HEADERS FROM ').slice(1);
    equal(loads.length, 3);
    for (const load of loads) {
      const file = decodeURI(/^'file:\/\/\/([^']*)'/.exec(load)?.[1] ?? '');
      const columns = files.get(file)?.split('\n', 1)[0]?.split(',') ?? [];
      const used = [...load.matchAll(/row\.(\w+)/g)].map(([, column = '']) => column);
      ok(used.length > 0 && used.every((column) => columns.includes(column)), `${used} of ${file}`);
    }
  });

  it('has quoted cells where names need it', async () => {
    const { parts } = await writeCypher(await read(), {}, 'odd.cypher');
    deepEqual(
      textOf(parts.get('methods') ?? [])
        .split('\n')
        .slice(2, 4),
      [
        '1,"a, b",demo.Odd,int java.lang.String,void,"d.O.a, b",,false',
        '2,"quo""te",demo.Odd,empty,void,"d.O.quo""te",,false',
      ],
    );
  });

  it('needs a call graph', async () => {
    const { callGraph: _, ...without } = await read();
    await rejects(writeCypher(without, {}, 'x.cypher'), /no call graph/);
  });
});
