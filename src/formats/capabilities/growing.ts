/** Recordings that are still being written. */
import type { Work } from '../../base/progress.js';
import type { RandomSource } from '../../bytes/byte-source.js';
import type { OpenRecording } from '../../models/open-recording.js';

/** Opens the files of a recording as they are now, but for those that were read to their end, by name. */
export type GrowingFiles = (isRead: (name: string) => boolean) => Promise<readonly RandomSource[]>;

/**
 * Opens a recording that is still being written: `files` opens its files each time anew. What they have is read when it is opened and at
 * each `refresh`. `foreseen`: only the types of events are read, and the events of types that these words name.
 */
export type OpenGrowing = (
  files: GrowingFiles,
  name: string,
  work?: Work,
  foreseen?: readonly string[],
) => Promise<OpenRecording>;
