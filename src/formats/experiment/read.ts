/**
 * Reads experiments of gprofng and the Performance Analyzer, format 12: a folder of files, with a folder for each descendant process.
 *
 * Format: docs/formats/experiment.md. Each file is read once; memory: the frames (about 60 bytes a stack), 30 to 100 bytes an event.
 */
import { FormatError } from '../../base/errors.js';
import { type Problem, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { formatValue } from '../../base/units.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import type { FileSet, SetReading } from '../capabilities/sets.js';
import { type ExperimentDetails, FactsBuilder } from './details.js';
import { metadataOf, problemsOf, rangesOf, saidIn, spansOf } from './facts.js';
import { ClockRows } from './kinds/clock.js';
import { collectionTable } from './kinds/collections.js';
import { type Counter, CounterRows, countersOf } from './kinds/counters.js';
import { HeapRows } from './kinds/heap.js';
import { IoRows } from './kinds/io.js';
import type { KindRows } from './kinds/kind.js';
import { MpiRows } from './kinds/mpi.js';
import { RegionRows } from './kinds/regions.js';
import { SyncRows } from './kinds/sync.js';
import type { ExperimentLog } from './log.js';
import {
  executableOf,
  ProcessFiles,
  processesOf,
  type ReadProcess,
  readProcess,
  type SharedTables,
} from './process.js';
import { collectionsOf, recordedProcess } from './recorded-process.js';
import { ThreadTable } from './threads.js';

/** Clock profiling that records less than this share of the CPU time of the process is reported. */
const LEAST_RECORDED = 0.75;
/** CPU time below which the difference says nothing. */
const LEAST_CPU = 100e6;

/** Reads one experiment with its descendants. Throws `FormatError` if log.xml has nothing of an experiment. */
export async function readExperiment(
  tree: FileTree,
  set: FileSet,
  work: Work = {},
  { details = false }: SetReading = {},
): Promise<Recording> {
  const problems = new ProblemLog();
  const processes: { files: ProcessFiles; log: ExperimentLog }[] = [];
  for (const prefix of processesOf(set)) {
    const files = new ProcessFiles(tree, set, prefix, problems);
    const log = await files.log();
    for (const problem of problemsOf(log, files.nameOf('log.xml'))) problems.add(problem);
    for (const problem of saidIn(await files.warnings(), files.nameOf('warnings.xml'))) problems.add(problem);
    processes.push({ files, log });
  }
  const [founder] = processes;
  if (founder === undefined || (founder.log.version === undefined && founder.log.data.length === 0)) throw noLog(tree);
  const shared = sharedTables(processes.flatMap(({ log }) => countersOf(log.data)));
  const start = founder.log.start ?? { high: 0, low: 0 };
  const executables = new Set(processes.flatMap(({ log }) => executableOf(log) ?? []));
  const facts = details ? new FactsBuilder() : undefined;
  const read: ReadProcess[] = [];
  for (const [number, { files, log }] of processes.entries()) {
    facts?.process(log);
    read.push(await readProcess(files, log, { number, start, shared, executables, work, facts }));
  }
  if (read.length === 1) read[0]?.space.record();
  const labels = await founder.files.labels(founder.log);
  const spans = [...read.flatMap(({ log, shift }) => spansOf(log, shift)), ...labels.spans];
  const collections = collectionTable(
    read.map(({ log, shift }) => ({ collections: collectionsOf(log), shift })),
    shared.program,
  );
  const profile = profileOf(shared, rangesOf(spans, shared.program), collections);
  const low = clockProblem(profile, read, founder.files.nameOf('profile'));
  if (low !== undefined) problems.add(low);
  return {
    name: set.folder === '' ? tree.name : tree.nameOf(set.folder),
    format: 'experiment',
    metadata: metadataOf(founder.log, await founder.files.notes(), labels),
    sections: sectionsOf(processes, read),
    program: shared.program.finish(),
    profile,
    problems: problems.finish(),
    processes: processes.flatMap(({ files }, i) => {
      const process = read[i];
      return process === undefined ? [] : [recordedProcess(files.prefix, process)];
    }),
    complete: !processes.some(({ files }) => files.lost) && isWhole(problems),
    residue: facts && (await detailsOf(processes, read, facts)),
  };
}

async function detailsOf(
  processes: readonly { readonly files: ProcessFiles; readonly log: ExperimentLog }[],
  read: readonly ReadProcess[],
  facts: FactsBuilder,
): Promise<ExperimentDetails> {
  const found: ExperimentDetails['processes'][number][] = [];
  for (const [i, { map, shift, sections, classes }] of read.entries()) {
    const process = processes[i];
    if (process === undefined) continue;
    const { files, log } = process;
    const [notes, archived] = [await files.notes(), files.has('archive.log')];
    found.push({ prefix: files.prefix, log, map, classes, notes, shift, packets: sections, archived });
  }
  return { type: 'experiment details', processes: found, events: facts.finish() };
}

/** Whether no problem says that data is lost. */
function isWhole(problems: ProblemLog): boolean {
  const { list } = problems.finish();
  return list.every(({ severity }) => severity !== 'error');
}

function noLog(tree: FileTree): FormatError {
  return new FormatError({
    format: 'experiment',
    offset: 0,
    expected: `the description of an experiment in ${tree.nameOf('log.xml')}`,
    found: 'none',
  });
}

function sharedTables(counters: readonly Counter[]): SharedTables {
  const program = new ProgramBuilder();
  const regions = new RegionRows();
  const kinds: KindRows[] = [
    new ClockRows(regions),
    regions,
    new CounterRows(counters),
    new SyncRows(),
    new HeapRows(),
    new IoRows(program),
    new MpiRows(program),
  ];
  return { program, stacks: new StackBuilder(), threads: new ThreadTable(program), kinds };
}

function profileOf(
  { stacks, threads, kinds }: SharedTables,
  ranges: Table | undefined,
  collections: Table | undefined,
): Profile {
  const finished = kinds.flatMap((kind) => kind.finish() ?? []);
  const metrics: Metric[] = finished.flatMap((kind) => kind.metrics);
  return {
    stacks: stacks.finish(),
    events: [...finished.map(({ table }) => table), ...(collections === undefined ? [] : [collections])],
    metrics,
    threads: threads.finish(),
    ...(ranges && { ranges }),
  };
}

/** Packets by file, those of descendants with their folders. */
function sectionsOf(
  processes: readonly { readonly files: ProcessFiles }[],
  read: readonly ReadProcess[],
): Recording['sections'] {
  return read.flatMap(({ sections }, i) =>
    [...sections].map(([name, entries]) => ({ name: (processes[i]?.files.prefix ?? '') + name, entries })),
  );
}

/** Clock profiling may fail without a trace: then its sum is far below the CPU time that the system counted. */
function clockProblem(profile: Profile, read: readonly ReadProcess[], file: string): Problem | undefined {
  const metric = profile.metrics.find(({ id }) => id === 'cpu');
  const table = profile.events.find(({ kind }) => kind === metric?.table);
  const values = metric?.field === undefined ? undefined : table?.columns[metric.field];
  const counted = read.reduce((sum, { cpuTime = 0 }) => sum + cpuTime, 0);
  // The system counts on while recording is paused.
  const isPaused = read.some(({ log }) => log.events.some(({ kind }) => kind === 'pause'));
  if (values === undefined || counted < LEAST_CPU || isPaused) return undefined;
  let sum = 0;
  for (const value of values) sum += value;
  if (sum >= counted * LEAST_RECORDED) return undefined;
  const message = `${file}: clock profiling has ${formatValue(sum, 'ns')} of ${formatValue(counted, 'ns')} of CPU time that the system counted`;
  return { code: 'experiment-clock-low', severity: 'warning', message };
}
