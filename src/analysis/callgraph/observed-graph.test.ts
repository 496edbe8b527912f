/** The observed call graph against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { stringAt } from '../../base/text.js';
import { readBytes, readText } from '../../formats/iprof/testing/iprof-documents.js';
import { iprofTruth, type TrueEntry } from '../../formats/iprof/testing/iprof-truth.js';
import { bitOf, CALL_KINDS, type CallGraph, faultsOf, outerBci } from '../../models/callgraph/call-graph.js';
import type { Recording } from '../../models/recording.js';
import { iprofFiles } from '../../testing/shared-data.js';
import { ENTRY_REASONS, observedGraph } from './observed-graph.js';

const CALLS = ['callCountProfiles', 'hotnessPoints'];
const CONTEXTS = [
  ...CALLS,
  'conditionalProfiles',
  'conditionalPoints',
  'virtualInvokeProfiles',
  'invokePoints',
  'instanceofProfiles',
  'instanceOfProfiles',
];
const COUNTED = bitOf('counted');
const SAMPLED = bitOf('sampled');

/** `caller@bci callee`, by the file's own ids. */
function edgesOf(entry: TrueEntry): string[] {
  const { frames } = entry;
  return frames.slice(1).map((caller, i) => `${caller.id}@${caller.bci} ${frames[i]?.id}`);
}

function edgesOfGraph(graph: CallGraph, recording: Recording): Map<string, { why: number; count: number }> {
  const ids = recording.program.functions.fileId;
  const edges = new Map<string, { why: number; count: number }>();
  for (let row = 0; row < graph.targets.length; row++) {
    const site = graph.targets.site[row] ?? -1;
    const caller = ids[graph.sites.caller[site] ?? -1];
    const key = `${caller}@${outerBci(graph.sites, site)} ${ids[graph.targets.callee[row] ?? -1]}`;
    ok(!edges.has(key), key);
    edges.set(key, { why: graph.targets.why[row] ?? 0, count: graph.targets.count?.[row] ?? Number.NaN });
  }
  return edges;
}

/** Rows of edges, entries and receivers that are about a function. */
function rowsAround(
  { sites, targets, entries, receivers, reasons }: CallGraph,
  is: (of: number | undefined) => boolean,
) {
  const rows: unknown[][] = [];
  for (const [row, site] of targets.site.entries())
    if (is(sites.caller[site]) || is(targets.callee[row]))
      rows.push([
        sites.caller[site],
        outerBci(sites, site),
        targets.callee[row],
        targets.count?.[row],
        targets.why[row],
      ]);
  for (const [row, of] of entries.function.entries())
    if (is(of)) rows.push([of, stringAt(reasons, entries.reason[row] ?? -1), entries.count?.[row]]);
  for (const [row, site] of receivers.site.entries())
    if (is(sites.caller[site]))
      rows.push([outerBci(sites, site), sites.kind[site], receivers.class[row], receivers.count?.[row]]);
  return rows;
}

function addTo(map: Map<string, number>, key: string, value: number): void {
  map.set(key, (map.get(key) ?? 0) + value);
}

for (const path of iprofFiles()) {
  const recording = await readBytes(readFileSync(path));

  describe(`observed call graph of ${basename(path)}`, () => {
    const { profile, program } = recording;
    ok(profile !== undefined);
    const graph = observedGraph(profile, program);
    const truth = iprofTruth(path);

    it('is sound', () => deepEqual(faultsOf(graph, program.functions.length, program.classes.length), []));

    it('has the edges of the contexts and stacks, and no others', () => {
      const counted = new Set(truth.entries(...CONTEXTS).flatMap(edgesOf));
      const sampled = new Set(truth.entries('samplingProfiles').flatMap(edgesOf));
      const edges = edgesOfGraph(graph, recording);
      const withBit = (bit: number) => [...edges].filter(([, { why }]) => (why & bit) !== 0).map(([key]) => key);
      deepEqual(withBit(COUNTED).sort(), [...counted].sort());
      deepEqual(withBit(SAMPLED).sort(), [...sampled].sort());
      equal(edges.size, new Set([...counted, ...sampled]).size);
    });

    it('counts the calls of each edge, and those without recorded callers', () => {
      const calls = new Map<string, number>();
      const roots = new Map<string, number>();
      for (const { frames, records } of truth.entries(...CALLS)) {
        const [leaf, caller] = frames;
        if (caller === undefined) addTo(roots, String(leaf?.id), records[0] ?? 0);
        else addTo(calls, `${caller.id}@${caller.bci} ${leaf?.id}`, records[0] ?? 0);
      }
      const edges = [...edgesOfGraph(graph, recording)].filter(([, { count }]) => !Number.isNaN(count));
      deepEqual(new Map(edges.map(([key, { count }]) => [key, count])), new Map(calls));
      const entries = new Map<string, number>();
      const { entries: table, reasons } = graph;
      for (let row = 0; row < table.length; row++) {
        const count = table.count?.[row] ?? Number.NaN;
        if (stringAt(reasons, table.reason[row] ?? -1) === ENTRY_REASONS.partial && !Number.isNaN(count))
          entries.set(String(program.functions.fileId[table.function[row] ?? -1]), count);
      }
      deepEqual(entries, roots);
    });

    it('around a function has its edges, entries and receivers in the order of the whole graph', () => {
      const step = Math.ceil(program.functions.length / 20);
      for (let id = 0; id < program.functions.length; id += step) {
        const wanted = new Uint8Array(program.functions.length);
        wanted[id] = 1;
        const is = (of: number | undefined): boolean => of === id;
        deepEqual(rowsAround(observedGraph(profile, program, wanted), is), rowsAround(graph, is));
      }
    });

    it('has classes, but no methods, at virtual sites', () => {
      const wanted = new Map<string, number>();
      for (const { frames, records } of truth.entries('virtualInvokeProfiles', 'invokePoints'))
        for (let i = 0; i < records.length; i += 2)
          addTo(wanted, `${frames[0]?.id}@${frames[0]?.bci} ${records[i]}`, records[i + 1] ?? 0);
      const found = new Map<string, number>();
      const { sites, receivers } = graph;
      for (let row = 0; row < receivers.length; row++) {
        const site = receivers.site[row] ?? -1;
        equal(CALL_KINDS[sites.kind[site] ?? -1], 'virtual');
        const caller = program.functions.fileId[sites.caller[site] ?? -1];
        const type = program.classes.fileId[receivers.class[row] ?? -1];
        found.set(`${caller}@${outerBci(sites, site)} ${type}`, receivers.count?.[row] ?? Number.NaN);
      }
      deepEqual(found, wanted);
    });
  });
}

describe('observed call graph', () => {
  it('has edges that were only sampled, and recursion', async () => {
    const { program, profile } = await readText(`{"version":"1.0.0",
      "types":[{"id":1,"name":"A"},{"id":2,"name":"void"}],
      "methods":[{"id":10,"name":"main","signature":[1,2]},{"id":11,"name":"walk","signature":[1,2]}],
      "callCountProfiles":[{"ctx":"11:0<11:4<10:7","records":[5]},{"ctx":"11:0<10:7","records":[2]},{"ctx":"10:0","records":[1]}],
      "samplingProfiles":[{"ctx":"11:2<11:9<10:7","records":[3]}]}`);
    ok(profile !== undefined);
    const { targets, sites, entries, reasons } = observedGraph(profile, program);
    const edges = Array.from({ length: targets.length }, (_, row) => {
      const site = targets.site[row] ?? -1;
      return [sites.caller[site], outerBci(sites, site), targets.callee[row], targets.count?.[row], targets.why[row]];
    });
    deepEqual(
      edges.sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0)),
      [
        [1, 4, 1, 5, COUNTED],
        [0, 7, 1, 2, COUNTED | SAMPLED],
        [1, 9, 1, Number.NaN, SAMPLED],
      ],
    );
    const told = Array.from({ length: entries.length }, (_, row) => [
      entries.function[row],
      stringAt(reasons, entries.reason[row] ?? -1),
      entries.count?.[row],
    ]);
    deepEqual(told.sort(), [
      [0, ENTRY_REASONS.whole, Number.NaN],
      [0, ENTRY_REASONS.partial, 1],
    ]);
  });
});
