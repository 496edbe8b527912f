/** The data of an HPROF file beyond the models, for writing it as text. Plain data. */
import type { TextSection, TextSectionKind } from './sections.js';
import type { TableColumns, TableKind } from './tables.js';

/** Kinds of items of the file, kept in its order for writing it as text. */
export const ITEM_KINDS = ['thread-start', 'thread-end', 'wait', 'trace', 'section'] as const;

/** The columns of a table that are not in the events, for the rows of the file (without the rows made for the cutoff). */
export interface TableResidue {
  readonly rank: Float64Array;
  readonly share: Int32Array;
  readonly accumulated: Int32Array;
  /** The count as printed; for sites the live bytes. */
  readonly count: Float64Array;
  readonly liveObjects: Float64Array;
  readonly allocatedBytes: Float64Array;
  readonly allocatedObjects: Float64Array;
  /** Row of the traces. */
  readonly trace: Int32Array;
  /** StringId of the name after the trace. */
  readonly name: Int32Array;
}

/** `Heap`: what the text format keeps of each heap dump. */
export interface HprofResidue<Heap = unknown> {
  /** The unchanged heading with its last line; empty if there is none. */
  readonly prelude: Uint8Array;
  readonly sections: readonly TextSection[];
  /** Index into `ITEM_KINDS` and row, in the order of the file. */
  readonly itemKind: Uint8Array;
  readonly itemRow: Int32Array;
  /** Phase of each trace: index into `PHASES`. */
  readonly phase: Int32Array;
  /** Number of traces that the file has. */
  readonly traces: number;
  /** StringId of each monitor as the file spells it. */
  readonly monitorSpelling: Int32Array;
  /** Whether monitors have lines of waiting threads where none waits; undefined where the file has no monitors. */
  readonly emptyWaits?: boolean | undefined;
  readonly heaps: readonly Heap[];
  /** Whether the JVMTI agent wrote the file, else that of JVMPI. */
  readonly jvmti: boolean;
  readonly rows: Readonly<Record<TableKind, TableResidue>>;
}

/** `traceRows`: references of traces → rows. */
export function rowsOf(tables: Readonly<Record<TableKind, TableColumns>>, traceRows: Int32Array): HprofResidue['rows'] {
  const of = (kind: TableKind): TableResidue => {
    const table = tables[kind];
    return {
      rank: table.rank.finish(),
      share: table.share.finish(),
      accumulated: table.accumulated.finish(),
      count: table.count.finish(),
      liveObjects: table.liveObjects.finish(),
      allocatedBytes: table.allocatedBytes.finish(),
      allocatedObjects: table.allocatedObjects.finish(),
      trace: table.trace.finish().map((reference) => traceRows[reference]),
      name: table.name.finish(),
    };
  };
  return {
    sites: of('sites'),
    'cpu-samples': of('cpu-samples'),
    'cpu-time': of('cpu-time'),
    'call-counts': of('call-counts'),
    'monitor-time': of('monitor-time'),
  };
}

/** The kind of table with a section's rows. */
export function tableOf(section: TextSection): TableKind | undefined {
  const kind: TextSectionKind = section.named;
  return kind === 'monitor-dump' || kind === 'heap-dump' ? undefined : kind;
}
