/** What a recording of an `.iprof` file holds, spelled so that it can be compared with a reading of the text. */
import { decodeUtf8, type StringId } from '../../../base/text.js';
import { bciOf } from '../../../models/program/places.js';
import { CLASS_KINDS, FUNCTION_KINDS, type Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column, hasField } from '../../../models/table.js';
import { entryKindOf } from '../entry-events.js';

export interface Seen {
  /** Elements of each section, those that are against the rules included. */
  sections: Record<string, number>;
  /** `id name` of each type, `id name declaring return parameter …` of each method, in the file's order. */
  types: string[];
  methods: string[];
  /** Ids that are used and not explained. */
  missingTypes: number;
  missingMethods: number;
  /** Of each kind the rows: the context, leaf first, and the numbers; a type stands as its id. */
  entries: Record<string, (string | number)[][]>;
}

/** `known`: the sections whose elements the format explains. */
export function seenByReader(recording: Recording, known: ReadonlySet<string>): Seen {
  const { program, profile } = recording;
  const seen: Seen = {
    sections: {},
    types: [],
    methods: [],
    missingTypes: 0,
    missingMethods: 0,
    entries: {},
  };
  for (const { name, entries } of recording.sections) if (known.has(name)) seen.sections[name] = entries;
  const { classes, functions } = program;
  for (let id = 0; id < classes.length; id++) {
    if (CLASS_KINDS[classes.kind[id]] === 'missing') seen.missingTypes++;
    else seen.types.push(`${classes.fileId[id]} ${nameAt(program, classes.name[id])}`);
  }
  for (let id = 0; id < functions.length; id++) {
    if (FUNCTION_KINDS[functions.kind[id]] === 'missing') seen.missingMethods++;
    else seen.methods.push(methodText(program, id));
  }
  for (const table of profile?.events ?? []) {
    const names = ['type', 'target', 'index', 'count'].filter((name) => hasField(table, name));
    const stack = column(table, 'stack');
    seen.entries[entryKindOf(table.kind) ?? table.kind] = Array.from({ length: table.length }, (_, row) => [
      contextText(recording, stack[row]),
      ...names.map((name) => numberAt(program, name, column(table, name)[row])),
    ]);
  }
  return seen;
}

function nameAt(program: Program, id: StringId): string {
  const { bytes, offsets } = program.names;
  return decodeUtf8(bytes, offsets[id], offsets[id + 1]);
}

function methodText(program: Program, id: number): string {
  const { fileId, name, signature, signatureStart, class: declaring } = program.functions;
  const types = declaring[id] < 0 ? [] : [declaring[id]];
  for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++) types.push(signature[i]);
  return `${fileId[id]} ${nameAt(program, name[id])} ${types.map((type) => program.classes.fileId[type]).join(' ')}`;
}

function numberAt(program: Program, name: string, value: number): number {
  return (name === 'type' ? program.classes.fileId[value] : value) + 0;
}

function contextText(recording: Recording, stack: number): string {
  const stacks = recording.profile?.stacks;
  const { locations, functions } = recording.program;
  const frames: string[] = [];
  for (let id = stack; id >= 0 && stacks !== undefined; id = stacks.parent[id]) {
    const location = stacks.location[id];
    frames.push(`${functions.fileId[locations.function[location]]}:${bciOf(recording.program, location)}`);
  }
  return frames.join('<');
}
