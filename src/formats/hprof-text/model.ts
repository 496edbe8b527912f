/** Converts the data read to the models: numbers become rows, tables become events, shares become times. */
import { formatCount, plural } from '../../base/units.js';
import { recordedHeap } from '../../models/heap/recorded-heap.js';
import { type Locks, MONITORS, SNAPSHOTS } from '../../models/locks/locks.js';
import type { Profile } from '../../models/profile/profile.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import { EventContext, eventsOf, metricsOf, type OwnAgent } from '../shared/hprof/events.js';
import { isJvmti, noteDangling, tracesTable } from '../shared/hprof/model.js';
import { type HprofResidue, ITEM_KINDS, rowsOf } from '../shared/hprof/residue.js';
import { SECTION_NAMES } from '../shared/hprof/sections.js';
import type { HprofLines } from './reader.js';
import { checkTables } from './sections/check-tables.js';
import type { HeapResidue } from './sections/heap-dump.js';
import { HPROF_STATES } from './sections/monitor-dump.js';

export function toRecording(name: string, lines: HprofLines, whole: boolean): Recording {
  const methodOf = (location: number): string => lines.traces.methodOf(location);
  const limit = lines.traces.depthLimit(methodOf);
  const traces = lines.traces.finish(limit, methodOf);
  const context = new EventContext(lines, traces, isJvmti(lines.traces, lines.threads), ownAgent(preludeText(lines)));
  checkTables(context);
  const events = [...eventsOf(context), statesOf(context), lines.waits.table.finish()].filter((one) => one.length > 0);
  const heapDumps = lines.sections.filter(({ kind }) => kind === 'heap-dump');
  const heaps = lines.heaps.map((heap, i) => heap.finish(traces.rows, heapDumps[i].dump));
  const traceTable = tracesTable(context);
  noteDangling(context, lines.problems);
  noteHeaps(lines, heaps);
  const threads = lines.threads.finish();
  const arcs = lines.old.table.finish();
  const profile: Profile = {
    stacks: traces.builder.finish(),
    events,
    metrics: metricsOf(context, [...events, ...(arcs.length === 0 ? [] : [arcs])]),
    ...(threads.length === 0 ? {} : { threads }),
    ...(traceTable.length === 0 ? {} : { traces: traceTable }),
    ...(arcs.length === 0 ? {} : { arcs }),
  };
  const residue: HprofResidue<HeapResidue> = {
    prelude: lines.prelude.finish(),
    sections: lines.sections,
    itemKind: lines.itemKind.finish(),
    itemRow: lines.itemRow.finish(),
    phase: lines.traces.phase.finish(),
    traces: traces.known,
    monitorSpelling: lines.monitors.spelling.finish(),
    emptyWaits: lines.monitors.emptyWaits,
    heaps: heaps.map((heap) => heap.residue),
    jvmti: context.jvmti,
    rows: rowsOf(lines.tables, traces.rows),
  };
  return {
    name,
    format: 'hprof-text',
    metadata: metadataOf(context, limit),
    sections: sectionsOf(lines),
    program: lines.program.finish(),
    profile,
    ...(lines.sections.some(({ kind }) => kind === 'monitor-dump') ? { locks: locksOf(lines) } : {}),
    ...(heaps.length === 0 ? {} : { heaps: heaps.map((heap) => recordedHeap(heap.graph)) }),
    problems: lines.problems.finish(),
    complete: lines.complete && whole,
    residue,
  };
}

/** The state of each thread at the monitor dumps. */
function statesOf(context: EventContext<HprofLines>): Table {
  const table = context.lines.monitors.states.finish();
  const { stack, trace, dump } = HPROF_STATES.rows(table);
  for (let row = 0; row < table.length; row++) {
    dump[row] = context.lines.sections[dump[row]].dump;
    stack[row] = context.stack(trace[row]);
    trace[row] = context.traces.rows[trace[row]];
  }
  return table;
}

function locksOf(lines: HprofLines): Locks {
  const snapshots = SNAPSHOTS.builder();
  const { sections } = lines;
  const offsets = new Float64Array(sections[sections.length - 1].dump + 1).fill(-1);
  for (const { dump, kind, offset } of sections) if (kind === 'monitor-dump') offsets[dump] = offset;
  for (const offset of offsets) snapshots.add({ time: -1, offset });
  const monitors = lines.monitors.monitors.finish();
  const { dump } = MONITORS.rows(monitors);
  for (let row = 0; row < monitors.length; row++) dump[row] = sections[dump[row]].dump;
  return {
    snapshots: snapshots.finish(),
    monitors,
    waits: lines.monitors.waits.finish(),
  };
}

function noteHeaps(lines: HprofLines, heaps: readonly { graph: { missing: Float64Array }; twice: number }[]): void {
  const sections = lines.sections.filter((section) => section.kind === 'heap-dump');
  heaps.forEach(({ graph, twice }, index) => {
    const section = sections[index];
    const place = section === undefined ? {} : { offset: section.offset };
    if (twice > 0)
      lines.problems.add({
        code: 'hprof-object-twice',
        severity: 'warning',
        message: `${plural(twice, 'object has', 'objects have')} the id of another one: references point to the first`,
        ...place,
      });
    if (graph.missing.length > 0)
      lines.problems.add({
        code: 'hprof-missing-object',
        severity: 'info',
        message: `${plural(graph.missing.length, 'referenced id', 'referenced ids')} without an object in the dump`,
        ...place,
      });
    if (section !== undefined && section.total !== section.to)
      lines.problems.add({
        code: 'hprof-announced',
        severity: 'info',
        message: `${plural(section.total, 'object is', 'objects are')} announced, ${formatCount(section.to)} in the dump: the agent counts before it has seen all`,
        ...place,
      });
  });
}

function sectionsOf(lines: HprofLines): { name: string; entries: number }[] {
  const items = new Float64Array(ITEM_KINDS.length);
  for (let i = 0; i < lines.itemKind.length; i++) items[lines.itemKind.bytes[i]]++;
  const of = (kind: (typeof ITEM_KINDS)[number]): number => items[ITEM_KINDS.indexOf(kind)];
  const found = [
    { name: 'THREAD START', entries: of('thread-start') },
    { name: 'THREAD END', entries: of('thread-end') },
    { name: 'WAIT, WAITED, SLEEP', entries: of('wait') },
    { name: 'TRACE', entries: of('trace') },
    { name: 'cpu=old', entries: lines.old.length },
  ].filter((section) => section.entries > 0);
  const sums = new Map<string, number>();
  for (const { named, from, to } of lines.sections)
    sums.set(SECTION_NAMES[named], (sums.get(SECTION_NAMES[named]) ?? 0) + to - from);
  return [...found, ...[...sums].map(([name, entries]) => ({ name, entries }))];
}

function preludeText({ prelude }: HprofLines): string {
  return new TextDecoder().decode(prelude.bytes.subarray(0, prelude.length));
}

/** Whether the HPROF agent of Kansoku wrote the file (agent/hprof/output.c): it looks like that of JVMTI, but its waits are milliseconds. */
function isByKansoku(prelude: string): boolean {
  return /^Written by the HPROF agent of Kansoku\.$/m.test(prelude);
}

function ownAgent(prelude: string): OwnAgent | undefined {
  if (!isByKansoku(prelude)) return undefined;
  const [, askedCount = '', deliveredCount = ''] = /^Samples: .*\basked (\d+), delivered (\d+),/m.exec(prelude) ?? [];
  return { askedSamples: Number.parseInt(askedCount, 10), deliveredSamples: Number.parseInt(deliveredCount, 10) };
}

function agentOf(prelude: string, jvmti: boolean): string {
  if (isByKansoku(prelude)) return 'Kansoku (JDK 11 and later)';
  return jvmti ? 'JVMTI (JDK 5 to 8)' : 'JVMPI (JDK 1.2 to 1.4)';
}

function metadataOf(context: EventContext<HprofLines>, limit: number): MetadataEntry[] {
  const { lines, traces, jvmti } = context;
  const text = preludeText(lines);
  const created = /^JAVA PROFILE ([\d.]+), created (.*)/.exec(text);
  // What the agent says of the file: its options, whose it is, what the records mean.
  const header = text
    .replace(/^JAVA PROFILE .*\n/, '')
    .replace(/^--------\s*$/m, '')
    .trim();
  const last = lines.sections[lines.sections.length - 1];
  return [
    ...(created === null
      ? []
      : [
          { key: 'version', value: created[1] ?? '' },
          { key: 'created', value: (created[2] ?? '').trim() },
        ]),
    ...(header === '' ? [] : [{ key: 'header', value: header }]),
    ...(lines.old.length > 0 && traces.known === 0 ? [] : [{ key: 'agent', value: agentOf(text, jvmti) }]),
    ...(last === undefined ? [] : [{ key: 'dumps', value: String(last.dump + 1) }]),
    ...(limit === 0
      ? []
      : [
          { key: 'depth limit', value: `${limit} (the longest trace)` },
          { key: 'traces cut', value: `${formatCount(traces.cut)} of ${formatCount(traces.known)}` },
        ]),
  ];
}
