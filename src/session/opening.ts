/** Opens a source with a known format as a recording. */
import { type Problem, withProblems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { FileSet, Format, SetFormat } from '../formats/format.js';
import { type OpenRecording, openedRecording, type Snapshot } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** One recording before it is opened: bytes, or a set of files of a tree. */
export type Opening = (
  | { readonly format: Format; readonly source: ByteSource }
  | { readonly format: Format & { readonly sets: SetFormat }; readonly tree: FileTree; readonly set: FileSet }
) & {
  /** Present where it is one of all recordings of a tree: what was lost of others, the problems of the tree aside. */
  readonly lost?: readonly Problem[];
};

/** A recording, and the identity of its content if known. */
export interface ReadRecording {
  readonly recording: Recording;
  readonly content?: string | undefined;
}

export interface OpeningOptions {
  /** `outline`: only the types of events, where the format can; their events are read when asked for. Default: whole. */
  readonly extent?: 'outline' | 'whole';
  readonly work?: Work;
  /** Calls the reader of a format; replaced by the cache of this machine. */
  readonly read?: (format: Format, source: ByteSource) => Promise<ReadRecording>;
  /** Makes a source that is read again and again from one that may be slow to; the session closes it. */
  readonly again?: (source: ByteSource) => ByteSource;
}

/** Opens a recording. What is wrong with the archive it lies in is a problem of it, too. Throws what its format throws. */
export async function openRecording(opening: Opening, options: OpeningOptions = {}): Promise<OpenRecording> {
  const { lost = [] } = opening;
  const carrier = 'set' in opening ? opening.tree.problems : (opening.source.carrierProblems ?? []);
  const opened = await openAlone(opening, options);
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
  const { content: _, follow, ...rest } = opened;
  return {
    ...rest,
    current: () => added(opened.current()),
    ...(follow && {
      follow: async function* (signal: AbortSignal) {
        for await (const snapshot of follow(signal)) yield added(snapshot);
      },
    }),
  };
}

async function openAlone(opening: Opening, options: OpeningOptions): Promise<OpenRecording> {
  const { work = {} } = options;
  const plainRead = async (format: Format, source: ByteSource): Promise<ReadRecording> => ({
    recording: await format.read(source, work),
  });
  const { read = plainRead, again = (source) => source } = options;
  const { format } = opening;
  const checked = format.check && { check: format.check };
  if ('set' in opening)
    return openedRecording(await opening.format.sets.read(opening.tree, opening.set, work), checked);
  if (format.open !== undefined) return format.open(opening.source, work);
  const isOutline = options.extent === 'outline' && format.outline !== undefined;
  const { recording, content } = isOutline
    ? { recording: await format.outline(opening.source, work), content: undefined }
    : await read(format, opening.source);
  const heaps = recording.heaps === undefined ? undefined : await format.heapReader?.(again(opening.source), recording);
  const events = format.eventReader?.(opening.source);
  return openedRecording(recording, {
    ...checked,
    ...(heaps && { heaps }),
    ...(events && { events }),
    ...(content !== undefined && { content }),
  });
}
