/** Opens a source with a known format as a recording. */
import { named, type Problem, withProblems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import { isJoined, type JoinedSource } from '../bytes/joined/joined-source.js';
import type { LoadDemangler } from '../code/native/resolve.js';
import type { FileSet, Foreseen, Format, Here, SetFormat } from '../formats/format.js';
import { type OpenRecording, openedRecording, type Snapshot } from '../models/open-recording.js';
import type { DebugFiles } from '../models/program/debug-files.js';
import type { Recording } from '../models/recording.js';
import { type ContentReading, PLAIN_READING, setHash, sourceHash } from './content-hash.js';

interface OpeningOfSet {
  readonly format: Format & { readonly sets: SetFormat };
  readonly tree: FileTree;
  readonly set: FileSet;
}

/** One recording before it is opened: bytes, or a set of files of a tree. */
export type Opening = ({ readonly format: Format; readonly source: ByteSource } | OpeningOfSet) & {
  /** Present where it is one of all recordings of a tree: what was lost of others, the problems of the tree aside. */
  readonly lost?: readonly Problem[];
};

/**
 * How much is read at opening. `outline`: only the types of events, where the format can; their events are read when asked for. `foreseen`:
 * the same, and the events that will be asked for.
 */
export type Extent = 'whole' | 'outline' | { readonly foreseen: Foreseen };

/** A recording, and the identity of its content if known. */
export interface ReadRecording {
  readonly recording: Recording;
  readonly content?: string | undefined;
}

export interface OpeningOptions {
  /** Default: whole. */
  readonly extent?: Extent;
  readonly work?: Work;
  /** Whether calls that a compiler inlined into native code are frames of stacks. Default: true. */
  readonly inlinedFrames?: boolean;
  /** Whether the residue of a recording has what the models have no place for, where its format can. Default: false. */
  readonly details?: boolean | undefined;
  /** Finds files of debug information, and programs of the recorded machine. The caller closes it. */
  readonly debugFiles?: () => Promise<DebugFiles>;
  /** Files of this machine, unchanged since a moment, for recordings that were made on it. */
  readonly originals?: {
    readonly here: Here;
    readonly open: (path: string, since: number) => Promise<ByteSource | undefined>;
  };
  /** Loads what turns names of the linker into those of the source. */
  readonly demangler?: LoadDemangler;
  /** How contents are hashed; by default, without the machine's own means. */
  readonly contentReading?: ContentReading;
  /** Calls the reader of a format; replaced by the cache of this machine. */
  readonly read?: (format: Format, source: ByteSource) => Promise<ReadRecording>;
  /** Makes a source that is read again and again from one that may be slow to; the session closes it. */
  readonly again?: (source: ByteSource) => Promise<ByteSource>;
}

/** Compressed files that are larger are copied only where their first questions do not suffice. */
const LARGEST_COPIED = 2 ** 32;

/** Opens a recording. What is wrong with the archive it lies in is a problem of it, too. Throws what its format throws. */
export async function openRecording(opening: Opening, options: OpeningOptions = {}): Promise<OpenRecording> {
  if ('set' in opening && opening.format.sets.join !== undefined) {
    const { tree, set, ...rest } = opening;
    return openRecording({ ...rest, source: await opening.format.sets.join(tree, set) }, options);
  }
  const { lost = [] } = opening;
  const opened = await openAlone(opening, options);
  // A joined source learns while it is read which of its files are gone.
  const carrier = 'set' in opening ? opening.tree.problems : (opening.source.carrierProblems ?? []);
  const problems = [...carrier, ...lost];
  // Reading all of a tree is incomplete if a part of it is lost; reading one named member is not.
  const partial = opening.lost !== undefined && problems.some(({ severity }) => severity === 'error');
  return problems.length === 0 ? opened : withCarrier(opened, problems, partial);
}

/**
 * Adds the problems of the archive or stream around a recording. Copies kept by content must not have them, so the result has
 * no content name.
 */
function withCarrier(opened: OpenRecording, problems: readonly Problem[], partial: boolean): OpenRecording {
  const made = new WeakMap<Snapshot, Snapshot>();
  const added = (snapshot: Snapshot): Snapshot => {
    const { recording } = snapshot;
    const all = withProblems(recording.problems, problems);
    const joined = {
      ...snapshot,
      recording: { ...recording, problems: all, complete: recording.complete && !partial },
    };
    const known = made.get(snapshot) ?? joined;
    made.set(snapshot, known);
    return known;
  };
  const { content: _, refresh, ...rest } = opened;
  return {
    ...rest,
    current: () => added(opened.current()),
    ...(refresh && { refresh: async (work?: Work) => added(await refresh(work)) }),
  };
}

async function openAlone(opening: Opening, options: OpeningOptions): Promise<OpenRecording> {
  const { work = {}, contentReading = PLAIN_READING } = options;
  const plainRead = async (format: Format, source: ByteSource): Promise<ReadRecording> => ({
    recording: await format.read(source, work),
  });
  const { read = plainRead, again = (source) => Promise.resolve(source) } = options;
  const { format } = opening;
  const checked = format.check && { check: format.check };
  if ('set' in opening) {
    const { read: readSet } = opening.format.sets;
    if (readSet === undefined) throw new Error(`${format.id}: a set without a reader`);
    const read = await readSet(opening.tree, opening.set, work, { details: options.details });
    const { copyOf, generatedCode } = opening.format.sets;
    const codeOf = generatedCode && ((names: ReadonlySet<string>) => generatedCode(opening.tree, opening.set, names));
    const files = copyOf && (await nativeFiles(await filesOf(opening, copyOf, options), options));
    const names = files && namesFrom(files, options);
    // A set that has copies of programs is its whole folder.
    const contentHash = (work?: Work) => setHash(opening.tree, opening.set, copyOf !== undefined, contentReading, work);
    return openedRecording(read, {
      ...checked,
      ...files,
      contentHash,
      ...(names && { names }),
      ...(codeOf && { generatedCode: codeOf }),
    });
  }
  if (format.open !== undefined) return format.open(opening.source, work);
  const source = format.heapReader === undefined ? opening.source : await again(opening.source);
  const isHuge = (opening.source.file?.size ?? 0) > LARGEST_COPIED;
  const { extent = 'whole' } = options;
  const foreseen = typeof extent === 'object' ? extent.foreseen : undefined;
  const outlined = extent === 'whole' ? undefined : await format.outline?.(opening.source, work, foreseen);
  const { recording, content } = outlined
    ? { recording: outlined.recording, content: undefined }
    : await read(format, isHuge ? opening.source : source);
  const heaps = recording.heaps === undefined ? undefined : await format.heapReader?.(source, recording);
  const events = outlined?.events ?? format.eventReader?.(opening.source);
  const cut = format.eventCutter?.(opening.source);
  const heapDump = recording.heaps && format.heapDumper?.(opening.source);
  const placed = isJoined(opening.source) ? withPlaces(recording, opening.source) : recording;
  return openedRecording(placed, {
    ...checked,
    ...(heaps && { heaps }),
    ...(events && { events }),
    ...(cut && { cut }),
    ...(heapDump && { heapDump }),
    ...(content !== undefined && { content }),
    contentHash: (work) => sourceHash(isHuge ? opening.source : source, contentReading, work),
  });
}

/** The copies that a recording has, else the originals if it was recorded on this machine. */
async function filesOf(
  { format, tree, set }: OpeningOfSet,
  copyOf: NonNullable<SetFormat['copyOf']>,
  { originals }: OpeningOptions,
): Promise<NonNullable<OpenRecording['copyOf']>> {
  const since = originals && (await format.sets.recordedHere?.(tree, set, originals.here));
  return async (path) =>
    (await copyOf(tree, set, path)) ?? (since === undefined ? undefined : originals?.open(path, since));
}

/** The files of a recording's programs: its own copies, else those of this machine that the user maps their paths to. */
async function nativeFiles(
  copyOf: NonNullable<OpenRecording['copyOf']>,
  options: OpeningOptions,
): Promise<Pick<OpenRecording, 'copyOf' | 'debugFiles'>> {
  const debugFiles = await options.debugFiles?.();
  if (debugFiles === undefined) return { copyOf };
  return { copyOf: async (path) => (await copyOf(path)) ?? debugFiles.mapped(path), debugFiles };
}

/** Names native functions by the files of their programs. */
function namesFrom(
  files: Pick<OpenRecording, 'copyOf' | 'debugFiles'>,
  { inlinedFrames = true, demangler }: OpeningOptions,
): NonNullable<OpenRecording['names']> {
  return async (recording, work) => {
    const { resolveNative } = await import('../code/native/resolve.js');
    return resolveNative(recording, files, { inlinedFrames, demangler, work });
  };
}

/** Places of problems in the files that were joined. */
function withPlaces(recording: Recording, source: JoinedSource): Recording {
  const list = recording.problems.list.map((problem) => {
    const place = problem.offset === undefined ? undefined : source.placeOf(problem.offset);
    return place === undefined ? problem : named(place.name, { ...problem, offset: place.offset });
  });
  return { ...recording, problems: { ...recording.problems, list } };
}
