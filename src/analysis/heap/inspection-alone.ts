/**
 * One object without the graph of its dump, for dumps whose graph does not fit into memory: its values, and the classes and
 * texts of what it refers to. Up to three passes over the source, in memory for these objects only.
 */
import type { Work } from '../../base/progress.js';
import type { ObjectId } from '../../models/heap/object-ids.js';
import { graphOfRecorded } from '../../models/heap/recorded-heap.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import {
  type InspectChoice,
  type Inspection,
  inspectionBytes,
  MOST_CHARACTERS,
  requireObject,
  targetsOf,
  valuesOf,
} from './inspection.js';
import { type MemberRange, membersOf, spanOfMembers } from './members.js';
import { indexIn } from './object-sizes.js';
import { Fields, heapClassOf, isString, type NamedHeap, readTexts, WHOLE } from './object-values.js';
import { heapOf } from './stages.js';

const aloneStage: Stage<Inspection, Pick<InspectChoice, 'dump' | 'id' | 'members'>> = {
  name: 'heap object alone',
  version: 1,
  key: ({ dump, id, members }) => JSON.stringify([dump, id, members.from, members.to]),
  run: ([subject], { dump, id, members }, _get, work) => inspectAlone(subject, dump, id, members, work),
  bytes: inspectionBytes,
};

/** The object with an id, without anything that needs the graph. Up to three passes over the source. */
export function aloneUse(
  { source, snapshot }: Subject,
  choice: Pick<InspectChoice, 'dump' | 'id' | 'members'>,
): StageUse<Inspection> {
  return use(aloneStage, [{ source, snapshot, scope: [] }], choice);
}

/** Finds the object, then those it refers to, then the characters of strings among them. */
async function inspectAlone(
  subject: Subject,
  dump: number,
  id: number,
  part: MemberRange,
  work: Work,
): Promise<Inspection> {
  const heap = heapOf(subject, dump);
  const { heaps } = subject.source;
  const { program } = subject.snapshot.recording;
  const wanted = new Set([id]);
  const find = async (ids: Iterable<number>): Promise<NamedHeap> => {
    for (const one of ids) if (one > 0) wanted.add(one);
    const graph = heaps === undefined ? graphOfRecorded(heap) : await heaps.part(dump, wanted, work);
    return { program, heap, graph };
  };
  const bytesOf = (named: NamedHeap) => valuesOf(subject, named, work);
  const alone = await find([]);
  const only = requireObject(alone.graph, id);
  const own = (await bytesOf(alone)(new Map([[only, spanOfMembers(alone, only, part)]]))).get(only);
  const { shown } = membersOf(alone, only, own, part);
  const beside = await find([...shown.map((member) => member.id ?? 0), ...loadersOf(alone, only)]);
  const row = requireObject(beside.graph, id);
  const strings = [row, ...targetsOf(membersOf(beside, row, own, part))].filter((one) => isString(beside, one));
  const values = await bytesOf(beside)(new Map(strings.map((one) => [one, WHOLE])));
  const arrays = strings.map((one) => new Fields(beside, one, values.get(one)).id('value'));
  const named = strings.length === 0 || heaps === undefined ? beside : await find(arrays);
  const found = requireObject(named.graph, id);
  const members = membersOf(named, found, own, part);
  const texts = await readTexts(named, bytesOf(named), [found, ...targetsOf(members)], MOST_CHARACTERS, found);
  const unknown = { referrers: undefined, referrersTotal: 0, path: undefined, pathLength: 0 };
  return { objects: named.graph, row: found, members, texts, ...unknown };
}

/** Ids of the loaders of an object's class, and of the class that it represents. */
function loadersOf(named: NamedHeap, row: ObjectId): number[] {
  const { classes } = named.heap;
  const of = heapClassOf(named, row);
  const mirror = indexIn(named.graph.mirrorRow, row);
  return [of, mirror < 0 ? -1 : named.graph.mirrorClass[mirror]]
    .filter((one) => one >= 0)
    .map((one) => classes.loader[one]);
}
