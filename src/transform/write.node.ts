/** Writes a recording to a file, in the format of its extension. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { defined } from '../base/defined.js';
import { UsageError } from '../base/errors.js';
import { formatBytes, formatCount } from '../base/units.js';
import { type ByteSource, memorySource } from '../bytes/byte-source.js';
import { cannotOpen } from '../bytes/file.node.js';
import { isFileTree } from '../bytes/file-tree.js';
import { osPath } from '../bytes/path-bytes.node.js';
import type { Format, WriteOptions, Written } from '../formats/format.js';
import { FORMATS, formatOf } from '../formats/registry.js';
import type { Recording } from '../models/recording.js';
import { openInput } from '../session/inputs/inputs.node.js';
import { functionsOnly } from './functions-only.js';

/** A file of so many bytes, and so many times as large as what was read, is announced before it is written. */
const LARGE = 256 << 20;
const FAR_LARGER = 10;

export interface OutputOptions extends WriteOptions {
  /** Id of the format; from the file extension if not given. */
  readonly format?: string;
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
  recording: Recording,
  path: string,
  options: OutputOptions = {},
): Promise<readonly string[]> {
  const format = formatFor(recording, path, options.format);
  const write = options.salvage === true ? format.salvage : format.write;
  if (write === undefined)
    throw new UsageError(`${format.title}: writing the undamaged part of a file is not supported yet`);
  if (options.metric !== undefined && format.oneMetric !== true)
    throw new UsageError(
      `${format.title}: the file contains all metrics; --metric is for formats with one number per stack`,
    );
  if (format.writesOwn !== undefined) refuseOthers(recording, format, options.made === true);
  await refuseInputs(path, options.inputs ?? []);
  // Frames that were already names are unchanged.
  const places = options.lines === true || format.oneMetric !== true || formatOf(recording.format)?.oneMetric === true;
  const written = await write(places ? recording : functionsOnly(recording), options);
  const sink = await sinkOf(path);
  await foresee(path, written, sink === undefined, options);
  if (sink === undefined) await writeFile(path, written.chunks, options);
  else {
    await options.verify?.(memorySource(path, Buffer.concat([...written.chunks])));
    await sink(written.chunks);
  }
  return written.dropped;
}

/** A format that needs more than the models cannot write other recordings, nor parts. */
function refuseOthers(recording: Recording, format: Writable, made: boolean): void {
  if (recording.format !== format.id && format.alsoWrites?.includes(recording.format) !== true)
    throw new UsageError(
      `cannot write ${recording.name} as ${format.title}: it was read from another format`,
      'The stacks of any recording can be written as .collapsed and .speedscope.json.',
    );
  if (made && format.writesOwn !== 'made')
    throw new UsageError(
      `${format.title}: a merged recording cannot be written in this format`,
      'The stacks of any recording can be written as .collapsed and .speedscope.json.',
    );
  if (recording.residue === undefined && !made)
    throw new UsageError(
      `${format.title}: only the whole recording can be written, not a part of it`,
      'Omit --focus, --ignore, --hide, --show, --thread, --state, --time and --dump, or write .collapsed or .speedscope.json.',
    );
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

type Chunks = Written['chunks'] | Uint8Array[];

/** Writes to standard output, a device or a pipe, which are never replaced. Undefined for files. */
async function sinkOf(path: string): Promise<((chunks: Chunks) => Promise<void>) | undefined> {
  if (path === '-') return (chunks) => pipeline(chunks, process.stdout, { end: false });
  const there = await stat(osPath(path)).catch(() => undefined);
  if (there === undefined || there.isFile()) return undefined;
  if (there.isDirectory()) throw new UsageError(`${path} is a directory`, 'Give a file name in it.');
  return (chunks) => pipeline(chunks, createWriteStream(osPath(path)));
}

/** Protects inputs: a typing error must not destroy the only copy of a recording. */
async function refuseInputs(path: string, inputs: readonly string[]): Promise<void> {
  if (path === '-') return;
  const names = [path, ...inputs.map(archiveOf)];
  const [to, ...from] = await Promise.all(names.map((name) => stat(osPath(name)).catch(() => undefined)));
  if (to === undefined || !from.some((one) => one?.ino === to.ino && one.dev === to.dev)) return;
  throw new UsageError(`${path} is also the input`, 'Write to another file, then rename it.');
}

/** For a member of an archive, the archive is the input. */
function archiveOf(input: string): string {
  return input.replace(/!\/.*$/s, '');
}

/** The given format, else the one for the extension of `path`; for standard output, the recording's own. */
function formatFor(recording: Recording, path: string, named: string | undefined): Writable {
  if (named !== undefined) return formatNamed(named);
  const plain = path.replace(/\.gz$/, '');
  const format = FORMATS.find((candidate) =>
    path === '-'
      ? candidate.id === recording.format
      : candidate.extensions.some((extension) => plain.endsWith(`.${extension}`)),
  );
  if (format !== undefined && isWritable(format)) return format;
  const endings = FORMATS.filter(isWritable).flatMap(({ extensions }) =>
    extensions.map((extension) => `.${extension}`),
  );
  throw new UsageError(
    path === '-'
      ? `a recording in the format ${recording.format} cannot be written in that format`
      : `${path}: unknown output extension`,
    `Use ${endings.join(', ')}, each also with .gz, or name the format with --as FORMAT.`,
  );
}

type Writable = Format & Required<Pick<Format, 'write'>>;

function isWritable(format: Format): format is Writable {
  return format.write !== undefined;
}

/** Throws `UsageError` if `path` has the extension of another format than the one that `operation` writes. */
export function refuseOtherEnding(path: string, { id, extensions }: Format, operation: string): void {
  const plain = path.replace(/\.gz$/, '');
  const other = FORMATS.filter(isWritable).find((format) =>
    format.extensions.some((each) => plain.endsWith(`.${each}`)),
  );
  if (other === undefined || other.id === id) return;
  const first = `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}`;
  throw new UsageError(
    `${path}: ${operation} writes only .${extensions.join(', .')}`,
    `${first} first, then \`convert\` the result.`,
  );
}

function formatNamed(id: string): Writable {
  const format = formatOf(id);
  if (format !== undefined && isWritable(format)) return format;
  throw new UsageError(`cannot write the format '${id}'`, `Output formats: ${writableFormats().join(', ')}.`);
}

/** Ids of the formats that can be written. */
export function writableFormats(): string[] {
  return FORMATS.filter(isWritable).map(({ id }) => id);
}

/**
 * Says before it is written that a file will be large and far larger than its inputs. Throws `UsageError` if the disk
 * has no room for it.
 */
async function foresee(path: string, written: Written, isFile: boolean, options: OutputOptions): Promise<void> {
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
    throw new UsageError(
      `${path}: ${size} to write, but only ${formatBytes(bavail * bsize)} are free on the disk`,
      'Nothing was written. Compress the output (.gz), or write a part with --focus, --thread or --time.',
    );
}

async function writeFile(
  path: string,
  chunks: Chunks,
  { verify, work }: Pick<OutputOptions, 'verify' | 'work'>,
  mode?: number,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = await open(osPath(temporary), 'wx', mode).catch((error: unknown) => {
    if (!existsSync(osPath(dirname(path)))) throw new UsageError(`${path}: no such directory ${dirname(path)}`);
    throw new UsageError(cannotOpen(path, error).message);
  });
  // A program that is made to end has no time for the way back through the promises.
  const remove = (): void => rmSync(osPath(temporary), { force: true });
  process.once('exit', remove);
  try {
    const output = handle.createWriteStream();
    const signal = defined({ signal: work?.signal });
    if (path.endsWith('.gz')) await pipeline(chunks, createGzip(), output, signal);
    else await pipeline(chunks, output, signal);
    if (verify !== undefined) await verifyFile(temporary, verify);
    await rename(osPath(temporary), osPath(path));
  } catch (error) {
    await rm(osPath(temporary), { force: true });
    throw error;
  } finally {
    process.removeListener('exit', remove);
  }
}

async function verifyFile(path: string, verify: Required<OutputOptions>['verify']): Promise<void> {
  const source = await openInput(path, () => undefined);
  try {
    if (isFileTree(source)) throw new Error(`${path} was written but is not a file`);
    await verify(source);
  } finally {
    await source.close?.();
  }
}
