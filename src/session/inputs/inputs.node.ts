/**
 * Opens the arguments of the command line for detection: a file, standard input (`-`), a directory, an archive, a
 * member of an archive (`archive.zip!/inner/path`). gzip is decompressed. The kind of a file depends on its content,
 * never on its name.
 */
import { existsSync, type Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { KansokuError, UnreadableError, UsageError } from '../../base/errors.js';
import { closestName } from '../../base/parsing/closest-name.js';
import { named, type Problem } from '../../base/problems.js';
import { isTar, isZip } from '../../bytes/archive/marks.js';
import { type ByteSource, type RandomSource, readHead } from '../../bytes/byte-source.js';
import { directoryTree, fileWithSiblings } from '../../bytes/directory.node.js';
import { cannotOpen } from '../../bytes/file.node.js';
import {
  type FileTree,
  findMember,
  folderOf,
  hasSiblings,
  isFileTree,
  type SourceWithSiblings,
  subtree,
} from '../../bytes/file-tree.js';
import { gunzip, gunzipMembers, isGzip } from '../../bytes/gzip.node.js';
import { osPath } from '../../bytes/path-bytes.node.js';
import { pipeSource, standardInputSource } from '../../bytes/pipe.node.js';
import { type Announce, randomAccess } from '../../bytes/spool.node.js';

/** The input for an argument. */
export type Input = ByteSource | FileTree;

/** Between an archive and the path of a member in it. */
const INSIDE = '!/';
/** Between inputs that are one recording. */
const TOGETHER = '+';
/** Enough to know gzip, tar (one block) and zip. */
const HEAD_BYTES = 512;
/** Bytes read of a character device: an endless one (`/dev/zero`) is not a recording. */
const DEVICE_LIMIT = 1 << 30;
/** Most members that `sourcesOf` returns. */
const SOURCES = 10_000;

/**
 * Opens the input `text`. An archive without `!/` and a directory give their tree, others a source. Throws
 * `UnreadableError` if it does not exist, with a similar name as advice. `announce` is called when something must be
 * copied.
 */
export async function openInput(text: string, announce?: Announce): Promise<Input> {
  if (text === '') throw new UsageError('the name of an input is empty', { code: 'empty-path' });
  if (text === '-') return unwrap(await standardInputSource({ announce }), announce);
  const { path, inside } = await splitPath(text);
  let input = await openPath(path, announce);
  for (const member of inside) input = await openMember(input, member, announce);
  return input;
}

/**
 * The sources of an input to detect one by one: itself, or the first 10,000 files of its tree, sorted by path. gzip is
 * decompressed. A file that cannot be opened fails when it is read.
 */
export async function sourcesOf(input: Input, announce?: Announce): Promise<readonly ByteSource[]> {
  if (!isFileTree(input)) return [input];
  const files = input.members.filter((member) => member.kind === 'file');
  if (files.length > SOURCES)
    announce?.(`${input.name}: examining only the first ${SOURCES} of its ${files.length} files`);
  const tree = gunzipMembers(input);
  const sources: ByteSource[] = [];
  for (const { path } of files.slice(0, SOURCES)) {
    const source = await tree.open(path).catch((error: unknown) => failingSource(input.nameOf(path), error));
    sources.push(withSiblings(source, tree, path));
  }
  return sources;
}

/**
 * The inputs that are one recording: `A+B` names two, and `A+` all that A names. Undefined where the text is the name of a file, or where nothing is called
 * so before the first plus sign.
 */
export async function inputsTogether(text: string): Promise<readonly string[] | undefined> {
  if (!text.includes(TOGETHER) || (await exists(text))) return undefined;
  const parts = text.split(TOGETHER);
  for (let count = 1; count < parts.length; count++) {
    const first = parts.slice(0, count).join(TOGETHER);
    if (!(await exists(first))) continue;
    const rest = parts.slice(count).join(TOGETHER);
    return rest === '' ? [first] : [first, ...((await inputsTogether(rest)) ?? [rest])];
  }
  return undefined;
}

/** Whether there is such a file or directory; of a member, whether there is its archive. */
async function exists(text: string): Promise<boolean> {
  return (await statOf((await splitPath(text)).path)) !== undefined;
}

/** Splits at `!/`, except where it is part of an existing path. */
async function splitPath(text: string): Promise<{ path: string; inside: string[] }> {
  const parts = text.split(INSIDE);
  for (let count = parts.length; count > 1; count--) {
    const path = parts.slice(0, count).join(INSIDE);
    if ((await statOf(path)) !== undefined) return { path, inside: parts.slice(count) };
  }
  return { path: parts[0], inside: parts.slice(1) };
}

async function openPath(path: string, announce: Announce | undefined): Promise<Input> {
  const stats = await stat(osPath(path)).catch(async (error: unknown) => {
    const reason = cannotOpen(path, error);
    const isThere = (await lstat(osPath(path)).catch(() => undefined)) !== undefined;
    throw new UnreadableError(reason.message, {
      code: 'cannot-open',
      advice: isThere ? undefined : (processAdvice(path) ?? (await similarPath(path))),
    });
  });
  if (stats.isDirectory()) return directoryTree(path);
  if (stats.isFIFO()) return unwrap(await pipeSource(path, path, { announce }), announce);
  if (stats.isCharacterDevice())
    return unwrap(await pipeSource(path, path, { announce, limit: DEVICE_LIMIT }), announce);
  return unwrap(withPlainSiblings(await fileWithSiblings(path)), announce);
}

/** What to do with the number of a process, which people of jstack and jcmd give. */
function processAdvice(path: string): string | undefined {
  if (!/^\d+$/.test(path) || !existsSync(`/proc/${path}`)) return undefined;
  return `There is a process ${path}. Of a JVM, read a dump of its threads: jcmd ${path} Thread.print | kansoku threads -`;
}

async function openMember(input: Input, path: string, announce: Announce | undefined): Promise<Input> {
  if (!isFileTree(input))
    throw new UnreadableError(`${input.name}: not an archive or directory, so it cannot contain ${path}`, {
      code: 'not-an-archive',
    });
  const member = findMember(input, path);
  if (member === undefined) {
    throw new UnreadableError(`${input.nameOf(path)}: no such member`, {
      code: 'no-member',
      advice: similarMember(input, path),
    });
  }
  if (member.kind === 'directory') return subtree(input, member.path);
  const source = await input.open(member.path);
  return unwrap(withSiblings(source, gunzipMembers(input), member.path), announce);
}

/** Decompresses gzip and lists archives. A tree has the problems of the archive it lies in, too. */
async function unwrap(source: ByteSource, announce: Announce | undefined): Promise<Input> {
  const head = await readHead(source, HEAD_BYTES);
  if (!isGzip(head)) return (await treeIn(source, head, announce)) ?? source;
  const plain = gunzip(source);
  const plainHead = await readHead(plain, HEAD_BYTES);
  if (isGzip(plainHead))
    throw new UnreadableError(`${source.name}: compressed twice with gzip`, {
      code: 'compressed-twice',
      advice: 'Decompress it once with gunzip, then open the result.',
    });
  return (await treeIn(plain, plainHead, announce)) ?? plain;
}

/** The tree of an archive; undefined for others. */
async function treeIn(
  source: ByteSource,
  head: Uint8Array,
  announce: Announce | undefined,
): Promise<FileTree | undefined> {
  const zip = isZip(head);
  if (!zip && !isTar(head)) return undefined;
  const archive = await randomAccess(source, { announce });
  try {
    const tree = await (zip ? openZip(archive) : openTar(archive));
    // Only the copy has the damage of its container.
    const damage = archive === source ? undefined : await damageOf(archive);
    const wrapping = damage === undefined ? [] : [named(source.name, damage)];
    return { ...tree, problems: [...(source.carrierProblems ?? []), ...wrapping, ...tree.problems] };
  } catch (error) {
    await archive.close?.();
    throw error;
  }
}

async function openZip(archive: RandomSource): Promise<FileTree> {
  return (await import('../../bytes/archive/zip.node.js')).openZip(archive);
}

async function openTar(archive: RandomSource): Promise<FileTree> {
  return (await import('../../bytes/archive/tar.node.js')).openTar(archive);
}

async function damageOf(copy: RandomSource): Promise<Problem | undefined> {
  const stream = await copy.open();
  const damage = stream.damage();
  await stream.close();
  return damage;
}

/** The source of a member, with the members beside it and the problems of the tree. */
function withSiblings(member: ByteSource, tree: FileTree, path: string): ByteSource {
  const source = tree.problems.length === 0 ? member : { ...member, carrierProblems: tree.problems };
  if (tree.carrier === 'directory') return withPlainSiblings(source);
  const withFolder: SourceWithSiblings = { ...source, siblings: () => Promise.resolve(folderOf(tree, path)) };
  return withFolder;
}

/** The source with decompressed siblings. */
function withPlainSiblings(source: ByteSource): ByteSource {
  if (!hasSiblings(source)) return source;
  const plain: SourceWithSiblings = { ...source, siblings: async () => gunzipMembers(await source.siblings()) };
  return plain;
}

function failingSource(name: string, error: unknown): ByteSource {
  if (!(error instanceof KansokuError)) throw error;
  return { name, size: undefined, open: () => Promise.reject(error) };
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(osPath(path)).catch(() => undefined);
}

/** Advice on a path that does not exist: a similar name for its first missing part. */
async function similarPath(path: string): Promise<string | undefined> {
  let missing = path;
  while (dirname(missing) !== missing && (await statOf(dirname(missing))) === undefined) missing = dirname(missing);
  const folder = dirname(missing);
  const rest = path.slice(missing.length);
  if ((await statOf(folder))?.isFile())
    return `For a member of an archive, use ${folder}${INSIDE}${basename(missing)}${rest}.`;
  const near = closestName(basename(missing), await readdir(folder).catch(() => []));
  if (near !== undefined)
    return `Did you mean ${missing.slice(0, missing.lastIndexOf(basename(missing)))}${near}${rest}?`;
  return missing === path ? undefined : `${missing} does not exist either.`;
}

function similarMember(tree: FileTree, path: string): string | undefined {
  const near = closestName(
    path,
    tree.members.map((member) => member.path),
  );
  if (near !== undefined) return `Did you mean ${tree.nameOf(near)}?`;
  return tree.problems[0] === undefined ? undefined : `Members may be missing: ${tree.problems[0].message}.`;
}
