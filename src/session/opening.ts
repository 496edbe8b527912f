/** Opens a source with a known format as a recording. */
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { FileSet, Format, SetFormat } from '../formats/format.js';
import { type OpenRecording, openedRecording } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** One recording before it is opened: bytes, or a set of files of a tree. */
export type Opening =
  | { readonly format: Format; readonly source: ByteSource }
  | { readonly format: Format & { readonly sets: SetFormat }; readonly tree: FileTree; readonly set: FileSet };

/** A recording, and the identity of its content if known. */
export interface ReadRecording {
  readonly recording: Recording;
  readonly content?: string | undefined;
}

export interface OpeningOptions {
  readonly work?: Work;
  /** Calls the reader of a format; replaced by the cache of this machine. */
  readonly read?: (format: Format, source: ByteSource) => Promise<ReadRecording>;
}

/** Opens a recording. Throws the errors of its format. */
export async function openRecording(opening: Opening, options: OpeningOptions = {}): Promise<OpenRecording> {
  const { work = {} } = options;
  const plainRead = async (format: Format, source: ByteSource): Promise<ReadRecording> => ({
    recording: await format.read(source, work),
  });
  const { read = plainRead } = options;
  const { format } = opening;
  const checked = format.check && { check: format.check };
  if ('set' in opening)
    return openedRecording(await opening.format.sets.read(opening.tree, opening.set, work), checked);
  if (format.open !== undefined) return format.open(opening.source, work);
  const { recording, content } = await read(format, opening.source);
  return openedRecording(recording, { ...checked, ...(content !== undefined && { content }) });
}
