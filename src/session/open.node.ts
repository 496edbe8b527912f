/** Opens the inputs of a command line: files, standard input, members of archives, all recordings of a directory. */
import { sha256 } from '../base/digest.node.js';
import { UnreadableError } from '../base/errors.js';
import type { Phrase } from '../base/phrase.js';
import { named, type Problem } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { plural } from '../base/units.js';
import { type ByteSource, isRandom } from '../bytes/byte-source.js';
import { isUnchanged } from '../bytes/file.node.js';
import { type FileTree, hasSiblings, isFileTree } from '../bytes/file-tree.js';
import { gunzipMembers } from '../bytes/gzip.node.js';
import { cacheFolder, copiedOnce } from '../bytes/spool.node.js';
import type { Format } from '../formats/format.js';
import type { OpenRecording } from '../models/open-recording.js';
import type { DebugFiles, DebugPlaces } from '../models/program/debug-files.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { MethodKey } from '../models/program/method-key.js';
import type { AnalysisRequest } from '../questions/options/analysis.js';
import type { OpenedProgram, ProgramOptions } from './analysed/open-program.node.js';
import type { DerivedOptions } from './derived.js';
import { claimedSets, detect, headWithDamage } from './inputs/detect.js';
import { expandGroups } from './inputs/groups.node.js';
import { type Input, inputsTogether, openInput, sourcesOf } from './inputs/inputs.node.js';
import { type LibraryPaths, openLibrary } from './library.node.js';
import { namingOptions } from './naming.node.js';
import { type Opening, type OpeningOptions, openRecording } from './opening.js';
import { recordedLibrary } from './recorded-library.js';
import { type Session, sessionOfOpen } from './session.js';
import { readCached, recordingsFolder, settledContent } from './store/cache.node.js';
import { ColumnStore, type StoreOptions } from './store/column-store.node.js';
import { keptCopy } from './store/kept-copy.node.js';
import { untrustedFolder } from './store/trusted-folder.node.js';
import { THREADS } from './threads/threads.node.js';

export interface OpenOptions {
  /** Use cached copies of recordings, and keep new ones. */
  readonly cache: boolean;
  /** Receives messages for the user besides the answers. */
  readonly announce: (message: Phrase) => void;
  readonly work: Work;
  /** Code of the recorded program. */
  readonly library?: LibraryPaths;
  /** The formats to try; all if not given. */
  readonly formats?: readonly Format[];
  readonly derived?: DerivedOptions;
  /** How much is read at opening: see `OpeningOptions`. */
  readonly extent?: OpeningOptions['extent'];
  /** See `OpeningOptions`. */
  readonly inlinedFrames?: boolean;
  /** See `OpeningOptions`. */
  readonly details?: boolean;
  /** Where files of debug information, and programs of the recorded machine, are looked for. Nowhere if not given. */
  readonly debug?: DebugPlaces;
  /** How class files among the inputs are analysed; without it they are no inputs. */
  readonly analysis?: AnalysisRequest;
}

/**
 * Opens the inputs and the code given beside them. A directory or an archive stands for all recordings in it. The inputs
 * are closed with the session. Throws `UnreadableError` or `FormatError`
 * for the first input that cannot be read at all.
 */
export async function openInputs(names: readonly string[], callerOptions: OpenOptions): Promise<Session> {
  const options: OpenOptions = {
    ...callerOptions,
    cache: callerOptions.cache && isCacheUsable(callerOptions.announce),
    work: { ...callerOptions.work, threads: THREADS },
  };
  /** Resources of the recordings: inputs, which a content hash reads again, and the library. */
  const behind = new Set<Resource>();
  const close = async (): Promise<void> => {
    for (const each of behind) await each.close?.();
  };
  const sources: OpenRecording[] = [];
  const debugFiles = debugFilesOf(options);
  if (debugFiles !== undefined) behind.add(debugFiles);
  const saving = (saved: Promise<void>) => behind.add({ close: () => saved });
  const reading = { ...readingWith(options, saving), ...(debugFiles && { debugFiles: debugFiles.open }) };
  try {
    // Missing inputs, and trees without a recording, are reported before any file is read.
    const openings: NamedInput[] = [];
    const words = await inputWords(names);
    for (const { name } of words) {
      const opening = await namedInput(name, options);
      if ('input' in opening) behind.add(opening.input);
      openings.push(opening);
    }
    const togetherOf = new Map<OpenRecording, object>();
    const programs: OpenedProgram[] = [];
    for (const [i, opening] of openings.entries()) {
      if ('program' in opening) {
        const program = await programOf([opening.program], opening.analysis, { ...options, name: opening.program });
        behind.add(program);
        programs.push(program);
        sources.push(program.source);
        continue;
      }
      const { input, inTree } = opening;
      const openings = inTree ?? (await openingOf(input, options));
      const again = (source: ByteSource) => copiedAgain(source, options, behind);
      const { together } = words[i] ?? {};
      for (const opening of openings) {
        const source = await openRecording(opening, { ...reading, again, ...(together && { details: true }) });
        sources.push(source);
        if (together !== undefined) togetherOf.set(source, together);
      }
    }
    const givenLibrary = options.library && (await openLibrary(options.library, options.announce));
    if (givenLibrary !== undefined) behind.add(givenLibrary);
    const recordings = await joined(sources, togetherOf);
    const [only, ...others] = recordings;
    const copies = givenLibrary && only && others.length === 0 ? await recordedLibrary(only) : {};
    const library = { ...copies, ...libraryOf(programs, givenLibrary), ...givenLibrary };
    return sessionOfOpen(recordings, { library, derived: keptWith(options), close });
  } catch (error) {
    for (const source of sources) await source.close();
    await close();
    throw error;
  }
}

/** A source that is read again and again, from a copy where it may be slow to. */
async function copiedAgain(source: ByteSource, options: OpenOptions, behind: Set<Resource>): Promise<ByteSource> {
  const content = options.cache && !isRandom(source) ? await settledContent(source, Date.now()) : undefined;
  const keep = content === undefined ? undefined : keptCopy(source.name, content, storeOptions(options));
  const copied = copiedOnce(source, { announce: options.announce, keep });
  if (copied !== source) behind.add(copied);
  return copied;
}

/** One input; `together` is the same for inputs that are one recording, and absent of others. */
interface InputWord {
  readonly name: string;
  readonly together?: object;
}

async function inputWords(words: readonly string[]): Promise<readonly InputWord[]> {
  const all: InputWord[] = [];
  for (const word of words) {
    const parts = await inputsTogether(word);
    const beside = parts === undefined ? {} : { together: {} };
    for (const name of await expandGroups(parts ?? [word])) all.push({ name, ...beside });
  }
  return all;
}

/** The recordings, with one in place of those that are together. */
async function joined(
  sources: readonly OpenRecording[],
  togetherOf: ReadonlyMap<OpenRecording, object>,
): Promise<readonly OpenRecording[]> {
  const all: OpenRecording[] = [];
  const sets = new Set<object>();
  for (const source of sources) {
    const together = togetherOf.get(source);
    const parts = sources.filter((each) => togetherOf.get(each) === together);
    if (together === undefined || parts.length === 1) all.push(source);
    else if (!sets.has(together)) {
      const { openTogether } = await import('./together/open-together.node.js');
      all.push(await openTogether(parts));
      sets.add(together);
    }
  }
  return all;
}

interface Resource {
  readonly close?: (() => Promise<void>) | undefined;
}

/** An input before it is opened. Class files are one where the options have an analysis. */
type NamedInput =
  | { readonly input: Input; readonly inTree?: readonly Opening[] }
  | { readonly program: string; readonly analysis: AnalysisRequest };

async function namedInput(name: string, options: OpenOptions): Promise<NamedInput> {
  const { analysis } = options;
  if (analysis !== undefined && (await (await import('./analysed/program-input.node.js')).isProgram(name)))
    return { program: name, analysis };
  const input = await openInput(name, options.announce);
  try {
    return isFileTree(input) ? { input, inTree: await openingsOfTree(input, options) } : { input };
  } catch (error) {
    await input.close?.();
    throw error;
  }
}

/** Classes of a program are those beside its recording, unless others are given or it is one of several. */
function libraryOf(programs: readonly OpenedProgram[], library: CodeLibrary | undefined): CodeLibrary {
  const [only, ...others] = programs;
  return only === undefined || others.length > 0 || library?.classes !== undefined ? {} : only.library;
}

/** Analyses the class files of a class path, whatever else lies there. Throws as `openProgram` does. */
export async function openAnalysed(
  paths: readonly string[],
  request: AnalysisRequest,
  callerOptions: OpenOptions,
): Promise<Session> {
  const options = { ...callerOptions, cache: callerOptions.cache && isCacheUsable(callerOptions.announce) };
  const { source, library, close } = await programOf(paths, request, options);
  return sessionOfOpen([source], { library, derived: keptWith(options), close });
}

async function programOf(
  paths: readonly string[],
  request: AnalysisRequest,
  options: OpenOptions & Pick<ProgramOptions, 'name'>,
): Promise<OpenedProgram> {
  const { openProgram } = await import('./analysed/open-program.node.js');
  const { announce, work, cache, name } = options;
  const store = cache ? storeOptions({ announce }) : undefined;
  return openProgram(paths, request, { name, announce, work, store, seenMethods: await methodsSeen(request, options) });
}

/** The methods that the recordings of a request saw. */
async function methodsSeen({ entryObserved = [] }: AnalysisRequest, options: OpenOptions): Promise<MethodKey[]> {
  if (entryObserved.length === 0) return [];
  const { methodsSeenBy } = await import('./analysed/seen-methods.js');
  const { cache, announce, work } = options;
  const session = await openInputs(entryObserved, { cache, announce, work });
  try {
    return session.recordings.flatMap(methodsSeenBy);
  } finally {
    await session.close();
  }
}

/** Values derived from large files are stored beside their copies. They may take the memory that the system has available. */
export function keptWith({
  cache,
  announce,
  derived,
}: Pick<OpenOptions, 'cache' | 'announce' | 'derived'>): DerivedOptions {
  return {
    // What opens the recordings says that the cache cannot be used.
    ...(cache && isCacheUsable(() => undefined) && { store: new ColumnStore(storeOptions({ announce })) }),
    threads: THREADS,
    most: () => process.availableMemory(),
    ...derived,
  };
}

/** Whether copies in the cache folder can be used; says why not. */
function isCacheUsable(announce: (message: Phrase) => void): boolean {
  const reason = untrustedFolder(cacheFolder(), recordingsFolder());
  if (reason !== undefined) announce(`the cache is not used: ${reason}`);
  return reason === undefined;
}

function storeOptions({ announce }: Pick<OpenOptions, 'announce'>): StoreOptions {
  return { folder: recordingsFolder(), announce, now: Date.now() };
}

/** Reads from the cache, if enabled; `saving` takes what is still being saved. */
function readingWith(
  { cache, announce, work, extent = 'whole', inlinedFrames = true, details }: OpenOptions,
  saving: (saved: Promise<void>) => void,
): OpeningOptions {
  const contentReading = { hasher: sha256, isUnchanged };
  const reading = { ...namingOptions(), contentReading, work, extent, inlinedFrames, details };
  if (!cache) return reading;
  const options = { ...storeOptions({ announce }), behind: saving };
  return { ...reading, read: (format, source) => readCached(format, source, work, options) };
}

/** Looks for debug files; the module is loaded when the first recording needs it. */
function debugFilesOf({ debug, announce }: OpenOptions) {
  if (debug === undefined) return undefined;
  let opened: Promise<DebugFiles> | undefined;
  const load = async (): Promise<DebugFiles> => {
    const { debugFiles } = await import('../code/native/debug-files.node.js');
    return debugFiles(debug, announce);
  };
  const open = (): Promise<DebugFiles> => {
    opened ??= load();
    return opened;
  };
  return { open, close: async () => (await opened)?.close() };
}

async function openingOf(input: Input, { formats }: OpenOptions): Promise<readonly Opening[]> {
  if (isFileTree(input)) return [];
  const format = await detect(input, formats);
  return [(await setAround(input, format)) ?? { format, source: input }];
}

/** The set of files that an input belongs to, with the files beside it. */
async function setAround(input: ByteSource, format: Format): Promise<Opening | undefined> {
  if (format.sets === undefined || !hasSiblings(input)) return undefined;
  const folder = await input.siblings();
  // The folder has no folders in it, so paths are file names.
  const name = input.name.slice(input.name.search(/[^/\\]*$/));
  const claim = await format.sets.claims(folder, name);
  const set = claim?.recordings.find(({ parts }) => [...parts.values()].includes(name));
  return set && { format: { ...format, sets: format.sets }, tree: folder, set };
}

/**
 * The recordings of a tree: sets of files first, then single members. A damaged member that was not recognised may have
 * been a recording: it is a problem of the others.
 */
async function openingsOfTree(tree: FileTree, { announce, formats }: OpenOptions): Promise<readonly Opening[]> {
  for (const problem of tree.problems) announce(problem.message);
  const sets = await claimedSets(tree, formats);
  const claimed = new Set(sets.flatMap(({ set }) => [...set.parts.values()].map((path) => tree.nameOf(path))));
  const plain = gunzipMembers(tree);
  const openings: Opening[] = sets.map(({ format, set }) => ({ format, tree: plain, set }));
  const refused: string[] = [];
  const lost: Problem[] = [];
  for (const source of await sourcesOf(tree, announce)) {
    if (claimed.has(source.name)) continue;
    try {
      openings.push({ format: await detect(source, formats), source });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      refused.push(error.message);
      lost.push(...(await damageOf(source, tree)));
    }
  }
  if (openings.length === 0) throw nothingIn(tree, refused);
  if (refused.length > 0) announce(`${tree.name}: skipped ${plural(refused.length, 'file')}`);
  return openings.map((opening) => ({ ...opening, lost }));
}

/** What is wrong with a member that was skipped, beyond the problems of its tree. */
async function damageOf(source: ByteSource, tree: FileTree): Promise<Problem[]> {
  const { damage } = await headWithDamage(source).catch(() => ({ damage: undefined }));
  const isKnown = tree.problems.some(({ message }) => message === damage?.message);
  return damage === undefined || isKnown ? [] : [named(source.name, damage)];
}

function nothingIn(tree: FileTree, refused: readonly string[]): UnreadableError {
  const dangling = tree.members.find(({ kind }) => kind === 'dangling');
  const lost = dangling && `${tree.nameOf(dangling.path)}: a link to a file that does not exist`;
  const [first] = refused;
  const why =
    first === undefined
      ? (lost ?? 'it is empty')
      : refused.length === 1
        ? first
        : `${refused.length} files; the first: ${first}`;
  return new UnreadableError(`${tree.name}: no readable recording in it (${why})`, { code: 'no-recordings' });
}
