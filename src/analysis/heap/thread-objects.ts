/** Threads of a heap dump: names, states and kinds from their objects. Dumps of HotSpot have them nowhere else. */
import { stringAt } from '../../base/text.js';
import type { ThreadState } from '../../models/events/state.js';
import { NO_OBJECT, type ObjectId } from '../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { className } from '../../models/program/names.js';
import { valuesOf } from './inspection.js';
import { Fields, heapClassOf, type NamedHeap, type ReadValues, readTexts, WHOLE } from './object-values.js';
import { heapOf, objectsUse } from './stages.js';

/** A thread among the roots. */
export interface ThreadObject {
  readonly object: ObjectId;
  /** Number of the thread in the roots: of binary dumps the recording's own, of texts its row among the threads. */
  readonly number: number;
  /** Row of the profile's traces; -1 none. */
  readonly trace: number;
  readonly name: string | undefined;
  readonly tid: number | undefined;
  readonly daemon: boolean | undefined;
  readonly virtual: boolean;
  readonly state: ThreadState | undefined;
  /** Name of the thread that runs a virtual one now. */
  readonly carrier: string | undefined;
}

const THREAD = ROOT_KINDS.indexOf('thread');
/** Characters of a name, at most. */
const MOST_CHARACTERS = 400;

const threadStage: Stage<readonly ThreadObject[], number> = {
  name: 'heap threads',
  version: 1,
  key: String,
  needs: ([subject], dump) => [objectsUse(subject, dump)],
  run: async ([subject], dump, get, work) => {
    const graph = await get(objectsUse(subject, dump));
    const named = { program: subject.snapshot.recording.program, heap: heapOf(subject, dump), graph };
    return readThreads(named, valuesOf(subject, named, work));
  },
  bytes: (threads) => threads.length * 200,
};

export function threadObjectsUse({ source, snapshot }: Subject, dump: number): StageUse<readonly ThreadObject[]> {
  return use(threadStage, [{ source, snapshot, scope: [] }], dump);
}

/** Four walks over the ranges that have the objects: threads, their holders and names, the characters of these. */
async function readThreads(named: NamedHeap, read: ReadValues): Promise<ThreadObject[]> {
  const { roots } = named.graph;
  const rootOf = new Map<number, number>();
  for (let i = 0; i < roots.length; i++)
    if (roots.kind[i] === THREAD && !rootOf.has(roots.thread[i])) rootOf.set(roots.thread[i], i);
  const rows = [...rootOf.values()].map((i) => roots.row[i]);
  const bytes = await read(new Map(rows.map((row) => [row, WHOLE])));
  const fields = new Map(rows.map((row) => [row, new Fields(named, row, bytes.get(row))]));
  const objectsAt = (name: string): ObjectId[] =>
    [...fields.values()].map((of) => of.object(name)).filter((row) => row !== NO_OBJECT);
  const holders = objectsAt('holder');
  const held = await read(new Map(holders.map((row) => [row, WHOLE])));
  const texts = await readTexts(named, read, objectsAt('name'), MOST_CHARACTERS);
  return [...rootOf].map(([number, i]) => {
    const object = roots.row[i];
    const own = fields.get(object) ?? new Fields(named, object, undefined);
    const holder = own.object('holder');
    // JDK 19 moved these fields from the thread to its holder.
    const later = holder === NO_OBJECT ? own : new Fields(named, holder, held.get(holder));
    const virtual = isVirtual(named, object);
    const daemon = later.number('daemon');
    return {
      object,
      number,
      trace: roots.trace[i],
      name: texts.get(own.object('name'))?.text,
      tid: own.number('tid'),
      daemon: daemon === undefined ? undefined : daemon !== 0,
      virtual,
      state: own.has('carrierThread')
        ? virtualState(named, object, own.number('state'))
        : stateOf(later.number('threadStatus')),
      carrier: texts.get(fields.get(own.object('carrierThread'))?.object('name') ?? NO_OBJECT)?.text,
    };
  });
}

/** Names of objects of threads, where the dump has them: three walks over the ranges that have the objects. */
export async function threadNames(
  namedHeap: NamedHeap,
  read: ReadValues,
  rows: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, string>> {
  const bytes = await read(new Map(rows.map((row) => [row, WHOLE])));
  const nameOf = (row: ObjectId): ObjectId => new Fields(namedHeap, row, bytes.get(row)).object('name');
  const texts = await readTexts(
    namedHeap,
    read,
    rows.map(nameOf).filter((row) => row !== NO_OBJECT),
    MOST_CHARACTERS,
  );
  const names = rows.map((row) => [row, texts.get(nameOf(row))?.text ?? ''] as const);
  return new Map(names.filter(([, name]) => name !== ''));
}

function isVirtual(named: NamedHeap, row: ObjectId): boolean {
  const of = heapClassOf(named, row);
  const id = of < 0 ? -1 : named.heap.classes.class[of];
  return id >= 0 && /^java\.lang\.(?:Virtual|ThreadBuilders\$BoundVirtual)Thread$/.test(className(named.program, id));
}

/** By the bits of JVMTI (`GetThreadState`), which `Thread.threadStatus` has. */
const BITS: readonly (readonly [number, ThreadState])[] = [
  [0x2, 'terminated'],
  [0x400, 'blocked'],
  [0x40, 'sleeping'],
  [0x200, 'parked'],
  [0x10, 'waiting'],
  [0x20, 'timed-waiting'],
  [0x4, 'runnable'],
];

function stateOf(status: number | undefined): ThreadState | undefined {
  if (status === undefined) return undefined;
  return status === 0 ? 'new' : BITS.find(([bit]) => (status & bit) !== 0)?.[1];
}

/** States of `java.lang.VirtualThread` by the names of its constants, as its `threadState` has them. Others are runnable. */
const VIRTUAL_STATES: ReadonlyMap<string, ThreadState> = new Map([
  ['NEW', 'new'],
  ['PARKED', 'parked'],
  ['PINNED', 'parked'],
  ['TIMED_PARKED', 'parked'],
  ['TIMED_PINNED', 'parked'],
  ['BLOCKING', 'blocked'],
  ['BLOCKED', 'blocked'],
  ['WAIT', 'waiting'],
  ['TIMED_WAIT', 'timed-waiting'],
  ['TERMINATED', 'terminated'],
]);
/** Added to a state, not one itself. */
const SUSPENDED = 'SUSPENDED';
const INT = 10;

/** The numbers of the states differ from JDK to JDK: the dump has them as constants of the class. */
function virtualState({ program, heap, graph }: NamedHeap, row: ObjectId, state: number | undefined) {
  const { staticFirst, staticName, staticType, staticLow } = heap.classes;
  if (state === undefined) return undefined;
  const of = graph.class[row];
  const constants = new Map<string, number>();
  for (let i = staticFirst[of]; i < staticFirst[of + 1]; i++)
    if (staticType[i] === INT && staticName[i] >= 0)
      constants.set(stringAt(program.names, staticName[i]), staticLow[i] | 0);
  const plain = state & ~(constants.get(SUSPENDED) ?? 0);
  const name = [...constants].find(([key, value]) => key !== SUSPENDED && value === plain)?.[0];
  return name === undefined ? undefined : (VIRTUAL_STATES.get(name) ?? 'runnable');
}
