/** Writes a recording to a file, in the format of its extension. */
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir, stat, statfs, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { recordedGraph } from '../analysis/heap/recorded/recorded-graph.js';
import { defined } from '../base/defined.js';
import { randomDigits } from '../base/digest.node.js';
import { UsageError } from '../base/errors.js';
import { joinedPhrases, type Phrase, phrase, theOption, theStep } from '../base/phrase.js';
import { formatBytes, formatCount } from '../base/units.js';
import { type ByteSource, memorySource } from '../bytes/byte-source.js';
import { cannotOpen } from '../bytes/file.node.js';
import { isFileTree } from '../bytes/file-tree.js';
import { osPath } from '../bytes/path-bytes.node.js';
import type { ObjectOptions, WholeRecordings, WriteOptions, Written } from '../formats/capabilities/writer.js';
import { formatOf } from '../formats/registry.js';
import type { HeapReader } from '../models/heap/heap.js';
import type { Recording } from '../models/recording.js';
import { openInput } from '../session/inputs/inputs.node.js';
import { functionsOnly } from './functions-only.js';
import { withObservedCalls } from './observed-calls.js';
import { endsAsFolder, endsAsSet, formatFor, type Writable } from './output-format.js';
import { reportLink, reportPath, setOutput } from './report-names.js';

/** A file of so many bytes, and so many times as large as what was read, is announced before it is written. */
const LARGE = 256 << 20;
const FAR_LARGER = 10;

export interface FileWriteOptions extends WriteOptions, ObjectOptions {
  /** Id of the format; from the file extension if not given. */
  readonly format?: string;
  /** Reads the heaps of the recording, for formats that write their objects. */
  readonly heaps?: HeapReader;
  /** Keep places within a function separate even if a frame is only a name. */
  readonly lines?: boolean;
  /** Only the undamaged, valid part. */
  readonly salvage?: boolean;
  /** Files of the recording, as given by the user: they are not overwritten. */
  readonly inputs?: readonly string[];
  /**
   * The recording was made from whole ones: formats that write only whole recordings accept it without a source file.
   */
  readonly made?: boolean;
  /** Receives a message before a file is written that is far larger than its inputs. */
  readonly announce?: (message: string) => void;
  /** Verifies the written file before it is moved to its place; if it throws, the file is removed. */
  readonly verify?: (written: ByteSource) => Promise<void>;
}

/**
 * Writes `recording` to `path` (`-` is standard output), gzip-compressed if the name ends with `.gz`. The file appears
 * when it is complete: until then it has a temporary name beside. Returns notes on data that the format cannot contain.
 * Throws `UsageError` for an unknown output extension.
 */
export async function writeRecording(
  whole: Recording,
  path: string,
  options: FileWriteOptions = {},
): Promise<readonly Phrase[]> {
  const format = formatFor(whole, path, options.format);
  const { recording, dropped } = withObservedCalls(whole, format.id);
  return [...dropped, ...(await writeTo(recording, path, format, options))];
}

async function writeTo(
  recording: Recording,
  path: string,
  format: Writable,
  options: FileWriteOptions,
): Promise<readonly Phrase[]> {
  const { file, objects, set } = format.writer;
  const isSet = options.salvage !== true && endsAsSet(path, format);
  refuseVersion(format, isSet, options);
  if (isSet) return writeSet(recording, path, format, options);
  const write = options.salvage === true ? file?.salvage : (objects ?? file?.write);
  if (write === undefined)
    throw new UsageError(
      options.salvage === true
        ? `${format.title}: writing the undamaged part of a file is not supported yet`
        : `${format.title}: it has several files, so the name of the output ends with .${set?.extensions.join(', .')}`,
      { code: 'not-writable' },
    );
  if (options.metric !== undefined && file?.oneMetric !== true)
    throw new UsageError(
      phrase`${format.title}: the file contains all metrics; ${theOption('metric')} is for formats with one number per stack`,
      { code: 'all-metrics-written', action: { omit: ['metric'] } },
    );
  if (options.expansion !== undefined && objects === undefined)
    throw new UsageError(
      `${format.title}: it has no objects; patterns of types and roots are for formats with objects`,
      { code: 'no-objects' },
    );
  if (file?.whole !== undefined) refuseOthers(recording, format, file.whole, options.made === true);
  await refuseInputs(path, options.inputs ?? []);
  // Frames that were already names are unchanged.
  const areNames = formatOf(recording.format)?.writer?.file?.oneMetric === true;
  const places = options.lines === true || file?.oneMetric !== true || areNames;
  const whole = objects === undefined ? recording : await withObjects(recording, options);
  const written = await write(places ? whole : functionsOnly(whole), options);
  const sink = await sinkOf(path);
  await foresee(path, written, sink === undefined, options);
  if (sink === undefined) {
    await writeFile(path, written.chunks, options);
    await linkTo(path, reportLink(path, format));
  } else {
    await options.verify?.(memorySource(path, Buffer.concat([...written.chunks])));
    await sink(written.chunks);
  }
  return written.dropped;
}

/**
 * Where a recording is written that is to be written to `path`: in a directory, under the name that reports of the format have, as tables if
 * `version` names one. Throws `UsageError` for formats without such names.
 */
export async function outputPath(
  recording: Recording,
  path: string,
  { format: named, version }: Pick<FileWriteOptions, 'format' | 'version'>,
): Promise<string> {
  const there = path === '-' ? undefined : await stat(osPath(path)).catch(() => undefined);
  if (there?.isDirectory() !== true || endsAsFolder(path)) return path;
  const format = formatFor(recording, '-', named ?? recording.format);
  const tables = version !== undefined && format.writer.set !== undefined;
  return reportPath(path, recording, format, { tables, now: new Date() });
}

/** Throws `UsageError` where a version would change nothing. */
function refuseVersion({ title, writer }: Writable, isSet: boolean, { version }: FileWriteOptions): void {
  const { file, set } = writer;
  if (version === undefined || (isSet ? set : file)?.versions === true) return;
  if (set?.versions !== true)
    throw new UsageError(`${title}: there are no versions to choose from`, {
      code: 'no-versions',
      action: { omit: ['version'] },
    });
  throw new UsageError(phrase`${title}: one file has no versions; ${theOption('version')} is for its tables`, {
    code: 'no-versions',
    advice: `Name a file that ends with .${set.extensions.join(', .')}, or a directory.`,
    action: { omit: ['version'] },
  });
}

/** The recording with all objects of its last heap, which are read from the source where they are not recorded. */
async function withObjects(recording: Recording, { heaps, work }: FileWriteOptions): Promise<Recording> {
  const heap = recording.heaps?.at(-1);
  if (heap === undefined || heap.recorded !== undefined || heaps === undefined) return recording;
  const recorded = await recordedGraph(recording.program, heap, heaps, work);
  return { ...recording, heaps: [...(recording.heaps ?? []).slice(0, -1), { ...heap, recorded }] };
}

const SELECTING = ['focus', 'ignore', 'hide', 'show', 'thread', 'process', 'state', 'time'];
const WITHOUT_SCOPE = {
  code: 'whole-only',
  advice: phrase`Omit ${joinedPhrases(
    SELECTING.map((kind) => theStep(kind)),
    ', ',
  )} and ${theStep('dump')}, or write .collapsed or .speedscope.json.`,
  action: { omitSteps: [...SELECTING, 'dump'] },
};

/** A format that needs more than the models cannot write other recordings, nor parts. */
function refuseOthers(recording: Recording, format: Writable, whole: WholeRecordings, made: boolean): void {
  if (!whole.formats.includes(recording.format))
    throw new UsageError(`cannot write ${recording.name} as ${format.title}: it was read from another format`, {
      code: 'other-format',
      advice: 'The stacks of any recording can be written as .collapsed and .speedscope.json.',
    });
  if (made && !whole.made)
    throw new UsageError(`${format.title}: a merged recording cannot be written in this format`, {
      code: 'not-writable',
      advice: 'The stacks of any recording can be written as .collapsed and .speedscope.json.',
    });
  if (recording.residue === undefined && !made)
    throw new UsageError(`${format.title}: only the whole recording can be written, not a part of it`, WITHOUT_SCOPE);
}

/**
 * Writes a document to `path` (`-` is standard output), readable only by its owner, since names in it may be
 * confidential. It appears when it is complete, and never replaces one of its `inputs` (`UsageError`).
 */
export async function writeDocument(text: string, path: string, inputs: readonly string[]): Promise<void> {
  await refuseInputs(path, inputs);
  const chunks = [new TextEncoder().encode(text)];
  const sink = await sinkOf(path);
  if (sink === undefined) await writeFile(path, chunks, {}, 0o600);
  else await sink(chunks);
}

type Chunks = Written['chunks'] | Uint8Array[] | AsyncIterable<Uint8Array>;

/**
 * Writes the bytes of a file to `path` as `writeRecording` does, readable only by its owner; `verify` is not called where it is no
 * regular file. Throws `UsageError` if it is one of the `inputs`.
 */
export async function writeStream(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  { inputs = [], ...options }: Pick<FileWriteOptions, 'inputs' | 'verify' | 'work'>,
): Promise<void> {
  await refuseInputs(path, inputs);
  const sink = await sinkOf(path);
  if (sink === undefined) await writeFile(path, chunks, options, 0o600);
  else await sink(chunks);
}

/**
 * Writes the files of a set; all of them appear when all are complete. Links to the latest ones are made beside them, except where a file
 * has the name of a link.
 */
async function writeSet(
  recording: Recording,
  path: string,
  { title, writer }: Writable,
  options: FileWriteOptions,
): Promise<readonly Phrase[]> {
  const { set } = writer;
  if (set === undefined)
    throw new UsageError(`${title}: writing several files is not supported`, { code: 'not-writable' });
  if (options.metric !== undefined)
    throw new UsageError(
      phrase`${title}: the files contain the whole report; ${theOption('metric')} is for formats with one number per stack`,
      { code: 'all-metrics-written', action: { omit: ['metric'] } },
    );
  const { parts, dropped } = await set.write(recording, options, path);
  const output = setOutput(path, parts.keys(), { writer });
  if (set.inFolder === true) await makeFolder(output);
  const staged: StagedFile[] = [];
  try {
    for (const [part, chunks] of parts) {
      const partPath = set.fileName(part, output);
      if (existsSync(osPath(partPath))) await refuseInputs(partPath, await filesOf(options.inputs ?? []));
      staged.push(await stagedFile(partPath, chunks, options));
    }
  } catch (error) {
    for (const file of staged) await file.discard();
    if (set.inFolder === true) await rmdir(osPath(output));
    throw error;
  }
  for (const file of staged) await file.place();
  for (const part of parts.keys()) await linkTo(set.fileName(part, output), set.linkName?.(part, output));
  return dropped;
}

/** Makes the directory of a set. Throws `UsageError` if it exists: files of another recording would stay in it. */
async function makeFolder(output: string): Promise<void> {
  if (existsSync(osPath(output)))
    throw new UsageError(`${output} exists`, { code: 'file-exists', advice: 'Remove it, or write to another name.' });
  await mkdir(osPath(output)).catch((error: unknown) => {
    throw new UsageError(cannotOpen(output, error).message, { code: 'cannot-write' });
  });
}

/** The inputs and, as sets have several, all files beside and in them. */
async function filesOf(inputs: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const input of inputs.map(archiveOf)) {
    const folder = (await stat(osPath(input)).catch(() => undefined))?.isDirectory() === true ? input : dirname(input);
    const names = await readdir(osPath(folder)).catch(() => []);
    files.push(input, ...names.map((name) => join(folder, name)));
  }
  return files;
}

/** Makes a relative link, or replaces one. */
async function linkTo(path: string, link: string | undefined): Promise<void> {
  if (link === undefined || link === path) return;
  const there = await lstat(osPath(link)).catch(() => undefined);
  if (there !== undefined && !there.isSymbolicLink()) return;
  await rm(osPath(link), { force: true });
  await symlink(basename(path), osPath(link));
}

/** Writes to standard output, a device or a pipe, which are never replaced. Undefined for files. */
async function sinkOf(path: string): Promise<((chunks: Chunks) => Promise<void>) | undefined> {
  if (path === '-') return (chunks) => pipeline(chunks, process.stdout, { end: false });
  const there = await stat(osPath(path)).catch(() => undefined);
  if (there === undefined || there.isFile()) return undefined;
  if (there.isDirectory())
    throw new UsageError(`${path} is a directory`, { code: 'is-directory', advice: 'Give a file name in it.' });
  return (chunks) => pipeline(chunks, createWriteStream(osPath(path)));
}

/** Protects inputs: a typing error must not destroy the only copy of a recording. */
async function refuseInputs(path: string, inputs: readonly string[]): Promise<void> {
  if (path === '-') return;
  const names = [path, ...inputs.map(archiveOf)];
  const [to, ...from] = await Promise.all(names.map((name) => stat(osPath(name)).catch(() => undefined)));
  if (to === undefined || !from.some((one) => one?.ino === to.ino && one.dev === to.dev)) return;
  throw new UsageError(`${path} is also the input`, {
    code: 'same-file',
    advice: 'Write to another file, then rename it.',
  });
}

/** For a member of an archive, the archive is the input. */
function archiveOf(input: string): string {
  return input.replace(/!\/.*$/s, '');
}

/**
 * Says before it is written that a file will be large and far larger than its inputs. Throws `UsageError` if the disk
 * has no room for it.
 */
async function foresee(path: string, written: Written, isFile: boolean, options: FileWriteOptions): Promise<void> {
  const bytes = written.estimate?.() ?? 0;
  if (bytes < LARGE) return;
  const inputs = await Promise.all(
    (options.inputs ?? []).map((input) => stat(osPath(archiveOf(input))).catch(() => undefined)),
  );
  const read = inputs.reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0);
  const packed = path.endsWith('.gz');
  const size = `about ${formatBytes(bytes)}${packed ? ' before compression' : ''}`;
  if (bytes >= read * FAR_LARGER) {
    const times = read === 0 ? '' : `, ${formatCount(Math.round(bytes / read))} times the size of the input`;
    options.announce?.(`${path}: ${size} will be written${times}: the format repeats each stack in full`);
  }
  if (!isFile || packed) return;
  const { bavail, bsize } = await statfs(osPath(dirname(path)));
  if (bavail * bsize < bytes)
    throw new UsageError(`${path}: ${size} to write, but only ${formatBytes(bavail * bsize)} are free on the disk`, {
      code: 'disk-full',
      advice: phrase`Nothing was written. Compress the output (.gz), or write a part with ${theStep('focus')}, ${theStep('thread')} or ${theStep('time')}.`,
      action: { addSteps: ['focus'] },
    });
}

async function writeFile(
  path: string,
  chunks: Chunks,
  options: Pick<FileWriteOptions, 'verify' | 'work'>,
  mode?: number,
): Promise<void> {
  await (await stagedFile(path, chunks, options, mode)).place();
}

/** A file that is complete, under a temporary name beside its place. */
interface StagedFile {
  readonly place: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

async function stagedFile(
  path: string,
  chunks: Chunks,
  { verify, work }: Pick<FileWriteOptions, 'verify' | 'work'>,
  mode?: number,
): Promise<StagedFile> {
  const temporary = `${path}.${randomDigits(6)}`;
  // A program that is made to end has no time for the way back through the promises, perhaps not even for that of `open`.
  const remove = (): void => rmSync(osPath(temporary), { force: true });
  process.once('exit', remove);
  const handle = await open(osPath(temporary), 'wx', mode).catch((error: unknown) => {
    process.removeListener('exit', remove);
    if (!existsSync(osPath(dirname(path))))
      throw new UsageError(`${path}: no such directory ${dirname(path)}`, { code: 'no-directory' });
    throw new UsageError(cannotOpen(path, error).message, { code: 'cannot-write' });
  });
  const discard = async (): Promise<void> => {
    // Until it is gone: a second signal ends the program at once.
    await rm(osPath(temporary), { force: true });
    process.removeListener('exit', remove);
  };
  const orDiscard = async (done: Promise<void>): Promise<void> => {
    try {
      await done;
    } catch (error) {
      await discard();
      throw error;
    }
  };
  const output = handle.createWriteStream();
  const signal = defined({ signal: work?.signal });
  await orDiscard(
    path.endsWith('.gz') ? pipeline(chunks, createGzip(), output, signal) : pipeline(chunks, output, signal),
  );
  if (verify !== undefined) await orDiscard(verifyFile(temporary, verify));
  const place = async (): Promise<void> => {
    await orDiscard(rename(osPath(temporary), osPath(path)));
    process.removeListener('exit', remove);
  };
  return { place, discard };
}

async function verifyFile(path: string, verify: Required<FileWriteOptions>['verify']): Promise<void> {
  const source = await openInput(path, () => undefined);
  try {
    if (isFileTree(source)) throw new Error(`${path} was written but is not a file`);
    await verify(source);
  } finally {
    await source.close?.();
  }
}
