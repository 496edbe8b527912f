/**
 * Writes a recording that was read from HPROF text as HPROF text again: heading, threads, traces and sections in their
 * order. Text in other spellings (blanks, the order of roots among objects) is written as the JVMTI agent of JDK 8 or
 * the JVMPI agent does; reading it again gives the same tables. Cost: one chunk of 1 MiB.
 */
import { plural } from '../../../base/units.js';
import { WAIT_REASONS } from '../../../models/events/wait.js';
import type { Profile } from '../../../models/profile/profile.js';
import { TRACES, type TraceRows } from '../../../models/profile/tables.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import type { RowsOf } from '../../../models/table-kind.js';
import type { WriteOptions, Written } from '../../capabilities/writer.js';
import { ITEM_KINDS, tableOf } from '../../shared/hprof/residue.js';
import { SECTION_NAMES, type TextSection } from '../../shared/hprof/sections.js';
import { HPROF_THREADS } from '../../shared/hprof/threads.js';
import { hprofResidue, type TextResidue } from '../residue.js';
import { OLD_ARCS } from '../sections/cpu-old.js';
import { HPROF_WAITS } from '../sections/threads.js';
import { PHASES } from '../sections/traces.js';
import {
  OLD_TITLES,
  oldLine,
  rankLine,
  rankTitles,
  SITES_TITLES,
  siteLine,
  threadEnd,
  threadStart,
  traceHead,
  waitLine,
} from './lines.js';
import { TextOut } from './text-out.js';
import { frameText } from './write-frame.js';
import { writeHeap } from './write-heap.js';
import { MonitorDumps } from './write-monitors.js';

const NS_PER_MS = 1e6;

export function writeHprofText(recording: Recording, options: WriteOptions): Written {
  const { profile } = recording;
  if (profile === undefined) throw new Error(`${recording.name} was not read from HPROF`);
  const residue = hprofResidue(recording);
  const writer = new HprofWriter(recording, profile, residue);
  const lost = recording.problems.counts['hprof-line'] ?? 0;
  const dumps = residue.sections.filter(({ kind }) => kind === 'heap-dump').length - residue.heaps.length;
  const dropped = [
    ...(lost === 0 ? [] : [`${lost} lines that could not be read`]),
    ...(dumps === 0 ? [] : [plural(dumps, 'heap dump')]),
    ...(recording.format === 'hprof-text' ? [] : ['parameter types of methods', 'totals of sites below the cutoff']),
  ];
  return { chunks: writer.chunks(options), dropped };
}

class HprofWriter {
  readonly #recording: Recording;
  readonly #profile: Profile;
  readonly #program: Program;
  readonly #residue: TextResidue;
  readonly #out: TextOut;
  readonly #monitors: MonitorDumps;
  readonly #threads: RowsOf<typeof HPROF_THREADS> | undefined;
  readonly #traces: TraceRows | undefined;
  readonly #waits: RowsOf<typeof HPROF_WAITS> | undefined;
  #heaps = 0;

  constructor(recording: Recording, profile: Profile, residue: TextResidue) {
    this.#recording = recording;
    this.#profile = profile;
    this.#program = recording.program;
    this.#residue = residue;
    this.#out = new TextOut(recording.program.names);
    this.#monitors = new MonitorDumps(recording, profile, residue);
    this.#threads = profile.threads && HPROF_THREADS.rows(profile.threads);
    this.#traces = profile.traces && TRACES.rows(profile.traces);
    this.#waits = HPROF_WAITS.of(profile);
  }

  *chunks(options: WriteOptions): Generator<Uint8Array> {
    const out = this.#out;
    const { itemKind, itemRow, prelude, sections } = this.#residue;
    if (prelude.length > 0) out.bytes(prelude);
    this.#arcs();
    for (let i = 0; i < itemKind.length; i++) {
      options.work?.signal?.throwIfAborted();
      const kind = ITEM_KINDS[itemKind[i]];
      const section = kind === 'section' ? sections[itemRow[i]] : undefined;
      if (section === undefined) this.#item(kind ?? 'trace', itemRow[i]);
      else yield* this.#section(section);
      if (out.full) yield out.take();
    }
    yield out.take();
  }

  #item(kind: (typeof ITEM_KINDS)[number], row: number): void {
    if (kind === 'trace') this.#trace(row);
    else if (kind === 'wait') this.#wait(row);
    else this.#thread(kind === 'thread-start', row);
  }

  #thread(start: boolean, row: number): void {
    if (this.#threads === undefined) return;
    const { number, object, name, group } = this.#threads;
    if (start) threadStart(this.#out, object[row], number[row], name[row], group[row]);
    else threadEnd(this.#out, number[row]);
  }

  #wait(row: number): void {
    if (this.#waits === undefined) return;
    const { reason, monitor, timeout, waited, thread } = this.#waits;
    waitLine(this.#out, {
      monitor: WAIT_REASONS[reason[row]] === 'sleep' ? undefined : monitor[row],
      timeout: timeout[row] / NS_PER_MS,
      waited: waited[row] === -1 ? undefined : waited[row] / NS_PER_MS,
      thread: thread[row] < 0 ? -1 : (this.#threads?.number[thread[row]] ?? -1),
    });
  }

  #trace(row: number): void {
    const { stacks } = this.#profile;
    if (this.#traces === undefined) return;
    const { serial, thread, stack: leaf } = this.#traces;
    const out = this.#out;
    const number = thread[row] < 0 ? -1 : (this.#threads?.number[thread[row]] ?? -1);
    traceHead(out, serial[row], number, PHASES[this.#residue.phase[row]] ?? '');
    let frames = 0;
    for (let stack = leaf[row]; stack >= 0; stack = stacks.parent[stack]) {
      if (frameText(out, this.#program, stacks.location[stack], this.#residue.jvmti)) frames++;
    }
    if (frames === 0) out.text('\t<empty>\n');
  }

  *#section(section: TextSection): Generator<Uint8Array> {
    const out = this.#out;
    out.text(`${SECTION_NAMES[section.named]} BEGIN${this.#head(section)}\n`);
    if (section.kind === 'monitor-dump') this.#monitors.write(out, section.dump);
    else if (section.kind === 'heap-dump') {
      const index = this.#heaps++;
      const graph = this.#recording.heaps?.[index]?.recorded;
      if (graph !== undefined) yield* writeHeap(out, this.#recording, graph, this.#residue, index);
    } else yield* this.#rows(section);
    if (section.ended) out.text(`${SECTION_NAMES[section.named]} END\n`);
  }

  #head({ kind, total, bytes, orderedBy, date }: TextSection): string {
    switch (kind) {
      case 'monitor-dump':
        return '';
      case 'monitor-time':
        return ` (total = ${total} ms) ${date}`;
      case 'heap-dump':
        return ` (${total} objects, ${bytes} bytes) ${date}`;
      case 'sites':
        return ` (ordered by ${orderedBy} bytes) ${date}`;
      default:
        return ` (total = ${total}) ${date}`;
    }
  }

  *#rows(section: TextSection): Generator<Uint8Array> {
    const kind = tableOf(section);
    if (kind === undefined) return;
    const out = this.#out;
    const rows = this.#residue.rows[kind];
    if (kind === 'sites') out.text(SITES_TITLES);
    else if (section.to > section.from || kind !== 'monitor-time')
      out.text(rankTitles(kind === 'monitor-time' ? 'monitor' : 'method'));
    for (let row = section.from; row < section.to; row++) {
      const line = {
        rank: rows.rank[row],
        share: rows.share[row],
        accumulated: rows.accumulated[row],
        count: rows.count[row],
        trace: this.#traces?.serial[rows.trace[row]] ?? -1,
        name: rows.name[row],
      };
      if (kind !== 'sites') rankLine(out, line);
      else
        siteLine(out, {
          ...line,
          liveObjects: rows.liveObjects[row],
          allocatedBytes: rows.allocatedBytes[row],
          allocatedObjects: rows.allocatedObjects[row],
        });
      if (out.full) yield out.take();
    }
  }

  /** Writes the table of cpu=old, which is a file of its own. */
  #arcs(): void {
    const { arcs } = this.#profile;
    if (arcs === undefined) return;
    this.#out.text(OLD_TITLES);
    const { length, calls, callee_name: callee, caller_name: caller, value } = OLD_ARCS.rows(arcs);
    for (let row = 0; row < length; row++)
      oldLine(this.#out, calls[row], callee[row], caller[row], value[row] / NS_PER_MS);
  }
}
