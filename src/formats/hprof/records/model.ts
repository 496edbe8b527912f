/** Turns the records into a recording: the same tables, events and metrics as the text format has. */
import { hasErrors, type ProblemLog, type Severity } from '../../../base/problems.js';
import { encodeUtf8, type StringId } from '../../../base/text.js';
import { formatCount, plural } from '../../../base/units.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { MetadataEntry, Recording } from '../../../models/recording.js';
import { EventContext, eventsOf, metricsOf, totalOf } from '../../shared/hprof/events.js';
import { isJvmti, noteDangling, tracesTable } from '../../shared/hprof/model.js';
import { type HprofResidue, rowsOf } from '../../shared/hprof/residue.js';
import type { TextSection } from '../../shared/hprof/sections.js';
import type { FinishedTraces } from '../../shared/hprof/traces.js';
import { ALLOC_SITES, CPU_SAMPLES } from '../tags.js';
import { ctime, isoDate } from './dates.js';
import type { RecordReader } from './reader.js';
import { RECORD_NAMES, recordName } from './record-heads.js';
import type { HprofRecords } from './records.js';

export function toRecording(name: string, records: HprofRecords): Recording & { readonly residue: HprofResidue } {
  const { outline, reader, problems } = records;
  const methodOf = (location: number): string => reader.frames.methodOf(location);
  reader.nameThreads();
  reader.frames.toLocations(reader.traces.frames);
  const jvmti = isJvmti(reader.traces, reader.threads);
  const limit = depthLimit(reader, methodOf);
  const traces = reader.traces.finish(limit, methodOf);
  reader.tables.finish(reader.program, reader.classes, reader.frames, traces);
  const { tables, sections } = reader.tables;
  const { program, traces: rows } = reader;
  const context = new EventContext({ program, traces: rows, tables, sections }, traces, jvmti);
  const events = eventsOf(context).filter((one) => one.length > 0);
  const traceTable = tracesTable(context);
  noteDangling(context, problems);
  noteMissing(reader, problems);
  noteTables(context, problems);
  const threads = reader.threads.finish();
  const profile: Profile = {
    stacks: traces.builder.finish(),
    events,
    metrics: metricsOf(context, events),
    ...(threads.length === 0 ? {} : { threads }),
    ...(traceTable.length === 0 ? {} : { traces: traceTable }),
  };
  const residue = residueFor(records, traces, jvmti);
  const found = problems.finish();
  return {
    name,
    format: 'hprof',
    metadata: metadataOf(records, traces, { jvmti, limit }),
    sections: sectionsOf(records),
    program: program.finish(),
    profile,
    problems: found,
    complete: outline.complete && !hasErrors(found),
    residue,
  };
}

/** The agent's setting; without it, what the traces show. Virtual machines write whole stacks into heap dumps. */
function depthLimit({ settings, traces, tables }: RecordReader, methodOf: (location: number) => string): number {
  if (settings !== undefined) return settings.depth;
  return tables.sections.some(({ kind }) => kind !== 'heap-dump') ? traces.depthLimit(methodOf) : 0;
}

function noteMissing({ names, frames }: RecordReader, problems: ProblemLog): void {
  const note = (count: number, code: string, severity: Severity, one: string, many: string): void => {
    if (count > 0) problems.add({ code, severity, message: plural(count, one, many) });
  };
  const { frames: lost, classes } = frames.missing;
  note(lost, 'hprof-dangling-frame', 'warning', 'frame of traces is missing', 'frames of traces are missing');
  note(classes, 'hprof-dangling-class', 'warning', 'frame has no class', 'frames have classes that no LOAD CLASS has');
  note(names.missing, 'hprof-dangling-name', 'warning', 'name is used, but missing', 'names are used, but missing');
}

/** Reports tables whose rows have more than their totals, and those that have only what changed. */
function noteTables(context: EventContext, problems: ProblemLog): void {
  for (const section of context.lines.sections) {
    if (section.kind !== 'cpu-samples' && section.kind !== 'sites') continue;
    const counts = context.counts(section.kind);
    let sum = 0;
    for (let row = section.from; row < section.to; row++) sum += counts[row];
    const total = section.totals?.[0] ?? totalOf(section);
    if (sum <= total) continue;
    const unit = section.kind === 'sites' ? 'live bytes' : 'samples';
    const message = `the total is ${formatCount(total)} ${unit}, but the rows have ${formatCount(sum)}`;
    problems.add({ code: 'hprof-total', severity: 'error', offset: section.offset, message });
  }
}

/** What the text format, which is always 1.0.1, needs beyond the models. Heap dumps have another shape there: they are not written. */
function residueFor({ outline, reader }: HprofRecords, traces: FinishedTraces, jvmti: boolean): HprofResidue {
  const { created } = outline.head;
  const rows = rowsOf(reader.tables.tables, traces.rows);
  const empty = reader.program.name('<empty trace>');
  const named = (name: StringId): StringId => (name < 0 ? empty : name);
  return {
    prelude: encodeUtf8(`JAVA PROFILE 1.0.1, created ${ctime(created)}\n\n--------\n\n`),
    sections: reader.tables.sections,
    itemKind: reader.itemKind.finish(),
    itemRow: reader.itemRow.finish(),
    phase: new Int32Array(traces.known),
    traces: traces.known,
    monitorSpelling: new Int32Array(0),
    heaps: [],
    jvmti,
    rows: { ...rows, 'cpu-samples': { ...rows['cpu-samples'], name: rows['cpu-samples'].name.map(named) } },
  };
}

/** The numbers of records, and of the rows of tables, under the names that `hprof_b_spec.h` has. */
function sectionsOf({ outline, reader }: HprofRecords): { name: string; entries: number }[] {
  const rowsOf = (kind: TextSection['kind']): number =>
    reader.tables.sections.filter((one) => one.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0);
  const entries = (tag: number): number => {
    if (tag === ALLOC_SITES) return rowsOf('sites');
    return tag === CPU_SAMPLES ? rowsOf('cpu-samples') : outline.counts[tag];
  };
  const tags = [...RECORD_NAMES.keys()];
  const unknown = Array.from(outline.counts.keys()).filter((tag) => !RECORD_NAMES.has(tag));
  return [...tags, ...unknown]
    .filter((tag) => outline.counts[tag] > 0)
    .map((tag) => ({ name: recordName(tag), entries: entries(tag) }));
}

function metadataOf(
  { outline, reader }: HprofRecords,
  traces: FinishedTraces,
  { jvmti, limit }: { jvmti: boolean; limit: number },
): MetadataEntry[] {
  const { version, created, idSize } = outline.head;
  const { settings, summaries, tables } = reader;
  const entries: MetadataEntry[] = [];
  const add = (key: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') entries.push({ key, value });
  };
  const date = isoDate(created);
  add('version', version);
  add('created', date);
  add('id size', plural(idSize, 'byte'));
  add('recorder', recorderOf(version, settings !== undefined || jvmti, jvmti));
  if (settings !== undefined) {
    const asked = [settings.allocations ? 'allocation sites' : '', settings.samples ? 'CPU samples' : ''];
    add('recorded', asked.filter((one) => one !== '').join(', '));
  }
  const last = tables.sections.at(-1);
  if (last !== undefined) add('dumps', String(last.dump + 1));
  if (limit > 0) {
    add('depth limit', settings === undefined ? `${limit} (the longest trace)` : String(limit));
    add('traces cut', `${formatCount(traces.cut)} of ${formatCount(traces.known)}`);
  }
  for (const { liveBytes, liveObjects, allocatedBytes, allocatedObjects } of summaries) {
    const live = `${plural(liveBytes, 'byte')} in ${plural(liveObjects, 'object')} live`;
    add(
      'heap summary',
      `${live}, ${plural(allocatedBytes, 'byte')} in ${plural(allocatedObjects, 'object')} allocated`,
    );
  }
  return entries;
}

function recorderOf(version: string, isAgent: boolean, jvmti: boolean): string {
  if (isAgent) return jvmti ? 'JVMTI agent (JDK 5 to 8)' : 'JVMPI agent (JDK 1.2 to 1.4)';
  return version === '1.0.3' ? 'Android' : 'virtual machine';
}
