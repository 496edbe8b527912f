/**
 * Copies the programs, sources and classes of an experiment into it, so that another machine can read it. Only what is missing is copied, and nothing
 * that has changed since it was recorded.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { stringAt } from '../../base/text.js';
import { type ByteSource, memorySource, readHead } from '../../bytes/byte-source.js';
import { archiveName, copyLine } from '../../formats/experiment/write/index.js';
import type { OpenRecording } from '../../models/open-recording.js';
import { LOAD_OBJECT_KINDS, type Program } from '../../models/program/program.js';
import { namedRecordings, type Session } from '../../session/session.js';
import { writeStream } from '../../transform/write.node.js';

export type ArchivedKind = 'object' | 'source' | 'class';

/** What is copied. */
export interface ArchiveChoice {
  readonly objects: boolean;
  readonly sources: boolean;
}

/** What was copied, and what could not be. */
export interface Archived {
  readonly copied: readonly { readonly kind: ArchivedKind; readonly path: string; readonly bytes: number }[];
  /** Copies that were there. */
  readonly present: number;
  /** Files that are gone or changed since, or were recorded on another machine. */
  readonly missing: readonly { readonly kind: ArchivedKind; readonly path: string }[];
  /** Copies of sources that stay in it though none was to be copied. */
  readonly sourcesLeft: number;
}

/** Code that no file holds. */
const WITHOUT_FILE = new Set(['kernel', 'jit', 'unmapped']);
const SOURCE = /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|[fF]\d*|java|rs|go|s|S|tcc|inc)_[\w-]{11}$/;
/** What a recorder writes, it maps, too. */
const OWN_FILE = /\.er\/[^/]*$/;
const COPY_BYTES = 1 << 20;
/** How programs and libraries begin. */
const ELF = [0x7f, 0x45, 0x4c, 0x46];

function isElf(head: Uint8Array): boolean {
  return ELF.every((byte, place) => head[place] === byte);
}

/** Archives the experiment in the directory `path`, which `session` has opened with its class and source paths. Throws UsageError for anything else. */
export async function archiveExperiment(
  session: Session,
  path: string,
  choice: ArchiveChoice,
  work: Work = {},
): Promise<Archived> {
  if (!existsSync(path) || !statSync(path).isDirectory() || !existsSync(join(path, 'log.xml')))
    throw new UsageError(`${path} is no directory of an experiment`, 'Unpack an archive first.');
  const [source] = session.sources;
  const [recording] = await namedRecordings(session, work);
  if (source === undefined || recording === undefined) throw new Error(`${path} has no recording`);
  const writer = new ArchiveWriter(path, source);
  const { program } = recording;
  if (choice.objects) for (const file of objectPaths(program)) await writer.add('object', file);
  if (choice.sources)
    for (const file of sourcePaths(program)) await writer.add('source', file, sourceFrom(session, file));
  if (choice.objects) await addClasses(writer, session, program, work);
  return writer.result(choice);
}

/** The mapped files. */
function objectPaths({ loadObjects, names }: Program): string[] {
  if (loadObjects === undefined) return [];
  const paths = Array.from(loadObjects.path, (id, row) => ({ path: stringAt(names, id), kind: loadObjects.kind[row] }));
  return unique(paths.flatMap(({ path, kind }) => (isFileOf(path, kind) ? [path] : [])));
}

function isFileOf(path: string, kind: number | undefined): boolean {
  return path.startsWith('/') && !OWN_FILE.test(path) && !WITHOUT_FILE.has(LOAD_OBJECT_KINDS[kind ?? 0] ?? '');
}

/** The sources of native functions, as debug information names them. */
function sourcePaths({ functions, names }: Program): string[] {
  if (functions.file === undefined) return [];
  const paths = Array.from(functions.file, (id, row) =>
    id < 0 || functions.class[row] >= 0 ? '' : stringAt(names, id),
  );
  return unique(paths.filter((path) => path !== ''));
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

/** A source of the source path; undefined if that has none. */
async function sourceFrom({ library }: Session, path: string): Promise<ByteSource | undefined> {
  const folders = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = folders.pop() ?? '';
  for (let depth = 0; depth <= folders.length; depth++) {
    const text = await library.sources?.find({ folder: folders.slice(depth).join('/'), file });
    if (text !== undefined) return memorySource(path, new TextEncoder().encode(`${text.lines.join('\n')}\n`));
  }
  return undefined;
}

/** The classes of Java methods, from the class path. */
async function addClasses(writer: ArchiveWriter, { library }: Session, program: Program, work: Work): Promise<void> {
  const { classes, functions, names } = program;
  const recordedClasses = new Set<string>();
  for (const id of functions.class) if (id >= 0) recordedClasses.add(stringAt(names, classes.name[id] ?? 0));
  const existing = [...recordedClasses].filter((name) => library.classes?.has(name) === true);
  const files = new Map<string, Uint8Array>();
  await library.classes?.load(existing, (name, bytes) => void files.set(name, bytes.slice()), work);
  for (const [name, bytes] of files) {
    const path = `${name.replaceAll('.', '/')}.class`;
    await writer.add('class', path, Promise.resolve(memorySource(path, bytes)));
  }
}

/** Writes copies, and says in archive.log of what they are. */
class ArchiveWriter {
  readonly #experiment: string;
  readonly #source: OpenRecording;
  readonly #folder: string;
  readonly #names: Set<string>;
  readonly #copied: Archived['copied'][number][] = [];
  readonly #missing: Archived['missing'][number][] = [];
  #present = 0;

  constructor(experiment: string, source: OpenRecording) {
    this.#experiment = experiment;
    this.#source = source;
    this.#folder = join(experiment, 'archives');
    this.#names = new Set(existsSync(this.#folder) ? readdirSync(this.#folder) : []);
  }

  /** Copies a file; `otherSource` has its bytes, else the file is opened by its path if it is the one that was recorded. */
  async add(kind: ArchivedKind, path: string, otherSource?: Promise<ByteSource | undefined>): Promise<void> {
    const name = archiveName(path);
    if (this.#names.has(name)) {
      this.#present++;
      return;
    }
    const source = (await otherSource) ?? (await this.#source.files?.copyOf(path));
    if (source === undefined) {
      this.#missing.push({ kind, path });
      return;
    }
    try {
      // Programs map data, too.
      if (kind === 'object' && !isElf(await readHead(source, ELF.length))) return;
      mkdirSync(this.#folder, { recursive: true });
      const sizes = { bytes: 0 };
      await writeStream(chunksOf(source, sizes), join(this.#folder, name), {});
      appendFileSync(join(this.#experiment, 'archive.log'), copyLine(path, `${this.#folder}/${name}`));
      this.#names.add(name);
      this.#copied.push({ kind, path, bytes: sizes.bytes });
    } finally {
      await source.close?.();
    }
  }

  result({ sources }: ArchiveChoice): Archived {
    const sourcesLeft = sources ? 0 : [...this.#names].filter((name) => SOURCE.test(basename(name))).length;
    return { copied: this.#copied, present: this.#present, missing: this.#missing, sourcesLeft };
  }
}

async function* chunksOf(source: ByteSource, sizes: { bytes: number }): AsyncGenerator<Uint8Array> {
  const stream = await source.open();
  try {
    for (;;) {
      const target = new Uint8Array(COPY_BYTES);
      const length = await stream.read(target);
      if (length === 0) return;
      sizes.bytes += length;
      yield target.subarray(0, length);
    }
  } finally {
    await stream.close();
  }
}
