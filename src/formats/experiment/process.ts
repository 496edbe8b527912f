/** One process of an experiment: the founder, or a descendant in a folder of its own. */
import { KansokuError } from '../../base/errors.js';
import { named, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { StackBuilder } from '../../models/profile/stack-builder.js';
import type { ClassId } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { FileSet } from '../capabilities/sets.js';
import type { FactsBuilder, MapEvent } from './details.js';
import { Frames } from './frames.js';
import { JavaMethods, readJavaMethods } from './java-classes.js';
import type { EventSource } from './kinds/event-source.js';
import type { KindRows } from './kinds/kind.js';
import { type Labels, readLabels } from './labels.js';
import { address, between, type DataFile, type ExperimentLog, eventsOf, readLog, type Wide } from './log.js';
import { eachTag, wholeFile } from './markup.js';
import { cpuTimeOf, readUsage, type UsageRecord } from './overview.js';
import { eachRun, type PacketRun } from './packets.js';
import { type AddressSpace, type MapOptions, type MethodAt, readAddressSpace } from './places/address-space.js';
import { readDynamicCodes } from './places/dynamic-code.js';
import { ProcessStacks } from './stacks.js';
import { ProcessThreads, type ThreadTable } from './threads.js';

/** Notes that are longer are cut. */
const MOST_NOTES = 1 << 16;

const DESCENDANT = /^((?:[^/]+\/)*_[^/]+\.er\/)log\.xml$/;

/** The folders of the processes of an experiment, as `prefix` of `ProcessFiles`: the founder first. */
export function processesOf({ parts }: FileSet): readonly string[] {
  return ['', ...[...parts.keys()].flatMap((path) => DESCENDANT.exec(path)?.[1] ?? []).sort()];
}

/** The files of one process. */
export class ProcessFiles {
  readonly #tree: FileTree;
  readonly #set: FileSet;
  /** Folder in the experiment, with a slash; empty for the founder. */
  readonly prefix: string;
  readonly problems: ProblemLog;
  lost = false;

  constructor(tree: FileTree, set: FileSet, prefix: string, problems: ProblemLog) {
    this.#tree = tree;
    this.#set = set;
    this.prefix = prefix;
    this.problems = problems;
  }

  has(file: string): boolean {
    return this.#set.parts.has(this.prefix + file);
  }

  nameOf(file: string): string {
    return this.#tree.nameOf(this.#set.parts.get(this.prefix + file) ?? this.prefix + file);
  }

  /** What `use` makes of a file; undefined if there is no such file, or it cannot be read, which is a problem. */
  async with<Value>(file: string, use: (source: ByteSource) => Promise<Value>): Promise<Value | undefined> {
    const path = this.#set.parts.get(this.prefix + file);
    if (path === undefined) return undefined;
    try {
      const source = await this.#tree.open(path);
      try {
        return await use(source);
      } finally {
        await source.close?.();
      }
    } catch (error) {
      if (!(error instanceof KansokuError)) throw error;
      this.lost = true;
      const { message } = error;
      this.problems.add(named(this.nameOf(file), { code: 'experiment-file-lost', severity: 'error', message }));
      return undefined;
    }
  }

  async log(): Promise<ExperimentLog> {
    const bytes = await this.with('log.xml', (source) => wholeFile(source, this.problems));
    return readLog(bytes ?? new Uint8Array(), this.nameOf('log.xml'), this.problems);
  }

  /** Warnings that tools added to the recording later. */
  async warnings(): Promise<ExperimentLog['events']> {
    const bytes = await this.with('warnings.xml', (source) => wholeFile(source, this.problems));
    return bytes === undefined ? [] : eventsOf(bytes, this.nameOf('warnings.xml'), this.problems);
  }

  async labels(log: ExperimentLog): Promise<Labels> {
    const bytes = await this.with('labels.xml', (source) => wholeFile(source, this.problems));
    return readLabels(bytes ?? new Uint8Array(), this.nameOf('labels.xml'), log, this.problems);
  }

  async notes(): Promise<string | undefined> {
    const bytes = await this.with('notes', (source) => wholeFile(source, this.problems, MOST_NOTES));
    return bytes && decodeUtf8(bytes, 0, bytes.length).trim();
  }
}

/** Tables that all processes share. */
export interface SharedTables {
  readonly program: ProgramBuilder;
  readonly stacks: StackBuilder;
  readonly threads: ThreadTable;
  readonly kinds: readonly KindRows[];
}

/** What is left of a process when it was read. */
export interface ReadProcess {
  readonly log: ExperimentLog;
  readonly space: AddressSpace;
  /** Packets by the file that they are in. */
  readonly sections: ReadonlyMap<string, number>;
  /** Nanoseconds since the start of the whole recording. */
  readonly shift: number;
  readonly cpuTime: number | undefined;
  readonly usage: readonly UsageRecord[];
  /** The events of map.xml; empty unless details are collected. */
  readonly map: readonly MapEvent[];
  /** Classes of the JVM in the order in which they were loaded. */
  readonly classes: readonly ClassId[];
}

export interface ReadOptions {
  readonly number: number;
  /** Start of the whole recording. */
  readonly start: Wide;
  readonly shared: SharedTables;
  /** Paths of the programs of all processes. */
  readonly executables: ReadonlySet<string>;
  readonly work: Work;
  /** Collects what the models have no place for. */
  readonly facts?: FactsBuilder | undefined;
}

/** Reads the data of a process. */
export async function readProcess(
  files: ProcessFiles,
  log: ExperimentLog,
  { number, start, shared, executables, work, facts }: ReadOptions,
): Promise<ReadProcess> {
  const { problems } = files;
  const { program, stacks } = shared;
  const littleEndian = !log.bigEndian;
  const options = { littleEndian, problems, work };
  const methods =
    (await files.with('jclasses', (source) => readJavaMethods(source, program, options))) ?? new JavaMethods();
  const methodAt: MethodAt = (id) => methods.find(id);
  const { map, space } = await readCode(files, littleEndian, { program, methodAt, executables });
  const frames = new Frames();
  await files.with('data.frameinfo', (source) => frames.read(source, log.word, options));
  reportMissing(frames.finish(), files);
  const own = log.start ?? start;
  const shift = between(start, own);
  const threads = new ProcessThreads(shared.threads, number, threadPrefix(files), log);
  const common = {
    recorded: log.data,
    littleEndian,
    start: own,
    shift,
    frames,
    stacks: new ProcessStacks({ frames, space, methods, program, stacks, word: log.word, littleEndian }),
    threads,
    hasJava: log.data.some(({ name }) => name === 'jprofile'),
  };
  const counts = new Map<string, number>();
  for (const data of inReadingOrder(log.data)) {
    if (data.file === undefined || counts.has(data.file)) continue;
    const count = await readData(files, data, common, { kinds: shared.kinds, work, number, facts });
    if (count !== undefined) counts.set(data.file, count);
  }
  const sections = new Map(
    log.data.flatMap(({ file = '' }): [string, number][] => {
      const count = counts.get(file);
      return count === undefined ? [] : [[file, count]];
    }),
  );
  const usage = (await files.with('overview', (source) => readUsage(source, log.word, littleEndian))) ?? [];
  const kept = facts && map ? mapEvents(map, files, methods) : [];
  return { log, space, sections, shift, cpuTime: cpuTimeOf(usage), usage, map: kept, classes: [...methods.classes] };
}

/** Threads have numbers as they first appear in the data in this order, as those of gprofng; then in that of the log. */
const READING_ORDER = ['omptrace', 'profile', 'synctrace', 'iotrace', 'hwcounter', 'heaptrace'];

function inReadingOrder(data: readonly DataFile[]): DataFile[] {
  const place = ({ name }: DataFile): number => {
    const at = READING_ORDER.indexOf(name);
    return at < 0 ? READING_ORDER.length : at;
  };
  return [...data].sort((a, b) => place(a) - place(b));
}

/** Where code of a process was; the bytes of map.xml, and of dyntext with the code that was made at run time. */
export async function readCode(
  files: ProcessFiles,
  littleEndian: boolean,
  options: Pick<MapOptions, 'program' | 'methodAt' | 'executables'>,
): Promise<{
  readonly map: Uint8Array | undefined;
  readonly text: Uint8Array | undefined;
  readonly space: AddressSpace;
}> {
  const { problems } = files;
  const map = await files.with('map.xml', (source) => wholeFile(source, problems));
  const text = await files.with('dyntext', (source) => wholeFile(source, problems));
  const codes = text && readDynamicCodes(text, files.nameOf('dyntext'), { littleEndian, problems });
  const space = readAddressSpace(map ?? new Uint8Array(), files.nameOf('map.xml'), { ...options, problems, codes });
  return { map, text, space };
}

function mapEvents(bytes: Uint8Array, files: ProcessFiles, methods: JavaMethods): MapEvent[] {
  const events: MapEvent[] = [];
  // Its problems were reported when the address space was read.
  eachTag(bytes, files.nameOf('map.xml'), new ProblemLog(), ({ name, closes, attributes }) => {
    if (name !== 'event' || closes) return;
    const id = attributes.get('object') === 'jcm' ? address(attributes.get('methodId')) : undefined;
    events.push({ kind: attributes.get('kind') ?? '', attributes, ...(id && { method: methods.find(id) }) });
  });
  return events;
}

type CommonSource = Omit<EventSource, 'data' | 'layout'>;

interface DataOptions extends Pick<ReadOptions, 'number' | 'work' | 'facts'> {
  readonly kinds: readonly KindRows[];
}

/** Reads the packets of one file; their number. Kinds that no table takes are counted and reported. */
async function readData(
  files: ProcessFiles,
  data: DataFile,
  common: CommonSource,
  { kinds, work, number, facts }: DataOptions,
): Promise<number | undefined> {
  const { problems } = files;
  const readers = new Map<number, (run: PacketRun) => void>();
  /** Of kinds that are skipped. */
  const numbering = new Map<number, (run: PacketRun) => void>();
  for (const layout of data.packets) {
    const kind = kinds.find(({ packets }) => packets.includes(layout.kind));
    if (kind === undefined) {
      const numbers = facts?.numbering(number, { ...common, data, layout });
      if (numbers !== undefined) numbering.set(layout.kind, numbers);
      continue;
    }
    const source = { ...common, data, layout };
    const read = kind.reader(source);
    const also = kind.isBeside ? facts?.numbering(number, source) : facts?.reader(layout.kind, number, source);
    readers.set(layout.kind, (run) => {
      read(run);
      also?.(run);
    });
  }
  const skipped = new Map<number, number>();
  let count = 0;
  const options = { littleEndian: common.littleEndian, problems, work };
  const read = await files.with(data.file ?? '', async (source) => {
    await eachRun(source, options, (run) => {
      count += run.length;
      const reader = readers.get(run.type);
      if (reader !== undefined) reader(run);
      else {
        numbering.get(run.type)?.(run);
        skipped.set(run.type, (skipped.get(run.type) ?? 0) + run.length);
      }
    });
    return true;
  });
  for (const [type, number] of skipped) {
    const message = `${files.nameOf(data.file ?? '')}: ${number} packets of kind ${type} are skipped`;
    problems.add({ code: 'experiment-packets-skipped', severity: 'info', message });
  }
  return read === undefined ? undefined : count;
}

function reportMissing(missing: number, files: ProcessFiles): void {
  if (missing === 0) return;
  const message = `${files.nameOf('data.frameinfo')}: ${missing} stacks are named but missing`;
  files.problems.add({ code: 'experiment-stack-missing', severity: 'warning', message });
}

/** `_f1 ` for threads of the descendant in `_f1.er/`. */
function threadPrefix({ prefix }: ProcessFiles): string {
  return prefix === '' ? '' : `${prefix.replace(/\.er\/$/, '')} `;
}

/** Path of the program: the first word of the command, in the directory of the process. */
export function executableOf({ command, process }: ExperimentLog): string | undefined {
  const word = command?.split(' ')[0];
  if (word === undefined || word === '' || word.startsWith('/')) return word;
  const parts: string[] = (process.get('cwd') ?? '').split('/');
  for (const part of word.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
