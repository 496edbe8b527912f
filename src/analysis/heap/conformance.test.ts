/**
 * The dump of the HPROF agent against those of HotSpot, of one program: what its statics lead to is the same, object by object
 * and field by field, and no object of its classes is left over.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { heapReader } from '../../formats/hprof/heaps.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { NO_OBJECT, type ObjectId } from '../../models/heap/object-ids.js';
import { className } from '../../models/program/names.js';
import { sharedData } from '../../testing/shared-data.js';
import { membersOf } from './members.js';
import { indexIn } from './object-sizes.js';
import { heapClassOf, type NamedHeap, readTexts, WHOLE } from './object-values.js';

const OWN = /^GraphDemo\b/;
/** Classes whose fields have the same values in each run of the program; of all others, only the class is compared. */
const FOLLOWED = /^(?:GraphDemo\b|java\.util\.(?:ArrayList|HashMap|LinkedList)\b|java\.lang\.(?:Integer|Enum)\b)|\[\]$/;
/** Fields that other code of the virtual machine changes. */
const CHANGED = new Set(['modCount', 'hash', 'hashIsZero', 'keySet', 'values', 'entrySet']);
const NONE = new Uint8Array(0);
const STATICS = ['roots', 'megabyte', 'lock', 'CONST', 'sz', 'sb', 'sc', 'ss', 'si', 'sj', 'sf', 'sd', 'snull'];

interface Dump extends NamedHeap {
  readonly bytes: ReadonlyMap<ObjectId, Uint8Array>;
  readonly texts: ReadonlyMap<ObjectId, { readonly text: string }>;
}

async function dumpOf(t: TestContext, path: string): Promise<Dump | undefined> {
  const file = sharedData(t, `hprof/${path}`);
  if (file === undefined) return undefined;
  const source = memorySource(path, gunzipSync(readFileSync(file)));
  const recording = await readHprofFile(source);
  const [heap] = recording.heaps ?? [];
  if (heap === undefined) throw new Error('no heap');
  const reader = heapReader(source, recording);
  const graph = await reader.graph(heap.dump);
  const named = { program: recording.program, heap, graph };
  const rows = Array.from({ length: graph.ids.length }, (_, row) => row);
  const bytes = await reader.values(heap.dump, graph, new Map(rows.map((row) => [row, WHOLE])));
  const texts = await readTexts(named, (wanted) => reader.values(heap.dump, graph, wanted), rows, 1000);
  return { ...named, bytes, texts };
}

/** The class of an object; lambdas and class objects get other names in each run. */
function kindOf(dump: Dump, row: ObjectId): string {
  if (row === NO_OBJECT) return 'null';
  const mirror = indexIn(dump.graph.mirrorRow, row);
  const of = mirror < 0 ? heapClassOf(dump, row) : (dump.graph.mirrorClass[mirror] ?? -1);
  const name = className(dump.program, dump.heap.classes.class[of] ?? -1).replace(/\$\$Lambda.*/, '$$$$Lambda');
  return mirror < 0 ? name : `class ${name}`;
}

/** The members of an object by name: values, and rows of others. */
function membersIn(dump: Dump, row: ObjectId) {
  const { shown } = membersOf(dump, row, dump.bytes.get(row), { from: 0, to: 2 ** 32 });
  const kept = shown.filter(({ name }) => !CHANGED.has(name) && !name.startsWith('<'));
  // The order of the fields of one class is the recorder's.
  const owner = (of: number): string => className(dump.program, dump.heap.classes.class[of] ?? -1);
  return kept
    .map((member, i) => ({
      ...member,
      key: member.owner < 0 ? String(1e9 + i) : `${owner(member.owner)}.${member.name}`,
    }))
    .sort((x, y) => (x.key < y.key ? -1 : 1));
}

/** Objects of the program's classes, class objects apart. */
function ownCounts(dump: Dump): Map<string, number> {
  const counts = new Map<string, number>();
  for (let row = 0; row < dump.graph.ids.length; row++) {
    if (indexIn(dump.graph.mirrorRow, row) >= 0) continue;
    const kind = kindOf(dump, row);
    if (OWN.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function classObject(dump: Dump, name: string): ObjectId {
  const of = Array.from(dump.heap.classes.class).findIndex((id) => id >= 0 && className(dump.program, id) === name);
  return dump.graph.classObject[of] ?? NO_OBJECT;
}

/** Walks both from the statics on; returns the objects of the classes of the program. */
function compare(agent: Dump, vm: Dump): Map<string, number> {
  const met = new Map<string, number>();
  const pairOf = new Map<ObjectId, ObjectId>();
  const open: [ObjectId, ObjectId, string][] = [];
  const compareMembers = (a: ObjectId, b: ObjectId, where: string, only?: readonly string[]): void => {
    const wanted = (dump: Dump, row: ObjectId) =>
      membersIn(dump, row).filter(({ name }) => only === undefined || only.includes(name));
    const [left, right] = [wanted(agent, a), wanted(vm, b)];
    // The agent leaves out null elements at the end of arrays.
    if (kindOf(agent, a).endsWith('[]')) while (right.length > left.length && right.at(-1)?.id === 0) right.pop();
    const shape = (of: typeof left) => of.map(({ key, type, value, id }) => [key, type, value, id === 0]);
    deepStrictEqual(shape(left), shape(right), where);
    left.forEach((member, i) => {
      const other = right[i]?.target ?? NO_OBJECT;
      if (member.id !== undefined) open.push([member.target, other, `${where}.${member.name}`]);
    });
  };
  compareMembers(classObject(agent, 'GraphDemo'), classObject(vm, 'GraphDemo'), 'GraphDemo', STATICS);
  for (const colour of ['RED', 'GREEN', 'BLUE', '$VALUES'])
    compareMembers(classObject(agent, 'GraphDemo$Colour'), classObject(vm, 'GraphDemo$Colour'), 'Colour', [colour]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [a, b, where] = next;
    const kind = kindOf(agent, a);
    equal(kind, kindOf(vm, b), where);
    if (a === NO_OBJECT) continue;
    const known = pairOf.get(a);
    if (known !== undefined) {
      equal(b, known, `${where}: one object in both`);
      continue;
    }
    pairOf.set(a, b);
    if (OWN.test(kind)) met.set(kind, (met.get(kind) ?? 0) + 1);
    equal(agent.texts.get(a)?.text, vm.texts.get(b)?.text, where);
    if (/^(?:boolean|byte|char|short|int|long|float|double)\[\]$/.test(kind))
      ok(Buffer.compare(agent.bytes.get(a) ?? NONE, vm.bytes.get(b) ?? NONE) === 0, where);
    else if (FOLLOWED.test(kind)) compareMembers(a, b, where);
  }
  equal(new Set(pairOf.values()).size, pairOf.size);
  ok(pairOf.size > 3000, `${pairOf.size} objects`);
  return new Map([...met].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('the program of an agent dump is that of a dump of the virtual machine', () => {
  for (const path of ['hotspot/hs17-graph.hprof.gz', 'hotspot/hs25-graph.hprof.gz', 'hotspot/hs17-graph-all.hprof.gz'])
    test(path, async (t) => {
      const agent = await dumpOf(t, 'agent/graph-heap-dump.hprof.gz');
      const vm = await dumpOf(t, path);
      if (agent === undefined || vm === undefined) return;
      const met = compare(agent, vm);
      // The thread of the program has the second lambda.
      met.set('GraphDemo$$Lambda', (met.get('GraphDemo$$Lambda') ?? 0) + 1);
      deepStrictEqual(ownCounts(agent), met);
      deepStrictEqual(ownCounts(vm), met);
    });
});
