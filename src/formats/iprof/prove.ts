/**
 * Verifies a written `.iprof` file: it is read again and compared, entry by entry, with the recording it was made from.
 * Cost: reading the file, and one pass over both.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { placeOf } from '../../base/columns/search.js';
import { NONE } from '../../base/flavor.js';
import type { Work } from '../../base/progress.js';
import type { StringTable } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { bciOf } from '../../models/program/places.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { Column } from '../../models/table.js';
import type { Expected, RecordingPart } from '../capabilities/entries.js';
import { ENTRY_KINDS, type EntryEvents, entriesOf } from './entry-events.js';
import { readIprof } from './read.js';
import { type IprofResidue, iprofResidue } from './residue.js';
import type { EntryKind } from './rows.js';
import { layoutOf } from './write/write-layout.js';

/**
 * Reads the written file and compares; throws an `Error` that names the first difference. For a part, symbols and
 * unknown sections are compared with the whole, too.
 */
export async function proveIprof(written: ByteSource, { whole, part }: Expected, work: Work = {}): Promise<Recording> {
  const again = await readIprof(written, work);
  const kinds = kindsOf(iprofResidue(again), part && iprofResidue(part.recording));
  if (part !== undefined) {
    sameSymbols(again, whole, part);
    sameRest(again, part.recording);
  }
  const stacks = new SameStacks(whole, again);
  for (const kind of ENTRY_KINDS) {
    const entries = entriesOf(whole.profile, kind);
    const rows = kinds.has(kind) ? rowsThatStay(entries, part?.entries.get(kind)) : new Int32Array();
    sameEntries(entries, rows, again, kind, stacks, whole);
  }
  return again;
}

/**
 * Kinds of sections that a file may have: those of its version, and further ones that a file of the same version had.
 */
function kindsOf(written: IprofResidue, before: IprofResidue | undefined): ReadonlySet<string> {
  const kinds = layoutOf(written.version ?? '').map(([kind]) => kind);
  const kept = before?.version === written.version ? before?.sections.map(({ kind }) => kind) : [];
  return new Set<string>([...kinds, ...(kept ?? [])]);
}

function fault(what: string): Error {
  return new Error(`verification failed: ${what} differs from the expected value; nothing was written`);
}

function rowsThatStay(entries: EntryEvents | undefined, marks: Uint8Array | undefined): Int32Array {
  if (entries === undefined) return new Int32Array();
  const { site } = entries;
  return rowsWhere(site.length, (row) => marks === undefined || marks[site[row]] === 1);
}

/** The names and types of all symbols that stay, by their ids. */
function sameSymbols(again: Recording, { program: of }: Recording, part: RecordingPart): void {
  const { classes, functions, names } = again.program;
  // Of two symbols with one id the first is used, and only that must exist.
  const [types, ownTypes] = [new FirstRows(classes.fileId), new FirstRows(of.classes.fileId)];
  for (let id = 0; id < part.classes.rows.length; id++) {
    const fileId = of.classes.fileId[id];
    if (part.classes.rows[id] === 0 || of.classes.name[id] < 0 || !ownTypes.isFirst(id)) continue;
    const row = types.of(fileId);
    if (row < 0 || !sameText(names, classes.name[row], of.names, of.classes.name[id])) throw fault(`type ${fileId}`);
  }
  const [methods, ownMethods] = [new FirstRows(functions.fileId), new FirstRows(of.functions.fileId)];
  for (let id = 0; id < part.functions.rows.length; id++) {
    const fileId = of.functions.fileId[id];
    if (part.functions.rows[id] === 0 || of.functions.name[id] < 0 || !ownMethods.isFirst(id)) continue;
    const row = methods.of(fileId);
    if (
      row < 0 ||
      !sameText(names, functions.name[row], of.names, of.functions.name[id]) ||
      !sameTypes(again.program, row, of, id)
    )
      throw fault(`method ${fileId}`);
  }
}

/** The first row of each id of a file. Most files list their symbols by rising ids, and need no table. */
class FirstRows {
  readonly #fileIds: Int32Array;
  readonly #ids: IntTable | undefined;
  readonly #rows: Int32Builder = new Int32Builder();

  constructor(fileIds: Int32Array) {
    this.#fileIds = fileIds;
    if (isRising(fileIds)) return;
    this.#ids = new IntTable(fileIds.length);
    for (let row = 0; row < fileIds.length; row++)
      if (this.#ids.add(fileIds[row]) === this.#rows.length) this.#rows.push(row);
  }

  /** -1 if there is none. */
  of(fileId: number): number {
    if (this.#ids === undefined) return placeOf(this.#fileIds, fileId);
    const id = this.#ids.find(fileId);
    return id < 0 ? NONE : this.#rows.values[id];
  }

  /** Whether a row is the first of its id. */
  isFirst(row: number): boolean {
    return this.#ids === undefined || this.of(this.#fileIds[row]) === row;
  }
}

function isRising(ids: Int32Array): boolean {
  for (let row = 1; row < ids.length; row++) if (ids[row] <= ids[row - 1]) return false;
  return true;
}

/** Whether two names are equal to the byte; a missing name equals nothing. */
function sameText(names: StringTable, id: number, others: StringTable, other: number): boolean {
  if (id < 0 || other < 0) return false;
  const [from, start] = [names.offsets[id], others.offsets[other]];
  const length = names.offsets[id + 1] - from;
  if (others.offsets[other + 1] - start !== length) return false;
  for (let i = 0; i < length; i++) if (names.bytes[from + i] !== others.bytes[start + i]) return false;
  return true;
}

/** Whether two methods have the same class and the same types, by their ids in the file. */
function sameTypes(program: Program, id: number, of: Program, other: number): boolean {
  const same = (type: number, wanted: number): boolean =>
    (type < 0 ? type : program.classes.fileId[type]) === (wanted < 0 ? wanted : of.classes.fileId[wanted]);
  if (!same(program.functions.class[id], of.functions.class[other])) return false;
  const [from, start] = [program.functions.signatureStart[id], of.functions.signatureStart[other]];
  const length = program.functions.signatureStart[id + 1] - from;
  if (of.functions.signatureStart[other + 1] - start !== length) return false;
  for (let i = 0; i < length; i++)
    if (!same(program.functions.signature[from + i], of.functions.signature[start + i])) return false;
  return true;
}

/** Checks that there are no additional symbols, and that unknown sections are unchanged. */
function sameRest(again: Recording, written: Recording): void {
  const [mine, theirs] = [iprofResidue(written), iprofResidue(again)];
  if (mine.types !== theirs.types) throw fault('the number of types');
  if (mine.methods !== theirs.methods) throw fault('the number of methods');
  const unknown = ({ sections }: IprofResidue) =>
    sections.flatMap(({ kind, key, raw }) => (kind === 'unknown' ? [`${key}:${new TextDecoder().decode(raw)}`] : []));
  const found = unknown(theirs);
  unknown(mine).forEach((section, i) => {
    if (section !== found[i]) throw fault(`section ${section.slice(0, section.indexOf(':'))}`);
  });
  if (found.length !== unknown(mine).length) throw fault('the number of unknown sections');
}

/** Whether stacks of two recordings with the same ids are the same; each pair is compared once. */
class SameStacks {
  readonly #whole: Recording;
  readonly #again: Recording;
  readonly #same: Int32Array;

  constructor(whole: Recording, again: Recording) {
    this.#whole = whole;
    this.#again = again;
    this.#same = new Int32Array(whole.profile?.stacks.length ?? 0).fill(-1);
  }

  are(stack: number, other: number): boolean {
    const [mine, theirs] = [this.#whole.profile?.stacks, this.#again.profile?.stacks];
    if (mine === undefined || theirs === undefined) return stack < 0 && other < 0;
    let [a, b] = [stack, other];
    while (a >= 0 && b >= 0 && this.#same[a] !== b) {
      if (!this.#sameFrame(mine.location[a], theirs.location[b])) return false;
      this.#same[a] = b;
      [a, b] = [mine.parent[a], theirs.parent[b]];
    }
    return a < 0 === b < 0;
  }

  #sameFrame(a: number, b: number): boolean {
    const [mine, theirs] = [this.#whole.program, this.#again.program];
    return (
      bciOf(mine, a) === bciOf(theirs, b) &&
      mine.functions.fileId[mine.locations.function[a]] === theirs.functions.fileId[theirs.locations.function[b]]
    );
  }
}

function sameEntries(
  entries: EntryEvents | undefined,
  rows: Int32Array,
  again: Recording,
  kind: EntryKind,
  stacks: SameStacks,
  whole: Recording,
): void {
  const other = entriesOf(again.profile, kind);
  if (rows.length !== (other?.length ?? 0)) throw fault(`the number of ${kind} records`);
  if (entries === undefined || other === undefined) return;
  rows.forEach((row, at) => {
    const before = rows[at - 1];
    // Version 0.2.0 has the monitors in one entry.
    const begins = kind !== 'monitor' && at > 0 && before !== undefined;
    const { type, site } = entries;
    const same =
      stacks.are(entries.stack[row], other.stack[at]) &&
      (!begins || (site[row] === site[before]) === (other.site[at] === other.site[at - 1])) &&
      (['target', 'index', 'count'] as const).every((key) => sameNumber(entries[key], row, other[key], at)) &&
      (type === undefined ||
        whole.program.classes.fileId[type[row]] === again.program.classes.fileId[other.type?.[at] ?? NONE]);
    if (!same) throw fault(`${kind} record ${at}`);
  });
}

function sameNumber(mine: Column | undefined, row: number, theirs: Column | undefined, at: number): boolean {
  if (mine === undefined || theirs === undefined) return mine === theirs;
  // A value that violates the format is rounded if it cannot be kept unchanged.
  return Object.is(mine[row] + 0, theirs[at] + 0) || Math.round(mine[row]) === theirs[at];
}
