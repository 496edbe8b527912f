/** An experiment that is open for printing: as gprofng sees it, with what the recorder wrote beside the events. */
import { type ProcessSample, processSamples } from '../../../analysis/processes/usage.js';
import type { Work } from '../../../base/progress.js';
import { type ExperimentDetails, experimentDetails, type ProcessDetails } from '../../../formats/experiment/index.js';
import { GC_EVENTS } from '../../../models/events/gc.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { type OpenRecording, openedRecording, type StageUse } from '../../../models/open-recording.js';
import type { RecordedProcess } from '../../../models/processes.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { GeneratedCode } from '../../../models/program/code.js';
import type { PathMap } from '../../../models/program/debug-files.js';
import { shownSymbol } from '../../../models/program/part-names.js';
import type { Program } from '../../../models/program/program.js';
import { namedRecordings, type Session, sessionOfOpen } from '../../../session/session.js';
import { generatedShift } from '../../../session/together/join-programs.js';
import { markedLike } from '../../../session/together/marked-path.js';
import { ProgramCode } from '../code/units.js';
import { hasMicrostates } from '../metrics.js';
import { type Descendants, isRead, withoutDescendants } from '../several/descendants.js';
import { joinParts, type OpenCopy, type OpenedPart, openParts } from '../several/opened-parts.js';
import { factsOf } from './event-columns.js';
import { firstByName, GENERATED, generatedRecords, placed } from './generated.js';
import { type IoFiles, withIoFiles } from './io-files.js';
import { type LoadObject, loadObjectsOf } from './load-objects.js';
import { type PeerFunction, peerProgram } from './peer-program.js';
import { peerRecording } from './peer-recording.js';
import { withPragmas } from './pragmas.js';

/** One process as gprofng counts them: an experiment of its own. */
export interface PrintedProcess extends ProcessDetails {
  /** From 1 on. */
  readonly id: number;
  /** Index in `ExperimentDetails.processes`. */
  readonly index: number;
  /** `descend.er/_f1.er`. */
  readonly name: string;
  /** Name of its experiment, its number, and that of its group, from 0 on. */
  readonly experiment: string;
  readonly part: number;
  readonly group: number;
  /** What comparisons call its group. */
  readonly groupName: string;
  /** The same in the words of the models. */
  readonly recorded: RecordedProcess;
  readonly samples: readonly ProcessSample[];
}

export interface Experiment {
  readonly session: Session;
  /** `c-single.er`; of several, the first one. */
  readonly name: string;
  /** By path of a copy, the name of the experiment that has it, if it is not `name`. */
  readonly copyNames: ReadonlyMap<string, string>;
  readonly details: ExperimentDetails;
  /** Those with data, in the order of their names. */
  readonly processes: readonly PrintedProcess[];
  readonly profile: Profile;
  readonly program: Program;
  readonly functions: readonly PeerFunction[];
  readonly objects: readonly LoadObject[];
  /** By process, the numbers of its load objects. */
  readonly objectsOfProcess: readonly ReadonlySet<number>[];
  /** While groups are compared: by function that others are one with, all of them; the function of each location; the same of processes, by id. */
  readonly compared?: {
    readonly members: ReadonlyMap<number, readonly number[]>;
    readonly functionOf: Int32Array;
    readonly processes: ReadonlyMap<number, readonly PrintedProcess[]>;
    readonly processOf: ReadonlyMap<number, number>;
  };
  readonly files: IoFiles;
  readonly open: OpenCopy | undefined;
  /** Its programs and libraries with their lines. */
  readonly code: ProgramCode;
  /** Whether values are those of gprofng where it is wrong. */
  readonly strict: boolean;
  /** Whether events have states of OpenMP. */
  readonly hasOpenmp: boolean;
  /** Where events were chosen: the experiment with all of them, and by kind of events the rows of it that are left; kinds without are whole. */
  readonly chosenOf?: { readonly whole: Experiment; readonly rows: ReadonlyMap<string, Int32Array> };
  readonly get: <Value>(use: StageUse<Value>) => Promise<Value>;
  close(): Promise<void>;
}

/** Whether a process recorded data of this name, such as `iotrace`. */
export function hasData({ processes }: Pick<Experiment, 'processes'>, data: string): boolean {
  return processes.some(({ log }) => log.data.some(({ name }) => name === data));
}

export interface PrintOptions {
  /** With the values of gprofng also where they are wrong. */
  readonly strict: boolean;
  /** Where files of the recorded machine are on this one. */
  readonly maps?: readonly PathMap[];
  /** Which descendants of the processes are read; all if not given. */
  readonly descendants?: Descendants;
  readonly work?: Work;
}

/** Opens an experiment. Throws as `openInputs` does, and a usage error for other recordings. */
export function openExperiment(path: string, options: PrintOptions): Promise<Experiment> {
  return openExperiments([path], options);
}

/** Opens experiments as one; each of the words is a path, or a group of experiments. Throws as `openExperiment` does. */
export async function openExperiments(
  words: readonly string[],
  { strict, maps = [], descendants = 'all', work = {} }: PrintOptions,
): Promise<Experiment> {
  const parts = await openParts(words, { maps, work });
  const { session: opened, source, open, keyOf, copyNames } = await joinParts(parts, strict);
  const [withNames] = await namedRecordings(opened, work);
  const whole = withNames && experimentDetails(withNames);
  if (withNames?.profile === undefined || whole === undefined) throw new Error('an experiment without details');
  const { profile: read, details } = withoutDescendants(withNames.profile, whole, descendants);
  // Collections are no events of gprofng: it has them from the log.
  const events = read.events.filter(({ kind }) => kind !== GC_EVENTS.kind);
  const recording = { ...withNames, profile: { ...read, events } };
  const processes = processesOf(details, recording.processes ?? [], { parts, descendants });
  const { objects, classes, ofProcess } = loadObjectsOf(processes, (process, path) => {
    return keyOf(processes[process]?.part ?? 0, path);
  });
  // Of several of one name the first counts.
  const numbers = new Map([...objects].reverse().map(({ path, index }) => [path, index]));
  const { codes, ...generated } = await generatedOf(source, processes, strict, (part) => keyOf(part, GENERATED));
  const code = new ProgramCode(open, strict, codes);
  const program = await peerProgram(recording, open, { numbers, classes, java: code.java, ...generated, strict });
  const { state = new Int32Array(), lwp: lwps = new Int32Array() } = factsOf(details, CPU_SAMPLE_EVENTS.kind) ?? {};
  const clock = recording.profile.events.find(({ kind }) => kind === CPU_SAMPLE_EVENTS.kind);
  const states = strict
    ? await withPragmas({ program: program.program, code }, recording.profile, clock, state)
    : state;
  const solaris = processes.some(({ log }) => hasMicrostates(log));
  const own = peerRecording(recording, program, { states, lwps, strict, microstates: solaris });
  const { profile, files } = withIoFiles(own.profile ?? recording.profile, own.program, strict);
  const peer = { ...own, profile };
  const session = sessionOfOpen([openedRecording(peer, open && { files: { copyOf: open } })], {
    close: () => opened.close(),
  });
  return {
    session,
    name: parts[0]?.name ?? '',
    copyNames,
    details,
    processes,
    profile,
    files,
    program: peer.program,
    functions: program.functions,
    objects,
    objectsOfProcess: ofProcess,
    open,
    code,
    strict,
    hasOpenmp: state.some((each) => each >= 0),
    get: (use) => session.derived.get(use, work),
    close: async () => {
      await code.close();
      await session.close();
    },
  };
}

/** What was made at run time: all of it, functions by name, and their code. */
async function generatedOf(
  source: OpenRecording,
  processes: readonly PrintedProcess[],
  strict: boolean,
  objectOf: (part: number) => string,
) {
  // Of several processes with such code nothing says which one a place is in.
  const records = processes
    .map(({ map, part }) => ({ part, list: generatedRecords(map, generatedShift(part)) }))
    .filter(({ list }) => list.length > 0);
  const names = records.flatMap(({ list }) => [...firstByName(list).keys()]);
  const codes = await codesOf(source, names);
  const all = strict ? records.map(({ part, list }) => ({ part, list: placed(list, codes) })) : records;
  const generated = new Map(
    [...all]
      .reverse()
      .flatMap(({ part, list }) =>
        [...firstByName(list)].map(([name, range]) => [markedLike(name, objectOf(part)), range] as const),
      ),
  );
  return { codes, generated, records: all.length === 1 ? (all[0]?.list ?? []) : [] };
}

/** The code of functions that were made at run time. */
async function codesOf({ files }: OpenRecording, symbols: Iterable<string>): Promise<readonly GeneratedCode[]> {
  const names = new Set([...symbols].map(shownSymbol));
  return names.size === 0 ? [] : ((await files?.generatedCode?.(names)) ?? []);
}

/** The processes of each experiment; one all of whose files of data are empty is left out, unless it is the founder. */
function processesOf(
  { processes }: ExperimentDetails,
  described: readonly RecordedProcess[],
  { parts, descendants }: { readonly parts: readonly OpenedPart[]; readonly descendants: Descendants },
): PrintedProcess[] {
  const owners = parts.flatMap((part, number) => part.details.processes.map((_, i) => ({ part, number, i })));
  return processes
    .map((process, index) => ({ process, index }))
    .filter(({ process, index }) => owners[index]?.i === 0 || [...process.packets.values()].some((count) => count > 0))
    .flatMap(({ process, index }) => {
      const recorded = described[index];
      const { part, number } = owners[index] ?? {};
      if (recorded === undefined || part === undefined || number === undefined) return [];
      const owner = { experiment: part.name, part: number, group: part.group, groupName: part.groupName };
      return [{ ...process, ...owner, index, recorded, samples: processSamples(recorded) }];
    })
    .filter((process) => isRead(process, descendants))
    .map((process, i) => ({
      ...process,
      id: i + 1,
      name: process.prefix === '' ? process.experiment : `${process.experiment}/${process.prefix.replace(/\/$/, '')}`,
    }));
}
