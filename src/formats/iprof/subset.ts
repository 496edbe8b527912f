/**
 * A part of an `.iprof` recording, written like the whole: rows stay together with the data kept beside the models
 * (unknown keys, invalid elements). Ids do not change, so references stay valid. Cost: a few passes over the columns;
 * the part is copied once.
 */
import { Int32Builder, OffsetBuilder, type OffsetColumn, offsetAt } from '../../base/columns/columns.js';
import { countMarked, mapped, markedRows, markNumbers, rowsWhere, taken } from '../../base/columns/marks.js';
import { defined } from '../../base/defined.js';
import type { Profile, StackTable } from '../../models/profile/profile.js';
import { usedStacks } from '../../models/profile/used-stacks.js';
import { bciOf } from '../../models/program/places.js';
import type { ClassTable, FunctionTable, Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { type Column, selectRows, type Table } from '../../models/table.js';
import type { PartOfSymbols, RecordingPart, Subset } from '../capabilities/entries.js';
import { entryEvents, entryKindOf } from './entry-events.js';
import { type IprofResidue, iprofResidue, type VerbatimTable } from './residue.js';
import { type EntryKind, VerbatimBuilder } from './rows.js';
import type { ProfileSection } from './vocabulary.js';
import { namedNumbers } from './write/named-numbers.js';

/** The entries of `subset`, and the types and methods that they and unknown parts of the file may refer to. */
export function subsetIprof(recording: Recording, subset: Subset): RecordingPart {
  const { program, profile } = recording;
  const residue = subset.unexplained ? iprofResidue(recording) : withoutUnknown(iprofResidue(recording));
  const kept = (profile?.events ?? []).map((table) => keptRows(table, subset));
  const stacks = stacksOf(profile, kept);
  const own = referred(program, profile, kept, stacks);
  const named = namedNumbers(residue);
  const all = withNumbered(program, own, named);
  const kinds: Record<ProfileSection, Uint8Array> = {
    ...entryMarks(residue, subset),
    types: all.types.subarray(0, residue.types),
    methods: all.methods.subarray(0, residue.methods),
  };
  const maps = { types: markNumbers(all.types), methods: markNumbers(all.methods) };
  const subsetProgram = selectProgram(program, all, maps, stacks.locations);
  const events = kept.map((table) => {
    const { stack, site, type } = entryEvents(table);
    const types = type === undefined ? {} : { type: mapped(type, maps.types) };
    const replaced = { stack: mapped(stack, stacks.rows), site: renumbered(site), ...types };
    return { ...table, columns: { ...table.columns, ...replaced } };
  });
  return {
    recording: {
      ...recording,
      program: subsetProgram,
      ...defined({ profile: profile && profileOf(profile, stacks.table, events) }),
      residue: selectResidue(residue, kinds, subset),
    },
    entries: subset.entries,
    classes: partOf(all.types, own.types, residue.types),
    functions: partOf(all.methods, own.methods, residue.methods),
  };
}

/** `rows` and `own`: rows that stay, and rows that entries name; the first `listed` rows are in the file. */
function partOf(rows: Uint8Array, own: Uint8Array, listed: number): PartOfSymbols {
  return {
    rows,
    before: listed,
    after: countMarked(rows.subarray(0, listed)),
    perhaps: countMarked(rows) - countMarked(own),
  };
}

/** Parts of a file that the format defines. */
function withoutUnknown(residue: IprofResidue): IprofResidue {
  const left = residue.sections.map(({ kind }) => kind !== 'unknown');
  return {
    ...residue,
    sections: residue.sections.filter((_, index) => left[index]),
    verbatim: new VerbatimBuilder().finish(),
  };
}

function profileOf(profile: Profile, stacks: StackTable, events: readonly Table[]): Profile {
  const left = events.filter(({ length }) => length > 0);
  return {
    ...profile,
    stacks,
    events: left,
    metrics: profile.metrics.filter((metric) => left.some(({ kind }) => kind === metric.table)),
  };
}

function keptRows(table: Table, { entries }: Subset): Table {
  const kind = entryKindOf(table.kind);
  const marks = kind && entries.get(kind);
  if (marks === undefined) return table;
  const { site } = entryEvents(table);
  return selectRows(
    table,
    rowsWhere(site.length, (row) => marks[site[row]] === 1),
  );
}

/** Marks of all entries of each kind. */
function entryMarks(residue: IprofResidue, { entries }: Subset): Record<EntryKind, Uint8Array> {
  const of = (kind: EntryKind): Uint8Array =>
    entries.get(kind) ?? new Uint8Array(residue.offsets[kind].low.length).fill(1);
  return {
    call: of('call'),
    branch: of('branch'),
    receiver: of('receiver'),
    instanceof: of('instanceof'),
    monitor: of('monitor'),
    sample: of('sample'),
  };
}

interface SelectedStacks {
  readonly table: StackTable;
  /** Old stack → new one. */
  readonly rows: Int32Array;
  /** 1 for locations of stacks that stay. */
  readonly locations: Uint8Array;
}

const NO_STACKS: StackTable = {
  length: 0,
  parent: new Int32Array(0),
  location: new Int32Array(0),
  ending: new Uint8Array(0),
};

/** The stacks that events have. `location` is that of the whole until `selectProgram` renumbers the locations. */
function stacksOf(profile: Profile | undefined, tables: readonly Table[]): SelectedStacks {
  const stacks = profile?.stacks ?? NO_STACKS;
  const used = usedStacks(stacks, tables);
  const rows = markNumbers(used);
  const order = markedRows(used);
  const location = taken(stacks.location, order);
  let most = -1;
  for (let i = 0; i < location.length; i++) most = Math.max(most, location[i]);
  const locations = new Uint8Array(most + 1);
  for (let i = 0; i < location.length; i++) locations[location[i]] = 1;
  const table: StackTable = {
    length: order.length,
    parent: mapped(taken(stacks.parent, order), rows),
    location: mapped(location, markNumbers(locations)),
    ending: taken(stacks.ending, order),
  };
  return { table, rows, locations };
}

interface Symbols {
  readonly types: Uint8Array;
  readonly methods: Uint8Array;
}

/** The types and methods of the entries that stay. */
function referred(
  program: Program,
  profile: Profile | undefined,
  tables: readonly Table[],
  stacks: SelectedStacks,
): Symbols {
  const types = new Uint8Array(program.classes.length);
  const methods = new Uint8Array(program.functions.length);
  if (profile !== undefined)
    for (let location = 0; location < stacks.locations.length; location++)
      if (stacks.locations[location] === 1) methods[program.locations.function[location]] = 1;
  for (const table of tables) for (const type of entryEvents(table).type ?? []) if (type >= 0) types[type] = 1;
  addSignatures(program, methods, types);
  return { types, methods };
}

function addSignatures({ functions }: Program, methods: Uint8Array, types: Uint8Array): void {
  for (let method = 0; method < methods.length; method++) {
    if (methods[method] === 0) continue;
    if (functions.class[method] >= 0) types[functions.class[method]] = 1;
    for (let i = functions.signatureStart[method]; i < functions.signatureStart[method + 1]; i++)
      types[functions.signature[i]] = 1;
  }
}

/** Adds the symbols with ids that occur as numbers of unknown meaning. */
function withNumbered(program: Program, own: Symbols, numbers: ReadonlySet<number>): Symbols {
  if (numbers.size === 0) return own;
  const types = own.types.map((kept, row) => (kept === 1 || numbers.has(program.classes.fileId[row]) ? 1 : 0));
  const methods = own.methods.map((kept, row) => (kept === 1 || numbers.has(program.functions.fileId[row]) ? 1 : 0));
  addSignatures(program, methods, types);
  return { types, methods };
}

function selectProgram(
  program: Program,
  marks: Symbols,
  maps: Readonly<Record<'types' | 'methods', Int32Array>>,
  places: Uint8Array,
): Program {
  const { functions, locations } = program;
  const rows = markedRows(marks.methods);
  const signatureStart = new Int32Array(rows.length + 1);
  const signature = new Int32Builder();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    for (let at = functions.signatureStart[row]; at < functions.signatureStart[row + 1]; at++)
      signature.push(maps.types[functions.signature[at]]);
    signatureStart[i + 1] = signature.length;
  }
  const kept: FunctionTable = {
    length: rows.length,
    name: taken(functions.name, rows),
    class: mapped(taken(functions.class, rows), maps.types),
    kind: taken(functions.kind, rows),
    fileId: taken(functions.fileId, rows),
    signatureStart,
    signature: signature.finish(),
  };
  const at = markedRows(places);
  return {
    names: program.names,
    classes: selectClasses(program.classes, markedRows(marks.types)),
    functions: kept,
    locations: {
      length: at.length,
      function: mapped(taken(locations.function, at), maps.methods),
      bci: at.map((location) => bciOf(program, location)),
    },
  };
}

function selectClasses(classes: ClassTable, rows: Int32Array): ClassTable {
  return {
    length: rows.length,
    name: taken(classes.name, rows),
    kind: taken(classes.kind, rows),
    fileId: taken(classes.fileId, rows),
  };
}

function selectResidue(residue: IprofResidue, marks: Record<ProfileSection, Uint8Array>, subset: Subset): IprofResidue {
  const { sections, offsets } = residue;
  const elements = selectVerbatim(residue, marks, subset);
  return {
    ...residue,
    sections: sections.map((section, index) =>
      section.kind === 'version' || section.kind === 'unknown'
        ? section
        : { ...section, elements: countMarked(marks[section.kind]) + (elements.rowless[index] ?? 0) },
    ),
    verbatim: elements.table,
    types: countMarked(marks.types),
    methods: countMarked(marks.methods),
    offsets: {
      types: selectOffsets(offsets.types, marks.types),
      methods: selectOffsets(offsets.methods, marks.methods),
      call: selectOffsets(offsets.call, marks.call),
      branch: selectOffsets(offsets.branch, marks.branch),
      receiver: selectOffsets(offsets.receiver, marks.receiver),
      instanceof: selectOffsets(offsets.instanceof, marks.instanceof),
      monitor: selectOffsets(offsets.monitor, marks.monitor),
      sample: selectOffsets(offsets.sample, marks.sample),
    },
  };
}

function selectVerbatim(
  { verbatim, sections }: IprofResidue,
  marks: Record<ProfileSection, Uint8Array>,
  { dropped }: Subset,
): { table: VerbatimTable; rowless: readonly number[] } {
  const builder = new VerbatimBuilder();
  const rowless = sections.map(() => 0);
  const left = new Map<ProfileSection, Int32Array>();
  for (let i = 0; i < verbatim.length; i++) {
    const section = verbatim.section[i];
    const kind = sections[section]?.kind;
    if (kind === undefined || kind === 'version' || kind === 'unknown') continue;
    const of = marks[kind];
    const replaces = verbatim.replaces[i] === 1;
    const before = verbatim.before[i];
    if (replaces ? of[before] !== 1 : kind !== 'types' && kind !== 'methods' && dropped.has(kind)) continue;
    if (!replaces) rowless[section] = (rowless[section] ?? 0) + 1;
    const bytes = verbatim.bytes.subarray(verbatim.start[i], verbatim.start[i + 1]);
    const counts = left.get(kind) ?? countsBefore(of);
    left.set(kind, counts);
    builder.add(section, counts[before], replaces, bytes);
  }
  return { table: builder.finish(), rowless };
}

function selectOffsets(offsets: OffsetColumn, marks: Uint8Array): OffsetColumn {
  const builder = new OffsetBuilder();
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) builder.push(offsetAt(offsets, row));
  return builder.finish();
}

/** For each row, and the one after the last, the number of marked rows before it. */
function countsBefore(marks: Uint8Array): Int32Array {
  const counts = new Int32Array(marks.length + 1);
  for (let row = 0; row < marks.length; row++) counts[row + 1] = counts[row] + marks[row];
  return counts;
}

/** Numbers without gaps; equal neighbours stay equal. */
function renumbered(site: Column): Int32Array {
  const numbers = new Int32Array(site.length);
  for (let row = 1; row < site.length; row++) numbers[row] = numbers[row - 1] + (site[row - 1] === site[row] ? 0 : 1);
  return numbers;
}
