/** Questions about the calls of a real build, answered by a loop over the lines of its report as well. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { drawDot } from '../../pictures/calls/dot.js';
import { drawGraph } from '../../pictures/calls/svg.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { BYTES, countsOf, edges, entries, LINES, plainDistances, shown } from './testing/plain-report.js';

let session: Session;

before(async () => {
  session = await openSession([memorySource('hello', BYTES)]);
});

describe('questions about reported calls', () => {
  const METHOD = 'java.util.HashMap.resize()';
  const NODE = 'null:java.util.HashMap.resize():java.util.HashMap$Node[]';

  it('why: a path of existing calls, as short as the shortest, and one for each caller', async () => {
    const options = { method: METHOD, paths: 0 };
    const result = await ask(session, { view: 'calls-why', options, page: { limit: 0 } });
    equal(result.calls, plainDistances().get(NODE));
    const callers = new Set(edges.filter(({ callee }) => callee === NODE).map(({ caller }) => shown(caller)));
    equal(result.paths, callers.size);
    const paths = grouped(result.rows);
    const methods = new Set<string>();
    for (const rows of paths.values()) {
      ok(entries.some((entry) => shown(entry) === rows[0]?.method));
      equal(rows.at(-1)?.method, METHOD);
      for (const [i, { method }] of rows.slice(1).entries())
        ok(edges.some(({ caller, callee }) => shown(caller) === rows[i]?.method && shown(callee) === method));
      methods.add(rows.at(-2)?.method ?? '');
    }
    deepEqual(methods, callers);
  });

  it('why: via and not via', async () => {
    const [avoided] = [...new Set(edges.filter(({ callee }) => callee === NODE).map(({ caller }) => shown(caller)))];
    const without = await ask(session, { view: 'calls-why', options: { method: METHOD, notVia: avoided ?? '' } });
    ok(without.rows.every(({ method }) => method !== avoided));
    const via = await ask(session, { view: 'calls-why', options: { method: METHOD, via: avoided ?? '' } });
    ok(via.rows.some(({ method }) => method === avoided));
    await rejects(
      ask(session, { view: 'calls-why', options: { method: 'no.such' } }),
      /no method of hello matches no.such/,
    );
  });

  // Their constructors are inlined, so that only the names and types of the factories say which they are.
  it('why: a factory of the builder with the constructor that it stands for', async () => {
    const factories = [...plainDistances().keys()].flatMap((node) => {
      const [, name, simple, parameters, type] =
        /(com\.[\w.]+FactoryMethodHolder\.([\w$]+?)_\w{22}\((.*)\)):(.*)$/.exec(node) ?? [];
      return name === undefined ? [] : [{ name, simple, parameters, type }];
    });
    equal(factories.length, 93);
    for (const { name, simple, parameters, type = '' } of factories) {
      equal(type.replace(/^.*\./, '').replaceAll(/\W/g, ''), simple?.replaceAll(/\W/g, ''));
      const { rows } = await ask(session, { view: 'calls-why', options: { method: name } });
      equal(/ \(factory of (.*)\)$/.exec(rows.at(-1)?.call ?? '')?.[1], `${type}.<init>(${parameters})`);
    }
    const plain = await ask(session, { view: 'calls-why', options: { method: METHOD } });
    ok(plain.rows.every(({ call }) => !call.includes('factory')));
  });

  it('graph: the methods around one, and the calls among them', async () => {
    const options = { method: METHOD, depth: 1, most: 1000 };
    const result = await ask(session, { view: 'calls-graph', options, page: { limit: 0 } });
    const callers = edges.filter(({ callee }) => callee === NODE).map(({ caller }) => caller);
    const callees = edges.filter(({ caller }) => caller === NODE).map(({ callee }) => callee);
    const near = new Set([NODE, ...callers, ...callees]);
    deepEqual(result.nodes.map(({ method }) => method).sort(), [...near].map(shown).sort());
    for (const { method, distance } of result.nodes) {
      const expected = method === METHOD ? 0 : callers.some((node) => shown(node) === method) ? -1 : 1;
      equal(distance, expected, method);
    }
    const among = edges.filter(({ caller, callee }) => near.has(caller) && near.has(callee));
    const counts = new Map<string, number>();
    for (const { caller, callee } of among) {
      const key = `${shown(caller)} > ${shown(callee)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    deepEqual(new Map(result.rows.map(({ caller, callee, calls }) => [`${caller} > ${callee}`, calls])), counts);
    const few = await ask(session, { view: 'calls-graph', options: { ...options, most: 3 } });
    deepEqual([few.nodes.length, few.left_out], [3, near.size - 3]);
    equal(few.nodes[0]?.method, METHOD);
  });

  it('graph: drawn with a box a method and a line an edge', async () => {
    const options = { method: METHOD, depth: 2, most: 25 };
    const result = await ask(session, { view: 'calls-graph', options, page: { limit: 0 } });
    const svg = drawGraph(result, noteTexts(result.notes));
    const titles = [...svg.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, title = '']) =>
      title.replace(' (entry)', ''),
    );
    deepEqual(
      titles.map((title) => title.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
      result.nodes.map(({ method }) => method),
    );
    equal(svg.match(/marker-end/g)?.length, result.total);
    const dot = drawDot(result);
    for (const [i, { method }] of result.nodes.entries()) ok(dot.includes(`  n${i} [label="${method}"`), method);
    equal(dot.match(/ -> /g)?.length, result.total);
  });

  it('cut: what a search without the methods no longer meets', async () => {
    const options = { package: 'java.util.regex', by: 'method' } as const;
    const result = await ask(session, { view: 'calls-cut', options, page: { limit: 0 } });
    const all = plainDistances();
    const left = plainDistances((node) => node.startsWith('null:java.util.regex.'));
    equal(result.reachable, all.size);
    deepEqual(
      result.rows.map(({ name }) => name).sort(),
      [...all.keys()]
        .filter((node) => !left.has(node))
        .map(shown)
        .sort(),
    );
    match(commandLineText(result.headlines[0] ?? ''), new RegExp(`${all.size - left.size} methods of`));
  });

  it('cut: of single methods, each by itself', async () => {
    const result = await ask(session, { view: 'calls-cut', page: { limit: 3 } });
    const all = plainDistances().size;
    for (const { name, methods } of result.rows)
      equal(methods, all - plainDistances((node) => shown(node) === name).size);
  });

  it('entries: each line, with what no other entry leads to', async () => {
    const result = await ask(session, { view: 'calls-entries', page: { limit: 0 } });
    deepEqual(result.rows.map(({ method }) => method).sort(), entries.map(shown).sort());
    const all = plainDistances().size;
    for (const { method, methods } of [...result.rows.slice(0, 5), ...result.rows.slice(-3)]) {
      const others = entries.filter((entry) => shown(entry) !== method);
      equal(methods, all - plainDistances(undefined, others).size, method);
    }
  });

  it('entries by reason: as many as lines, with what the entries of other reasons do not reach', async () => {
    const result = await ask(session, {
      view: 'calls-groups',
      options: { show: 'entries', by: 'reason' },
      page: { limit: 0 },
    });
    const reasons = LINES.filter((line) => /^[├└]── entry /.test(line)).map(
      (line) => /, parsing reason: {2}(.*) $/.exec(line)?.[1] ?? '',
    );
    deepEqual(new Map(result.rows.map((row) => [row.name, row.entries])), countsOf(reasons));
    const all = plainDistances().size;
    for (const { name, only } of result.rows.slice(0, 5)) {
      const others = entries.filter((_, i) => reasons[i] !== name);
      equal(only, all - plainDistances(undefined, others).size);
    }
  });

  it('methods by loader and package: as many as nodes', async () => {
    const nodes = [...plainDistances().keys()];
    const loaders = await ask(session, { view: 'calls-groups', options: { by: 'loader' }, page: { limit: 0 } });
    deepEqual(
      new Map(loaders.rows.map(({ name, methods }) => [name, methods])),
      countsOf(nodes.map((node) => node.slice(0, node.indexOf(':')))),
    );
    const packages = await ask(session, { view: 'calls-groups', options: { by: 'package' }, page: { limit: 0 } });
    const packageIn = (node: string): string =>
      /^((?:[\w$]+\.)*)[\w$/]+\.[^.]+\(/.exec(shown(node))?.[1]?.replace(/\.$/, '') ?? '';
    deepEqual(
      new Map(packages.rows.map(({ name, methods }) => [name, methods])),
      countsOf(nodes.map((node) => packageIn(node) || '<unnamed package>')),
    );
  });

  it('callers: as many as lines that call it', async () => {
    const result = await ask(session, { view: 'calls-callers', options: { method: METHOD }, page: { limit: 0 } });
    equal(result.callers, edges.filter(({ callee }) => callee === NODE).length);
    equal(result.callees, edges.filter(({ caller }) => caller === NODE).length);
  });

  it('tree: the lines of the report', async () => {
    const result = await ask(session, { view: 'calls-tree', page: { limit: 5000 } });
    equal(result.total, LINES.length);
    for (const [i, { function: line, depth, at }] of result.rows.entries()) {
      const text = LINES[i] ?? '';
      equal(depth, (/^(?:│ {3}| {4})*/.exec(text)?.[0].length ?? 0) / 4);
      equal(at ?? '', / @bci=([\d>-]+) ?$/.exec(text)?.[1] ?? '');
      const node = text
        .replace(/^[│ ]*[├└]── (?:entry )?/, '')
        .replace(/ (?:id|id-ref)=\d+.*$/, '')
        .replace(/ @bci=.*$/, '');
      const [, words = '', rest = ''] =
        /^((?:directly calls|virtually calls|is overridden by) )?(.*)$/.exec(node) ?? [];
      equal(line, words + shown(rest));
    }
  });
});

function grouped<Row extends { path: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(row.path, [...(groups.get(row.path) ?? []), row]);
  return groups;
}
