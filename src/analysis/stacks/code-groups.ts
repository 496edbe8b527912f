/** The code of stacks in groups other than functions: lines, places (bytecode indexes, addresses) and load objects. One pass over the places. */
import { IntTable } from '../../base/columns/hash.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { functionSignature, loadObjectName, locationName, placeName } from '../../models/program/names.js';
import { bciOf, lineOf, nativePlace } from '../../models/program/places.js';
import { FUNCTION_KINDS, type LocationId, type Program } from '../../models/program/program.js';
import type { CodeGroup } from '../../questions/options/recording.js';
import { scopedUse } from '../scope/scoped.js';

export interface CodeGroups {
  /** By stack: the group of its leaf. */
  readonly of: Int32Array;
  /** By group: its first place. */
  readonly first: Int32Array;
}

const stage: Stage<CodeGroups, CodeGroup> = {
  name: 'lines and places of stacks',
  version: 1,
  key: (by) => by,
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], by, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    const { program } = recording;
    const groups = new IntTable();
    const first: LocationId[] = [];
    const ofPlace = Int32Array.from({ length: program.locations.length }, (_, place) => {
      const id = groups.add(...keyOf(program, place, by));
      if (id === first.length) first.push(place);
      return id;
    });
    const of = profile?.stacks.location.map((place) => ofPlace[place]) ?? [];
    return { of: Int32Array.from(of), first: Int32Array.from(first) };
  },
  bytes: ({ of, first }) => of.byteLength + first.byteLength,
};

/** The lines, places or load objects of the stacks of a subject. */
export function codeGroupsUse(subject: Subject, by: CodeGroup): StageUse<CodeGroups> {
  return use(stage, [subject], by);
}

/** Marks the second number of a key: a bytecode index, or the upper half of an offset, which is smaller. */
const BYTECODE = 1 << 30;

function keyOf(program: Program, place: LocationId, by: CodeGroup): [number, number, number] {
  const of = program.locations.function[place];
  const native = nativePlace(program, place);
  if (by === 'object') return native === undefined ? [-1, program.functions.kind[of], 0] : [native.loadObject, 0, 0];
  if (by === 'line') return [of, Math.max(0, lineOf(program, place)), 0];
  if (native === undefined) return [of, BYTECODE, bciOf(program, place)];
  return [of, Math.floor(native.offset / 2 ** 32), native.offset | 0];
}

/** What code without a load object is, by the kind of its function. */
const WITHOUT_OBJECT: Readonly<Record<(typeof FUNCTION_KINDS)[number], string>> = {
  java: '[Java methods]',
  native: '[native code]',
  pseudo: '[no code]',
  missing: '[unknown]',
  kernel: '[kernel]',
  javascript: '[JavaScript]',
};

/** The name of a group by its first place: `main(shop.c:33)`, with the place `main(shop.c:33) +0x1c`; a load object without folders. */
export function groupName(program: Program, by: CodeGroup, place: LocationId): string {
  const { functions, locations } = program;
  const of = locations.function[place];
  const native = nativePlace(program, place);
  const hasLine = lineOf(program, place) > 0;
  if (by === 'object')
    return native === undefined
      ? WITHOUT_OBJECT[FUNCTION_KINDS[functions.kind[of]] ?? 'missing']
      : loadObjectName(program, native.loadObject);
  if (by === 'line') return hasLine ? locationName(program, place) : `${functionSignature(program, of)}, no line`;
  return hasLine ? `${locationName(program, place)} ${placeName(program, place)}` : locationName(program, place);
}
