/**
 * Finds source files on this machine. An entry is a directory of sources (or of a project, with the usual source
 * folders), a jar or zip of sources, the home of a JDK (its `src.zip`, where modules are the first folders), `FOLDER/*`
 * for the jars of a folder, or several of these joined as for `java -cp`.
 *
 * A file is found by package folder and file name. In an archive the folder may be deeper; then the file must declare
 * the package. Names come from class files and recordings, so those that could lead out of the entry are rejected.
 * Cost: listing the archives; files are read on demand, and the last 32 are kept.
 */
import { stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { addToList } from '../../base/columns/lists.js';
import { KansokuError, UnreadableError, UsageError } from '../../base/errors.js';
import { type Problem, ProblemLog } from '../../base/problems.js';
import { uniqueName } from '../../base/unique.js';
import { openZip } from '../../bytes/archive/zip.node.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { cannotOpen, fileSource } from '../../bytes/file.node.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { SourceFinder, SourcePlace, SourceText } from '../../models/program/code.js';
import { exists, pathElements } from '../path-elements.node.js';
import { problemList } from '../problem-list.js';
import { readWhole } from '../read-whole.js';
import { decodeSource, linesOf, packageOf } from './source-text.js';

/** A source path that reports problems of the files it read. */
export interface SourcePath extends SourceFinder {
  readonly problems: readonly Problem[];
  close(): Promise<void>;
}

/** Larger source files are not read. */
const LARGEST_SOURCE = 16 << 20;
const KEPT = 32;

/**
 * Opens the entries in their order. An unreadable entry is a problem (`source-path-entry`); if all are unreadable, the
 * first `UnreadableError` or `FormatError` is thrown.
 */
export async function openSourcePath(entries: readonly string[]): Promise<SourcePath> {
  const log = new ProblemLog();
  const opened: Entry[] = [];
  let failure: KansokuError | undefined;
  for (const element of await pathElements(entries)) {
    try {
      opened.push(await openEntry(element));
    } catch (error) {
      if (!(error instanceof KansokuError)) throw error;
      failure ??= error;
      log.add({ code: 'source-path-entry', severity: 'error', message: error.message });
    }
  }
  if (opened.length === 0)
    throw (
      failure ??
      new UsageError('the source path is empty', { code: 'empty-path', advice: 'Give a directory or an archive.' })
    );
  for (const { tree } of opened) for (const problem of tree?.problems ?? []) log.add(problem);
  return new Sources(entries.join(delimiter), opened, log);
}

/** One entry of a source path. */
interface Entry {
  /** Archives only. */
  readonly tree?: FileTree;
  /** Candidates for the file of a place, the likeliest first. */
  candidates(place: SourcePlace): Promise<readonly Candidate[]>;
}

interface Candidate {
  readonly name: string;
  /** Whether its folders are those of the package, so that the file need not declare it. */
  readonly exact: boolean;
  open(): Promise<ByteSource>;
}

async function openEntry(path: string): Promise<Entry> {
  const stats = await stat(path).catch((error: unknown) => {
    throw cannotOpen(path, error);
  });
  if (!stats.isDirectory()) return archiveEntry(await openZip(await fileSource(path)));
  for (const archive of [join(path, 'lib', 'src.zip'), join(path, 'src.zip')])
    if (await exists(archive)) return archiveEntry(await openZip(await fileSource(archive)));
  if (await exists(join(path, 'lib', 'modules')))
    throw new UnreadableError(`${path}: this JDK has no lib/src.zip`, {
      code: 'no-source',
      advice:
        'Install the sources of the JDK (on Debian the package openjdk-VERSION-source), or give a source archive.',
    });
  return directoryEntry(path);
}

/** Source folders of projects. */
const SOURCE_ROOTS = [
  '',
  'src/main/java',
  'src/main/kotlin',
  'src/main/scala',
  'src/main/groovy',
  'src',
  'src/test/java',
];

function directoryEntry(root: string): Entry {
  const candidates = async ({ module, folder, file }: SourcePlace): Promise<readonly Candidate[]> => {
    const ofModule = module === undefined ? [] : [module, `src/${module}/share/classes`];
    for (const sources of [...ofModule, ...SOURCE_ROOTS]) {
      const name = join(root, sources, folder, file);
      if (await isFile(name)) return [{ name, exact: true, open: () => fileSource(name) }];
    }
    return [];
  };
  return { candidates };
}

/** Files of an archive by their name without folders; created on first use. */
function archiveEntry(tree: FileTree): Entry {
  let byName: Map<string, string[]> | undefined;
  const candidates = ({ module, folder, file }: SourcePlace): Promise<readonly Candidate[]> => {
    byName ??= filesByName(tree);
    const inside = folder === '' ? file : `${folder}/${file}`;
    const exact = [...(module === undefined ? [] : [`${module}/${inside}`]), inside];
    const paths = (byName.get(file) ?? []).filter((path) => path === inside || path.endsWith(`/${inside}`));
    const rank = (path: string): number => (exact.includes(path) ? exact.indexOf(path) : exact.length);
    paths.sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
    return Promise.resolve(
      paths.map((path) => ({ name: tree.nameOf(path), exact: exact.includes(path), open: () => tree.open(path) })),
    );
  };
  return { tree, candidates };
}

function filesByName(tree: FileTree): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const { path, kind } of tree.members) {
    if (kind === 'file') addToList(byName, path.slice(path.lastIndexOf('/') + 1), path);
  }
  return byName;
}

class Sources implements SourcePath {
  readonly name: string;
  readonly id = uniqueName('sources');
  readonly #entries: readonly Entry[];
  readonly #log: ProblemLog;
  /** The most recently used places, oldest first. */
  readonly #kept = new Map<string, Promise<SourceText | undefined>>();

  constructor(name: string, entries: readonly Entry[], log: ProblemLog) {
    this.name = name;
    this.#entries = entries;
    this.#log = log;
  }

  get problems(): readonly Problem[] {
    return problemList(this.#log.finish());
  }

  find(place: SourcePlace): Promise<SourceText | undefined> {
    const key = `${place.module ?? ''}\0${place.folder}\0${place.file}`;
    const found = this.#kept.get(key) ?? this.#find(place);
    this.#kept.delete(key);
    this.#kept.set(key, found);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return found;
  }

  async #find(place: SourcePlace): Promise<SourceText | undefined> {
    if (!staysInside(place)) return undefined;
    for (const entry of this.#entries) {
      for (const { name, exact, open } of await entry.candidates(place)) {
        const bytes = await readWhole(open, LARGEST_SOURCE, 'source-unreadable');
        if ('code' in bytes) {
          this.#log.add(bytes);
          continue;
        }
        const { text, undecodable } = decodeSource(bytes);
        if (!exact && packageOf(text) !== place.folder.replaceAll('/', '.')) continue;
        if (undecodable >= 0) this.#log.add(notUtf8(name, undecodable));
        return { name, lines: linesOf(text) };
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    for (const { tree } of this.#entries) await tree?.close();
  }
}

function notUtf8(name: string, offset: number): Problem {
  const message = `${name}: not valid UTF-8; invalid bytes are shown as \ufffd`;
  return { code: 'source-encoding', severity: 'warning', message, offset };
}

/** Whether the names of a place stay below the folder they are joined to. */
function staysInside({ module, folder, file }: SourcePlace): boolean {
  const isName = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part);
  return isName(file) && (folder === '' || folder.split('/').every(isName)) && (module === undefined || isName(module));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
