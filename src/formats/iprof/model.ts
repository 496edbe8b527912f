/** Converts read data to the models: ids become rows, entries become event tables. */
import { type ByteInterner, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ProblemLog } from '../../base/problems.js';
import type { StringTable } from '../../base/text.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import type { Metric, Profile, StackTable } from '../../models/profile/profile.js';
import { CLASS_KINDS, FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { DocumentReader } from './document.js';
import type { ElementReader } from './elements.js';
import { NO_TYPE } from './fields.js';
import type { IprofResidue } from './residue.js';
import type { EntryColumns } from './rows.js';

export function toRecording(name: string, document: DocumentReader, problems: ProblemLog, whole: boolean): Recording {
  const elements = document.elements;
  const types = new IdIndex(elements.types.id.finish());
  const methods = new IdIndex(elements.methods.id.finish());
  const locations = new IntTable(elements.stacks.length / 2);
  const stacks = elements.stacks.finish((method, bci) => locations.add(methods.rowOf(method), bci));
  const program = buildProgram(elements, types, methods, locations);
  const profile = buildProfile(elements, stacks);
  const residue: IprofResidue = {
    bytes: document.base + document.position,
    version: document.version,
    damaged: !document.complete || !whole,
    sections: document.sections,
    verbatim: elements.verbatim.finish(),
    types: elements.types.id.length,
    methods: elements.methods.id.length,
    offsets: {
      types: elements.types.offsets.finish(),
      methods: elements.methods.offsets.finish(),
      call: elements.entries.call.offsets.finish(),
      branch: elements.entries.branch.offsets.finish(),
      receiver: elements.entries.receiver.offsets.finish(),
      instanceof: elements.entries.instanceof.offsets.finish(),
      monitor: elements.entries.monitor.offsets.finish(),
      sample: elements.entries.sample.offsets.finish(),
    },
  };
  return {
    name,
    format: 'iprof',
    metadata: [{ key: 'version', value: document.version ?? 'not stated' }],
    sections: document.sections
      .filter((section) => section.kind !== 'version')
      .map((section) => ({ name: section.key, entries: section.elements })),
    program,
    profile,
    problems: problems.finish(),
    complete: document.complete && whole && !document.refused && elements.refused === 0,
    residue,
  };
}

/**
 * The file's ids → rows. An id that the file uses but does not define gets a row after those of the file, so that
 * references to it are kept.
 */
class IdIndex {
  readonly ids: Int32Array;
  readonly #rows: Int32Array | undefined;
  readonly #lowest: number;
  readonly #sparse: IntTable | undefined;
  readonly #missing = new IntTable(16);

  constructor(ids: Int32Array) {
    this.ids = ids;
    const { lowest, highest } = rangeOf(ids);
    this.#lowest = lowest;
    if (highest - lowest <= ids.length * 8 + 65536) this.#rows = firstRows(ids, lowest, highest);
    else {
      this.#sparse = new IntTable(ids.length);
      for (let row = 0; row < ids.length; row++) this.#sparse.add(ids[row]);
      this.#rows = undefined;
    }
  }

  rowOf(id: number): number {
    const rows = this.#rows;
    const row = rows === undefined ? this.#sparseRow(id) : (rows[id - this.#lowest] ?? NONE);
    return row >= 0 ? row : this.ids.length + this.#missing.add(id);
  }

  /** Replaces ids by their rows; if `absent` is an id, it is replaced by `NONE`. */
  resolve(column: Int32Array, absent?: number): void {
    for (let i = 0; i < column.length; i++) column[i] = column[i] === absent ? NONE : this.rowOf(column[i]);
  }

  /** Ids of all rows, undefined ones after the others. */
  allIds(): Int32Array {
    const all = new Int32Array(this.ids.length + this.#missing.length);
    all.set(this.ids);
    all.set(this.#missing.column(0), this.ids.length);
    return all;
  }

  #firstRows: Int32Array | undefined;

  #sparseRow(id: number): number {
    const dense = this.#sparse?.find(id) ?? NONE;
    if (dense < 0) return NONE;
    if (this.#firstRows === undefined) {
      this.#firstRows = new Int32Array(this.ids.length);
      for (let row = this.ids.length - 1; row >= 0; row--)
        this.#firstRows[this.#sparse?.find(this.ids[row]) ?? 0] = row;
    }
    return this.#firstRows[dense];
  }
}

/** At least 0 to -1. */
function rangeOf(ids: Int32Array): { readonly lowest: number; readonly highest: number } {
  let lowest = 0;
  let highest = -1;
  for (let row = 0; row < ids.length; row++) {
    lowest = Math.min(lowest, ids[row]);
    highest = Math.max(highest, ids[row]);
  }
  return { lowest, highest };
}

/** The first row with each id from `lowest` to `highest`. */
function firstRows(ids: Int32Array, lowest: number, highest: number): Int32Array {
  const rows = new Int32Array(highest - lowest + 1).fill(NONE);
  for (let row = ids.length - 1; row >= 0; row--) rows[ids[row] - lowest] = row;
  return rows;
}

function buildProgram(elements: ElementReader, types: IdIndex, methods: IdIndex, locations: IntTable): Program {
  const signature = elements.methods.signature.finish();
  types.resolve(signature);
  const methodIds = methods.allIds();
  const declaring = new Int32Array(methodIds.length).fill(NONE);
  declaring.set(elements.methods.type.finish());
  types.resolve(declaring.subarray(0, elements.methods.type.length), NO_TYPE);
  // Receivers and monitors refer to types too, which need rows before the table of types is closed.
  for (const kind of ['receiver', 'instanceof', 'monitor'] as const)
    types.resolve(elements.entries[kind].first.finish());
  const typeIds = types.allIds();
  const signatureStart = new Int32Array(methodIds.length + 1).fill(signature.length);
  signatureStart.set(elements.methods.signatureStart.finish());
  return {
    names: stringTable(elements.names),
    classes: {
      length: typeIds.length,
      name: padded(elements.types.name.finish(), typeIds.length),
      kind: kinds(typeIds.length, types.ids.length, CLASS_KINDS.indexOf('class'), CLASS_KINDS.indexOf('missing')),
      fileId: typeIds,
    },
    functions: {
      length: methodIds.length,
      name: padded(elements.methods.name.finish(), methodIds.length),
      class: declaring,
      kind: kinds(
        methodIds.length,
        methods.ids.length,
        FUNCTION_KINDS.indexOf('java'),
        FUNCTION_KINDS.indexOf('missing'),
      ),
      fileId: methodIds,
      signatureStart,
      signature,
    },
    locations: { length: locations.length, function: locations.column(0), bci: locations.column(1) },
  };
}

function padded(values: Int32Array, length: number): Int32Array {
  const all = new Int32Array(length).fill(NONE);
  all.set(values);
  return all;
}

function kinds(length: number, known: number, kind: number, missing: number): Uint8Array {
  return new Uint8Array(length).fill(kind, 0, known).fill(missing, known);
}

function stringTable(names: ByteInterner): StringTable {
  return { bytes: names.bytes.finish(), offsets: names.offsets.finish() };
}

function buildProfile({ entries }: ElementReader, stacks: StackTable): Profile {
  const { sample, call, branch, receiver, instanceof: checks, monitor } = entries;
  const events = [
    SAMPLE_EVENTS.table(counts(sample)),
    CALL_EVENTS.table(counts(call)),
    BRANCH_EVENTS.table({ ...counts(branch), target: branch.first.finish(), index: branch.second.finish() }),
    RECEIVER_EVENTS.table({ ...counts(receiver), type: receiver.first.finish() }),
    INSTANCEOF_EVENTS.table({ ...counts(checks), type: checks.first.finish() }),
    SYNCHRONISATION_EVENTS.table({ ...counts(monitor), type: monitor.first.finish() }),
  ].filter(({ length }) => length > 0);
  return { stacks, events, metrics: METRICS.filter((metric) => events.some(({ kind }) => kind === metric.table)) };
}

function counts(entries: EntryColumns) {
  return { stack: entries.stack.finish(), site: entries.site.finish(), count: entries.count.finish() };
}

const METRICS: readonly Metric[] = [
  SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' }),
  CALL_EVENTS.metric('count', { id: 'calls', title: 'Calls' }),
  BRANCH_EVENTS.metric('count', { id: 'branches', title: 'Branches taken' }),
  RECEIVER_EVENTS.metric('count', { id: 'receivers', title: 'Virtual calls' }),
  INSTANCEOF_EVENTS.metric('count', { id: 'instanceofs', title: 'Type checks' }),
];
