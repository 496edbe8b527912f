/** An experiment that is open for printing: as gprofng sees it, with what the recorder wrote beside the events. */
import { type ProcessSample, processSamples } from '../../../analysis/processes/usage.js';
import { UsageError } from '../../../base/errors.js';
import type { Work } from '../../../base/progress.js';
import type { OpenObject } from '../../../code/native/debug-parts.js';
import { type ExperimentDetails, experimentDetails, type ProcessDetails } from '../../../formats/experiment/index.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { type OpenRecording, openedRecording, type StageUse } from '../../../models/open-recording.js';
import type { RecordedProcess } from '../../../models/processes.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { GeneratedCode } from '../../../models/program/code.js';
import type { PathMap } from '../../../models/program/debug-files.js';
import { shownSymbol } from '../../../models/program/part-names.js';
import type { Program } from '../../../models/program/program.js';
import { openInputs } from '../../../session/open.node.js';
import { namedRecordings, type Session, sessionOfOpen } from '../../../session/session.js';
import { ProgramCode } from '../code/units.js';
import { hasMicrostates } from '../metrics.js';
import { factsOf } from './event-columns.js';
import { firstByName, generatedRecords, placed } from './generated.js';
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
  /** The same in the words of the models. */
  readonly recorded: RecordedProcess;
  readonly samples: readonly ProcessSample[];
}

export interface Experiment {
  readonly session: Session;
  /** `c-single.er`. */
  readonly name: string;
  readonly details: ExperimentDetails;
  /** Those with data, in the order of their names. */
  readonly processes: readonly PrintedProcess[];
  readonly profile: Profile;
  readonly program: Program;
  readonly functions: readonly PeerFunction[];
  readonly objects: readonly LoadObject[];
  readonly files: IoFiles;
  readonly open: OpenObject | undefined;
  /** Its programs and libraries with their lines. */
  readonly code: ProgramCode;
  /** Whether values are those of gprofng where it is wrong. */
  readonly strict: boolean;
  /** Whether events have states of OpenMP. */
  readonly hasOpenmp: boolean;
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
  readonly work?: Work;
}

/** Opens an experiment. Throws as `openInputs` does, and a usage error for other recordings. */
export async function openExperiment(
  path: string,
  { strict, maps = [], work = {} }: PrintOptions,
): Promise<Experiment> {
  const debug = { folders: [], servers: [], maps };
  const options = { cache: false, announce: () => undefined, work, inlinedFrames: false, details: true, debug };
  const opened = await openInputs([path], options);
  const source = await onlySource(opened, path);
  const [recording] = await namedRecordings(opened, work);
  const details = recording && experimentDetails(recording);
  if (source === undefined || recording?.profile === undefined || details === undefined) {
    await opened.close();
    throw new UsageError(`${path}: print reads experiments of gprofng only`);
  }
  const name = experimentName(path);
  const processes = processesOf(details, recording.processes ?? [], name);
  const { objects, classes } = loadObjectsOf(processes);
  // Of several of one name the first counts.
  const numbers = new Map([...objects].reverse().map(({ path, index }) => [path, index]));
  const open = source.files?.copyOf;
  const { codes, ...generated } = await generatedOf(source, processes, strict);
  const code = new ProgramCode(open, strict, codes);
  const program = await peerProgram(recording, open, { numbers, classes, java: code.java, ...generated, strict });
  const { state = new Int32Array(), lwp: lwps = new Int32Array() } = factsOf(details, CPU_SAMPLE_EVENTS.kind) ?? {};
  const clock = recording.profile.events.find(({ kind }) => kind === CPU_SAMPLE_EVENTS.kind);
  const states = strict
    ? await withPragmas({ program: program.program, code }, recording.profile, clock, state)
    : state;
  const solaris = processes.some(({ log }) => hasMicrostates(log));
  const own = peerRecording(recording, program, { states, lwps, strict, microstates: solaris });
  const { profile, files } = withIoFiles(own.profile ?? recording.profile, own.program);
  const peer = { ...own, profile };
  const session = sessionOfOpen([openedRecording(peer, open && { files: { copyOf: open } })], {
    close: () => opened.close(),
  });
  return {
    session,
    name,
    details,
    processes,
    profile,
    files,
    program: peer.program,
    functions: program.functions,
    objects,
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
async function generatedOf(source: OpenRecording, processes: readonly PrintedProcess[], strict: boolean) {
  // Of several processes with such code nothing says which one a place is in.
  const made = processes.map(({ map }) => generatedRecords(map)).filter((records) => records.length > 0);
  const [first = []] = made;
  const codes = await codesOf(source, firstByName(first).keys());
  const records = strict ? placed(first, codes) : first;
  return { codes, generated: firstByName(records), records: made.length === 1 ? records : [] };
}

/** The code of functions that were made at run time. */
async function codesOf({ files }: OpenRecording, symbols: Iterable<string>): Promise<readonly GeneratedCode[]> {
  const names = new Set([...symbols].map(shownSymbol));
  return names.size === 0 ? [] : ((await files?.generatedCode?.(names)) ?? []);
}

/** `c-single.er` of `../c-single.er.tar.gz`. */
function experimentName(path: string): string {
  const file = path.replace(/\/+$/, '').replace(/^.*\//, '');
  return file.replace(/\.(?:tar\.gz|tgz|tar)$/, '');
}

/** The recording of a path that has one; others are refused. */
async function onlySource({ sources, close }: Session, path: string): Promise<OpenRecording | undefined> {
  const [source, ...others] = sources;
  if (others.length === 0) return source;
  const names = sources.map((each) => each.current().recording.name).join(', ');
  await close();
  throw new UsageError(`${path} holds ${sources.length} experiments; print takes one`, `Name one of them: ${names}.`);
}

/** A process all of whose files of data are empty is left out. */
function processesOf(
  { processes }: ExperimentDetails,
  described: readonly RecordedProcess[],
  name: string,
): PrintedProcess[] {
  return processes
    .map((process, index) => ({ process, index }))
    .filter(({ process, index }) => index === 0 || [...process.packets.values()].some((count) => count > 0))
    .flatMap(({ process, index }) => {
      const recorded = described[index];
      return recorded === undefined ? [] : [{ ...process, index, recorded, samples: processSamples(recorded) }];
    })
    .map((process, i) => ({
      ...process,
      id: i + 1,
      name: process.prefix === '' ? name : `${name}/${process.prefix.replace(/\/$/, '')}`,
    }));
}
