/** Writes a recording to a file, in the format that its name asks for. */
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
import { openInput } from '../session/inputs.node.js';
import { functionsOnly } from './functions-only.js';

/** A file of so many bytes, and so many times as large as what was read, is announced before it is written. */
const LARGE = 256 << 20;
const FAR_LARGER = 10;

export interface OutputOptions extends WriteOptions {
  /** Id of the format; told by the ending of the name where it is not given. */
  readonly format?: string;
  /** Places within a function stay apart also where a frame is but a name. */
  readonly lines?: boolean;
  /** Only what is whole and without faults. */
  readonly salvage?: boolean;
  /** Files the recording was made of, as the user named them: they are not written over. */
  readonly inputs?: readonly string[];
  /** The recording was made from whole ones: formats that are written whole may take it although nothing stands behind it. */
  readonly made?: boolean;
  /** Receives what the user should know before a file is written that is far larger than what it is made of. */
  readonly announce?: (message: string) => void;
  /** Looks at what was written before it takes its place; what it throws keeps it from there. */
  readonly verify?: (written: ByteSource) => Promise<void>;
}

/**
 * Writes `recording` to `path` (`-` is standard output), gzipped where the name ends with `.gz`. The file appears when it
 * is whole: until then it has another name beside. Returns what the format could not hold, in words. Throws `UsageError`
 * where no format that can be written has such names.
 */
export async function writeRecording(
  recording: Recording,
  path: string,
  options: OutputOptions = {},
): Promise<readonly string[]> {
  const format = formatFor(recording, path, options.format);
  const write = options.salvage === true ? format.salvage : format.write;
  if (write === undefined)
    throw new UsageError(`${format.title}: what is whole of a damaged one cannot be written yet`);
  if (options.metric !== undefined && format.oneMetric !== true)
    throw new UsageError(`${format.title}: all metrics are written; --metric is for formats with one number a stack`);
  if (format.writesOwn !== undefined) refuseOthers(recording, format, options.made === true);
  await refuseInputs(path, options.inputs ?? []);
  // Frames that were names already stay what they were.
  const places = options.lines === true || format.oneMetric !== true || formatOf(recording.format)?.oneMetric === true;
  const written = write(places ? recording : functionsOnly(recording), options);
  const sink = await sinkOf(path);
  await foresee(path, written, sink === undefined, options);
  if (sink === undefined) await writeFile(path, written.chunks, options);
  else {
    await options.verify?.(memorySource(path, Buffer.concat([...written.chunks])));
    await sink(written.chunks);
  }
  return written.dropped;
}

/** What a format writes from more than the models it cannot write of another recording, nor of a part of one. */
function refuseOthers(recording: Recording, format: Writable, made: boolean): void {
  if (recording.format !== format.id)
    throw new UsageError(
      `${recording.name} was not read as ${format.title}: only such a recording is written as one`,
      'Stacks of any recording can be written as .collapsed and .speedscope.json.',
    );
  if (made && format.writesOwn !== 'made')
    throw new UsageError(
      `${format.title}: only what was read as one is written as one, and not what was made of several`,
      'Stacks of any recording can be written as .collapsed and .speedscope.json.',
    );
  if (recording.residue === undefined && !made)
    throw new UsageError(
      `${format.title}: it is written whole, not a part of it`,
      'Ask without --focus, --ignore, --hide, --show, --thread, --state, --time and --dump, or write .collapsed or .speedscope.json.',
    );
}

/**
 * Writes a document made of recordings to `path` (`-` is standard output), readable by its owner only: names in it may be
 * secrets. It appears when it is whole, and never over one of the `inputs` it was made of (`UsageError`).
 */
export async function writeDocument(text: string, path: string, inputs: readonly string[]): Promise<void> {
  await refuseInputs(path, inputs);
  const chunks = [new TextEncoder().encode(text)];
  const sink = await sinkOf(path);
  if (sink === undefined) await writeFile(path, chunks, {}, 0o600);
  else await sink(chunks);
}

type Chunks = Written['chunks'] | Uint8Array[];

/** Takes what is written to standard output, a device or a pipe: those are never replaced. Undefined for files. */
async function sinkOf(path: string): Promise<((chunks: Chunks) => Promise<void>) | undefined> {
  if (path === '-') return (chunks) => pipeline(chunks, process.stdout, { end: false });
  const there = await stat(osPath(path)).catch(() => undefined);
  if (there === undefined || there.isFile()) return undefined;
  if (there.isDirectory()) throw new UsageError(`${path} is a directory`, 'Name a file in it.');
  return (chunks) => pipeline(chunks, createWriteStream(osPath(path)));
}

/** A slip of the keyboard must not cost the only copy of a recording. */
async function refuseInputs(path: string, inputs: readonly string[]): Promise<void> {
  if (path === '-') return;
  const names = [path, ...inputs.map(archiveOf)];
  const [to, ...from] = await Promise.all(names.map((name) => stat(osPath(name)).catch(() => undefined)));
  if (to === undefined || !from.some((one) => one?.ino === to.ino && one.dev === to.dev)) return;
  throw new UsageError(`${path} is the input itself`, 'Write to another file, then move it over the first.');
}

/** Of a member of an archive, the archive is the input. */
function archiveOf(input: string): string {
  return input.replace(/!\/.*$/s, '');
}

/** The format that is named, else the one whose file names end as `path` does; for standard output, the recording's own. */
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
      ? `a ${recording.format} recording cannot be written as what it is`
      : `${path}: its ending is of no format that can be written`,
    `Endings that can: ${endings.join(', ')}, each also with .gz behind it; for other names: --as FORMAT.`,
  );
}

type Writable = Format & Required<Pick<Format, 'write'>>;

function isWritable(format: Format): format is Writable {
  return format.write !== undefined;
}

/** Throws `UsageError` where `path` ends as files of another format do than the one that `operation` writes. */
export function refuseOtherEnding(path: string, { id, extensions }: Format, operation: string): void {
  const plain = path.replace(/\.gz$/, '');
  const other = FORMATS.filter(isWritable).find((format) =>
    format.extensions.some((each) => plain.endsWith(`.${each}`)),
  );
  if (other === undefined || other.id === id) return;
  const first = `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}`;
  throw new UsageError(
    `${path}: ${operation} writes .${extensions.join(', .')} only`,
    `${first} first, then \`convert\` the result.`,
  );
}

function formatNamed(id: string): Writable {
  const format = formatOf(id);
  if (format !== undefined && isWritable(format)) return format;
  throw new UsageError(`${id} is no format that can be written`, `Formats that can: ${writableFormats().join(', ')}.`);
}

/** Ids of the formats that can be written. */
export function writableFormats(): string[] {
  return FORMATS.filter(isWritable).map(({ id }) => id);
}

/**
 * Says before it is written that a file will be large and far larger than its inputs. Throws `UsageError` where the disk
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
    options.announce?.(`${path}: ${size} will be written${times}: the format holds each stack whole`);
  }
  if (!isFile || packed) return;
  const { bavail, bsize } = await statfs(osPath(dirname(path)));
  if (bavail * bsize < bytes)
    throw new UsageError(
      `${path}: ${size} would be written, and its disk has ${formatBytes(bavail * bsize)} free`,
      'Nothing was written. Compress it (.gz), or write a part of it: --focus, --thread, --time.',
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
    if (!existsSync(osPath(dirname(path)))) throw new UsageError(`${path}: there is no folder ${dirname(path)}`);
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
    if (isFileTree(source)) throw new Error(`${path} was written and is no file`);
    await verify(source);
  } finally {
    await source.close?.();
  }
}
