/** The content of a recording of an HPROF text, in the form of the second reading. */
import { THREAD_STATES } from '../../../models/events/state.js';
import { WAIT_REASONS } from '../../../models/events/wait.js';
import { OBJECT_KINDS } from '../../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS } from '../../../models/heap/heap-graph.js';
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';
import { MONITOR_KINDS, WAIT_KINDS } from '../../../models/locks/locks.js';
import { eventTable } from '../../../models/profile/profile.js';
import { COMPILED_METHOD, NO_LINE, UNKNOWN_LINE } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column, type Table } from '../../../models/table.js';
import { ITEM_KINDS, type TableResidue, tableOf } from '../../shared/hprof/residue.js';
import { SECTION_NAMES, type TextSection } from '../../shared/hprof/sections.js';
import { TRUNCATED } from '../../shared/hprof/traces.js';
import { hprofResidue } from '../residue.js';
import { PHASES } from '../sections/traces.js';
import {
  type ContentRow,
  type ContentSection,
  type ContentTrace,
  frameText,
  type HprofContent,
} from './hprof-content.js';

const EVENTS = {
  'CPU SAMPLES': 'sample',
  'CPU TIME (ms)': 'time',
  SITES: 'site',
  'MONITOR TIME': 'contention',
} as const;
const SITE_NUMBERS = ['live_bytes', 'live_objects', 'allocated_bytes', 'allocated_objects'];
const COUNTS: Readonly<Record<string, string>> = {
  sample: 'count',
  time: 'calls',
  site: 'live_bytes',
  contention: 'count',
};
/** The values that order the rows of a section. */
const VALUES: Readonly<Record<string, string>> = {
  sample: 'count',
  time: 'spent',
  site: 'live_bytes',
  contention: 'waited',
};
const NS_PER_MS = 1e6;

/** The data of events beyond the rows of the file. */
export interface SeenEvents {
  /** By section: the values of its rows, in ns for times, else counts. */
  readonly values: number[][];
  /** By section: the value of the rows below the cutoff; 0 if there are none. */
  readonly remainders: number[];
}

export function seenByReader(recording: Recording): HprofContent & SeenEvents {
  return new Seen(recording).content();
}

class Seen {
  readonly #recording: Recording;
  readonly #pointers: Record<string, number> = {};
  readonly #values: number[][] = [];
  readonly #remainders: number[] = [];
  #heaps = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  #text(id: number): string {
    const { bytes, offsets } = this.#recording.program.names;
    return Buffer.from(bytes.subarray(offsets[id], offsets[id + 1])).toString('latin1');
  }

  #className(id: number): string {
    return id < 0 ? '' : this.#text(this.#recording.program.classes.name[id]);
  }

  #number(thread: number): number {
    const { threads } = this.#recording.profile ?? {};
    return thread < 0 || threads === undefined ? -1 : column(threads, 'number')[thread];
  }

  #functionName(of: number): string {
    const { functions } = this.#recording.program;
    const declaring = this.#className(functions.class[of]);
    return declaring === '' ? this.#text(functions.name[of]) : `${declaring}.${this.#text(functions.name[of])}`;
  }

  /** Frames innermost first, without the pseudo frame of cut traces. */
  #frames(stack: number): { frames: string[]; cut: boolean } {
    const { program, profile } = this.#recording;
    const frames: string[] = [];
    const { stacks } = profile ?? {};
    if (stacks === undefined) return { frames, cut: false };
    for (let at = stack; at >= 0; at = stacks.parent[at]) {
      const location = stacks.location[at];
      const of = program.locations.function[location];
      const declaring = this.#className(program.functions.class[of]);
      const line = program.locations.line?.[location] ?? NO_LINE;
      const file = program.functions.file?.[of] ?? -1;
      frames.push(
        frameText(declaring, this.#text(program.functions.name[of]), file < 0 ? '' : this.#text(file), lineText(line)),
      );
    }
    const cut = frames.at(-1)?.startsWith(`.${TRUNCATED}(`) === true;
    return { frames: cut ? frames.slice(0, -1) : frames, cut };
  }

  #leaf(stack: number): string {
    const { program, profile } = this.#recording;
    const location = profile?.stacks.location[stack] ?? -1;
    const name = this.#functionName(program.locations.function[location]);
    return name === '<no Java callstack recorded>' ? '' : name;
  }

  content(): HprofContent & SeenEvents {
    const residue = hprofResidue(this.#recording);
    const traces = this.#traces(residue.traces, residue.phase);
    const serial = this.#recording.profile?.traces?.columns.serial;
    return {
      prelude: Buffer.from(residue.prelude).toString('latin1'),
      items: Array.from(residue.itemKind, (kind) => ITEM_KINDS[kind] ?? ''),
      threads: this.#threads(),
      waits: this.#waits(),
      traces,
      sections: residue.sections.map((section) => this.#section(section)),
      old: this.#old(),
      dangling: serial === undefined ? [] : Array.from(serial.subarray(residue.traces)),
      values: this.#values,
      remainders: this.#remainders,
    };
  }

  #threads(): string[] {
    const { threads } = this.#recording.profile ?? {};
    const { number, name, group, object, started, ended } = threads?.columns ?? {};
    const told: string[] = [];
    for (let row = 0; row < (threads?.length ?? 0); row++) {
      if (started[row] < 0 && ended[row] < 0) continue;
      const words = started[row] < 0 ? '' : `${this.#text(name[row])}|${this.#text(group[row])}|${object[row]}`;
      told.push(`${number[row]} ${words} ${started[row]} ${ended[row]}`);
    }
    return told.sort();
  }

  #waits(): string[] {
    const table = this.#table('wait');
    if (table === undefined) return [];
    const { thread, reason, monitor, timeout, waited, offset } = table.columns;
    return Array.from({ length: table.length }, (_, row) => {
      const sleeps = WAIT_REASONS[reason[row]] === 'sleep';
      const kind = sleeps ? 'sleep' : waited[row] === -1 ? 'wait' : 'waited';
      const time = (kind === 'waited' ? waited[row] : timeout[row]) / NS_PER_MS;
      return `${kind} ${monitor[row] < 0 ? '' : this.#text(monitor[row])} ${time} ${this.#number(thread[row])} ${offset[row]}`;
    });
  }

  #table(kind: string): Table | undefined {
    const { profile } = this.#recording;
    return profile === undefined ? undefined : eventTable(profile, kind);
  }

  #traces(known: number, phase: Int32Array): ContentTrace[] {
    const { traces } = this.#recording.profile ?? {};
    if (traces === undefined) return [];
    const { serial, stack, thread } = traces.columns;
    return Array.from({ length: known }, (_, row) => {
      const { frames, cut } = this.#frames(stack[row]);
      const isEmpty = frames.length === 1 && frames[0]?.startsWith('.<no Java callstack recorded>(') === true;
      return {
        serial: serial[row],
        thread: this.#number(thread[row]),
        phase: PHASES[phase[row]] ?? '',
        cut,
        frames: isEmpty ? [] : frames,
      };
    });
  }

  #section(section: TextSection): ContentSection {
    const named = SECTION_NAMES[section.named];
    const kind = SECTION_NAMES[section.kind];
    const seen: ContentSection = { named, kind, ...pick(section), rows: [], lines: [] };
    const values: number[] = [];
    let remainder = 0;
    const residue = tableOf(section);
    const event = Object.entries(EVENTS).find(([name]) => name === kind)?.[1];
    if (residue !== undefined && event !== undefined) {
      const rows = hprofResidue(this.#recording).rows[residue];
      for (let row = section.from; row < section.to; row++) seen.rows.push(this.#row(rows, row, event, values));
      remainder = this.#remainder(event, section.dump);
    } else seen.lines.push(...(kind === 'HEAP DUMP' ? this.#heap() : this.#monitorDump(section.dump)));
    this.#values.push(values);
    this.#remainders.push(remainder);
    return seen;
  }

  #row(rows: TableResidue, row: number, event: string, values: number[]): ContentRow {
    const table = this.#table(event);
    const at = this.#pointers[event] ?? 0;
    this.#pointers[event] = at + 1;
    if (table === undefined || at >= table.length) throw new Error(`no row ${at} of ${event}`);
    const of = (key: string): number => column(table, key)[at];
    values.push(of(VALUES[event] ?? ''));
    return {
      rank: rows.rank[row],
      share: rows.share[row],
      accumulated: rows.accumulated[row],
      numbers: event === 'site' ? SITE_NUMBERS.map(of) : [rows.count[row]],
      own: of(COUNTS[event] ?? ''),
      trace: this.#recording.profile?.traces?.columns.serial?.[of('trace')] ?? -1,
      name: this.#text(rows.name[row]),
      leaf: this.#leaf(of('stack')),
      thread: this.#number(of('thread')),
    };
  }

  #remainder(event: string, dump: number): number {
    const table = this.#table(event);
    const at = this.#pointers[event] ?? 0;
    if (table === undefined || at >= table.length) return 0;
    const of = (key: string): number => column(table, key)[at];
    if (of('trace') >= 0 || of('dump') !== dump || this.#leaf(of('stack')) !== '<Below cutoff>') return 0;
    this.#pointers[event] = at + 1;
    return of(VALUES[event] ?? '');
  }

  #old(): string[] {
    const { arcs } = this.#recording.profile ?? {};
    if (arcs === undefined) return [];
    const { caller, callee, calls, value } = arcs.columns;
    return Array.from({ length: arcs.length }, (_, row) =>
      [calls[row], this.#signature(callee[row]), this.#signature(caller[row]), value[row] / NS_PER_MS].join(' '),
    );
  }

  /** The descriptor is not kept, only its types. */
  #signature(of: number): string {
    const { signature, signatureStart } = this.#recording.program.functions;
    const name = this.#functionName(of);
    const [result, ...parameters] = Array.from(signature.subarray(signatureStart[of], signatureStart[of + 1]), (type) =>
      this.#className(type),
    );
    return result === undefined ? name : `${name}(${parameters.join(',')})${result}`;
  }

  #heap(): string[] {
    const at = this.#heaps++;
    const heap = this.#recording.heaps?.[at]?.recorded;
    if (heap === undefined) throw new Error(`no heap ${at}`);
    const { objects, references } = heap;
    const spelling = hprofResidue(this.#recording).heaps[at]?.classSpelling;
    const lines = this.#roots(heap);
    for (let object = 0; object < objects.length; object++) {
      const kind = OBJECT_KINDS[objects.kind[object]] ?? '';
      const id = objects.address[object];
      const trace = this.#recording.profile?.traces?.columns.serial?.[objects.trace[object]] ?? -1;
      const type = this.#className(objects.class[object]);
      const spelled = spelling === undefined || spelling[object] < 0 ? '' : this.#text(spelling[object]);
      const size = objects.size?.[object] ?? NaN;
      if (kind === 'class') lines.push(`CLS ${id} ${trace} ${type}`);
      else if (kind === 'instance') lines.push(`OBJ ${id} ${size} ${trace} ${type} ${spelled}`);
      else {
        const of = kind === 'object-array' ? 'objects' : 'primitives';
        lines.push(`ARR ${id} ${size} ${trace} ${objects.elements[object]} ${of} ${type} ${spelled}`);
      }
      for (let i = objects.first[object]; i < objects.first[object + 1]; i++) {
        const how = REFERENCE_KINDS[references.kind[i]] ?? '';
        const name = references.name[i];
        const word = how === 'field' || how === 'static' ? this.#text(name) : String(name);
        lines.push(`  ${how} ${word} ${idOf(heap, references.target[i])}`);
      }
    }
    return lines;
  }

  #roots(heap: HeapGraph): string[] {
    const { object, kind, thread, frame, trace, detail } = heap.roots.columns;
    return Array.from({ length: heap.roots.length }, (_, row) => {
      const how = ROOT_KINDS[kind[row]] ?? '';
      const serial = trace[row] < 0 ? -1 : this.#recording.profile?.traces?.columns.serial?.[trace[row]];
      const word = how === 'system-class' ? this.#text(detail[row]) : how === 'jni-global' ? String(detail[row]) : '';
      return `ROOT ${idOf(heap, object[row])} ${how} ${this.#number(thread[row])} ${frame[row]} ${serial} ${word}`;
    });
  }

  #monitorDump(dump: number): string[] {
    const lines: string[] = [];
    const states = this.#table('state');
    const serial = this.#recording.profile?.traces?.columns.serial;
    for (let row = 0; row < (states?.length ?? 0); row++) {
      if (states === undefined || states.columns.dump?.[row] !== dump) continue;
      const { thread, state, status, trace } = states.columns;
      const words = `${this.#text(status[row])} ${THREAD_STATES[state[row]]}`;
      lines.push(`THREAD ${this.#number(thread[row])} ${serial?.[trace[row]] ?? -1} ${words}`);
    }
    const { monitors, waits } = this.#recording.locks ?? {};
    const spelling = hprofResidue(this.#recording).monitorSpelling;
    for (let row = 0; row < (monitors?.length ?? 0); row++) {
      if (monitors === undefined || monitors.columns.dump?.[row] !== dump) continue;
      const { kind, class: type, name, address, owner, entries } = monitors.columns;
      const raw = MONITOR_KINDS[kind[row]] === 'raw';
      const what = raw ? `RAW ${this.#text(name[row])}` : `MONITOR ${this.#className(type[row])}`;
      lines.push(`${what} ${address[row]} ${this.#number(owner[row])} ${entries[row]} ${this.#text(spelling[row])}`);
      for (let wait = 0; wait < (waits?.length ?? 0); wait++) {
        if (waits?.columns.monitor?.[wait] !== row) continue;
        const { how, thread } = waits.columns;
        lines.push(`  ${WAIT_KINDS[how[wait]]} ${this.#number(thread[wait])}`);
      }
    }
    return lines;
  }
}

function pick({ dump, offset, total, bytes, orderedBy, date, ended }: TextSection) {
  return { dump, offset, total, bytes, orderedBy, date, ended };
}

function idOf(heap: HeapGraph, target: number): number {
  return target >= 0 ? heap.objects.address[target] : heap.missing[-2 - target];
}

function lineText(line: number): string {
  if (line >= NO_LINE) return String(line);
  if (line === UNKNOWN_LINE) return 'Unknown line';
  return line === COMPILED_METHOD ? 'Compiled method' : 'Native method';
}
