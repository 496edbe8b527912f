/** From something with a known format to an open recording. */
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

export interface OpeningOptions {
  readonly work?: Work;
  /** How a format's reader is called; the cache of this machine puts itself here. */
  readonly read?: (format: Format, source: ByteSource) => Promise<Recording>;
}

/** Opens a recording. Throws what its format throws. */
export async function openRecording(opening: Opening, options: OpeningOptions = {}): Promise<OpenRecording> {
  const { work = {}, read = (format, source) => format.read(source, work) } = options;
  const { format } = opening;
  if ('set' in opening)
    return openedRecording(await opening.format.sets.read(opening.tree, opening.set, work), format.check);
  if (format.open !== undefined) return format.open(opening.source, work);
  return openedRecording(await read(format, opening.source), format.check);
}
