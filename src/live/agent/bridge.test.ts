/**
 * Agents in C in the process of the VM: the fragments of the document unchanged, and one that calls all functions and reads all dumps.
 * What they must find follows from the source of their programs; the bytes of dumps are read and written again by formats/jvmpi.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type ClassShape,
  type DumpForm,
  type HeapRecord,
  readKinds,
  readMonitors,
  readRecords,
  writeKinds,
  writeMonitors,
  writeRecords,
} from '../../formats/jvmpi/dumps/index.js';
import { amount, TIER } from '../../testing/amount.js';
import { compiledAgent, documentFragments, printed, runWithC } from './testing/c-agents.js';
import { logged, traced } from './testing/class-log.js';
import { compiledFor, folder } from './testing/probed.js';

const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };
const VERSIONS = amount(['17', '25'], ['25']);

/** The numbers of methods that the handler of §1.5 printed, in the order of the threads' ends. */
function methodCounts(text: string): number[] {
  return [...text.matchAll(/^Thread [0-9a-f]+ executed (\d+) methods$/gm)].map(([, count]) => Number(count));
}

describe('the fragments of the document in C', () => {
  for (const version of VERSIONS)
    it(`JDK ${version}: method counter of each thread, and the class-load tracer`, (t) => {
      const home = compiledFor(t, version, 'Counted');
      if (home === undefined || !documentFragments(t)) return;
      const log = join(folder, `counted-${version}.txt`);
      const agent = compiledAgent(home, 'document');
      const { status, stdout, stderr } = runWithC(home, [agent, ''], [`-Xlog:class+load:file=${log}`, 'Counted']);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /^done$/m);
      const [ten = 0, thousand = 0] = methodCounts(stdout);
      assert.ok(ten > 10);
      assert.equal(thousand - ten, 990);
      assert.deepEqual(traced(stdout), logged(readFileSync(log, 'utf8')));
    });
});

/** What the agent told: lines, classes by id, and files. */
class Told {
  readonly lines: readonly string[];
  readonly #place: string;
  readonly #shapes = new Map<number, ClassShape>();

  constructor(place: string) {
    this.#place = place;
    this.lines = readFileSync(join(place, 'told.txt'), 'utf8').trimEnd().split('\n');
    for (const line of this.lines) {
      const [, id, interfaces, types] = /^shape 0x([0-9a-f]+) (\d+) ([a-l]*)[.] /.exec(line) ?? [];
      if (id === undefined || types === undefined) continue;
      const statics = [...types].map((letter) => letter.charCodeAt(0) - 'a'.charCodeAt(0));
      this.#shapes.set(Number.parseInt(id, 16), { interfaces: Number(interfaces), statics });
    }
  }

  ids(): number[] {
    const line = this.lines.find((each) => each.startsWith('ids ')) ?? '';
    return line.split(' ').slice(1).map(Number);
  }

  bytes(name: string): Uint8Array {
    return new Uint8Array(readFileSync(join(this.#place, name)));
  }

  /** The records of a file, which come back to the same bytes. */
  records(name: string, level: 1 | 2): HeapRecord[] {
    const bytes = this.bytes(name);
    const records = readRecords(bytes, FORM, level, (id) => this.#shapes.get(id));
    assert.ok(Buffer.from(writeRecords(records, FORM)).equals(bytes), name);
    return records;
  }
}

const EXPECTED = [
  'versions 10000003 -2',
  // OBJECT_MOVE, dumps (on request only), arenas: JVMPI_NOT_AVAILABLE.
  ...[6, 37, 48, 49, 50, 59].map((type) => `refused ${type} 1`),
  'collections 1,1',
  'class 1',
  'status 1',
  'trace 1 line=24',
  'ran 1',
  // 10: no such thread; 14: it is suspended already.
  'lists 0,10 again=14 0,10',
  'object 1',
  'handle 1',
  'storage 1',
  'heap0 whole many traces=0 nodes=0 holders=0',
  'heap1 whole many traces=1 nodes=1000 holders=1',
  'heap2 whole many traces=1 nodes=1000 holders=1',
  'heap 0,0,0,-1',
  ...['dump 0', 'dump 0', 'dump 0', 'dump 0'],
  'defining 0,0,0,-1,1',
  // 2: JVMPI_THREAD_MONITOR_WAIT
  'monitors java=1 raw=1 status=2',
  'monitor dump 0',
  'cpu 1',
  'disable 0,1',
];
/** Events that every run of the program has: all but unloaded code and classes, requests of the user, the end. */
const EVENTS_SEEN = [
  ...[1, 2, 3, 4, 5, 7, 9, 33, 34, 35, 37, 38, 39, 40, 41, 42, 46],
  ...[50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61],
];

const id = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.toString('hex');
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The object of All.java with known values, in the dump of a level. */
function checkHolder(told: Told, level: 1 | 2): void {
  const records = told.records(`heap${level}`, level);
  const [holder = 0, holderClass = 0, nodeClass = 0] = told.ids();
  const record = records.find((each) => each.tag === 0x21 && each.object === holder);
  assert.ok(record?.tag === 0x21 && record.class === holderClass);
  const array = (tag: number) =>
    records.filter((each) => each.tag === tag && 'object' in each && hex(record.fields).includes(id(each.object)));
  const numbers = array(0x23).find((each) => each.tag === 0x23 && each.type === 10 && each.length === 3);
  const objects = array(0x22).find((each) => each.tag === 0x22 && each.elements[1] === holder);
  assert.ok(numbers?.tag === 0x23 && objects?.tag === 0x22);
  assert.deepEqual(objects.elements, [0, holder]);
  const references = `${id(0)}${id(numbers.object)}${id(objects.object)}`;
  const values = '0141004b5152616263647172737475767778' + '3f800000c000000000000000';
  assert.equal(
    hex(record.fields),
    (level === 1 ? '' : values) + references + (level === 1 ? '' : '01020304') + id(holder),
  );
  assert.equal(hex(numbers.elements), level === 1 ? '' : '000000010000000201020304');
  const type = records.find((each) => each.tag === 0x20 && each.class === holderClass);
  assert.ok(type?.tag === 0x20);
  assert.equal(hex(type.statics), (level === 1 ? '' : '212223242526272831') + id(0));
  const next = new Map(
    records.flatMap((each) =>
      each.tag === 0x21 && each.class === nodeClass
        ? [[each.object, Number(Buffer.from(each.fields).readBigUInt64LE())]]
        : [],
    ),
  );
  const [start = 0] = [...next.keys()].filter((node) => ![...next.values()].includes(node));
  let length = 0;
  for (let at = start; at !== 0; at = next.get(at) ?? 0) length++;
  assert.equal(length, 1000);
  if (level === 1) return;
  assert.deepEqual(told.records('object1', 2), [record]);
  assert.deepEqual(told.records('object2', 2), [type]);
  assert.deepEqual([told.records('object3', 2).length, told.records('object4', 2).length], [1, 1]);
  const kinds = readKinds(told.bytes('heap0'), FORM);
  assert.ok(Buffer.from(writeKinds(kinds, FORM)).equals(told.bytes('heap0')));
  const kindOf = new Map(kinds.map(({ kind, object }) => [object, kind]));
  assert.deepEqual([kindOf.get(holder), kindOf.get(numbers.object), kindOf.get(objects.object)], [0, 10, 2]);
}

describe('an agent in C that calls all functions', () => {
  for (const version of VERSIONS)
    it(`JDK ${version}: results, events, dumps`, (t) => {
      const home = compiledFor(t, version, 'All');
      if (home === undefined) return;
      const place = join(folder, `all-${version}`);
      mkdirSync(place);
      const { status, stdout, stderr } = runWithC(home, [compiledAgent(home, 'all'), place], ['All']);
      // The class hook changed a word; ProfilerExit(7) ended the program.
      assert.deepEqual([status, stdout, stderr], [7, '165\nVICTIM\n', '']);
      const told = new Told(place);
      const findings = told.lines.filter((line) => !/^(shape|ids|event|blocked) /.test(line));
      assert.deepEqual(findings, EXPECTED);
      const events = told.lines.flatMap((line) => /^event (\d+)$/.exec(line)?.[1] ?? []).map(Number);
      assert.deepEqual(
        EVENTS_SEEN.filter((event) => !events.includes(event)),
        [],
      );
      checkHolder(told, 2);
      checkHolder(told, 1);
      const monitors = readMonitors(told.bytes('monitors'), FORM);
      assert.ok(Buffer.from(writeMonitors(monitors, FORM)).equals(told.bytes('monitors')));
      const blocked = Number(told.lines.find((line) => line.startsWith('blocked '))?.split(' ')[1]);
      const java = monitors.filter(({ tag, entering }) => tag === 0x01 && entering.includes(blocked));
      // main waits in Thread.sleep with the monitor.
      assert.deepEqual(
        java.map(({ entries, waiting, owner }) => [entries, waiting, owner !== 0]),
        [[1, [], true]],
      );
      const raw = monitors.flatMap((each) =>
        each.tag === 0x02 ? [[each.name, each.entries, each.entering.length]] : [],
      );
      assert.deepEqual(raw, [['order', 1, 1]]);
    });
});

describe('ProfilerExit', () => {
  const MOMENTS = ['start', 'own thread', 'monitor', 'collection', 'thread end', 'end'];
  for (const version of VERSIONS)
    for (const moment of amount(MOMENTS, ['thread end', 'end']))
      it(`JDK ${version}, ${moment}: ends the VM with its code`, (t) => {
        const home = compiledFor(t, version, 'Facts');
        if (home === undefined) return;
        // A run that hangs is killed, and has no status.
        const { status, stderr } = runWithC(home, [compiledAgent(home, 'exit'), moment], ['Facts']);
        assert.deepEqual([status, stderr], [5, '']);
      });
});

it('agents in C start by -Xrun, too', (t) => {
  if (TIER === 'quick') return t.skip('in the full tier');
  const home = compiledFor(t, '25', 'Facts');
  if (home === undefined) return;
  const { JAVA_TOOL_OPTIONS: _, ...environment } = process.env;
  const words = [`-Xrunkansoku:c,${compiledAgent(home, 'exit')}:start`, '-cp', folder, 'Facts'];
  const env = { ...environment, LD_LIBRARY_PATH: printed('--xrun') };
  assert.equal(spawnSync(join(home, 'bin/java'), words, { env }).status, 5);
});

describe('allocations', () => {
  for (const version of amount(['17', '25'], ['17']))
    it(`JDK ${version}: all objects, also the first ones`, (t) => {
      const home = compiledFor(t, version, 'Allocations');
      if (home === undefined) return;
      const { status, stdout } = runWithC(home, [compiledAgent(home, 'allocations'), ''], ['Allocations']);
      assert.deepEqual([status, stdout], [0, '20000\n20000\n']);
    });
});
