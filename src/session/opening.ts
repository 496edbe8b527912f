/** Opens a source with a known format as a recording. */
import { defined } from '../base/defined.js';
import { named, type Problem, withProblems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import { isJoined, type JoinedSource } from '../bytes/joined/joined-source.js';
import type { Foreseen } from '../formats/capabilities/events.js';
import type { FileSet, Here, SetFormat } from '../formats/capabilities/sets.js';
import type { Format } from '../formats/format.js';
import { type OpenRecording, openedRecording, type Snapshot } from '../models/open-recording.js';
import type { DebugFiles } from '../models/program/debug-files.js';
import type { LoadDemangler, ProgramFiles } from '../models/program/program-files.js';
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
  const joinedSnapshots = new WeakMap<Snapshot, Snapshot>();
  const added = (snapshot: Snapshot): Snapshot => {
    const { recording } = snapshot;
    const all = withProblems(recording.problems, problems);
    const joined = {
      ...snapshot,
      recording: { ...recording, problems: all, complete: recording.complete && !partial },
    };
    const joinedSnapshot = joinedSnapshots.get(snapshot) ?? joined;
    joinedSnapshots.set(snapshot, joinedSnapshot);
    return joinedSnapshot;
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
  const { check, heaps, events } = format;
  if ('set' in opening) {
    const { read: readSet } = opening.format.sets;
    if (readSet === undefined) throw new Error(`${format.id}: a set without a reader`);
    const recording = await readSet(opening.tree, opening.set, work, { details: options.details });
    // A set that has copies of programs is its whole folder.
    const hasCopies = opening.format.sets.programs !== undefined;
    const contentHash = (reading?: Work) => setHash(opening.tree, opening.set, hasCopies, contentReading, reading);
    return openedRecording(recording, defined({ check, contentHash, files: await programFiles(opening, options) }));
  }
  const source = heaps?.reader === undefined ? opening.source : await again(opening.source);
  const isHuge = (opening.source.file?.size ?? 0) > LARGEST_COPIED;
  const { extent = 'whole' } = options;
  const foreseen = typeof extent === 'object' ? extent.foreseen : undefined;
  const outlined = extent === 'whole' ? undefined : await events?.outline(opening.source, work, foreseen);
  const { recording, content } = outlined
    ? { recording: outlined.recording, content: undefined }
    : await read(format, isHuge ? opening.source : source);
  const access = {
    heaps: recording.heaps && (await heaps?.reader?.(source, recording)),
    events: outlined?.events ?? events?.reader?.(opening.source),
    cut: events?.cutter?.(opening.source),
    heapDump: recording.heaps && heaps?.dumper?.(opening.source),
  };
  const placed = isJoined(opening.source) ? withPlaces(recording, opening.source) : recording;
  const contentHash = (reading?: Work) => sourceHash(isHuge ? opening.source : source, contentReading, reading);
  return openedRecording(placed, defined({ check, content, contentHash, ...access }));
}

/** The copies that a recording has, else the originals if it was recorded on this machine, else the files that the user maps their paths to. */
async function programFiles(
  { format, tree, set }: OpeningOfSet,
  { originals, inlinedFrames = true, demangler, ...options }: OpeningOptions,
): Promise<ProgramFiles | undefined> {
  const { programs } = format.sets;
  if (programs === undefined) return undefined;
  const since = originals && (await programs.recordedHere(tree, set, originals.here));
  const debugFiles = await options.debugFiles?.();
  const original = async (path: string) => (since === undefined ? undefined : originals?.open(path, since));
  return {
    copyOf: async (path) =>
      (await programs.copyOf(tree, set, path)) ?? (await original(path)) ?? debugFiles?.mapped(path),
    generatedCode: (names) => programs.generatedCode(tree, set, names),
    copyNames: async () => (await programs.copyNames?.(set)) ?? [],
    naming: { inlinedFrames, demangler, ...defined({ impliedCalls: programs.impliedCalls }) },
    ...defined({ debugFiles }),
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
