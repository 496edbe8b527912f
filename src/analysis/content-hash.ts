/** The content hash of a recording as a stage: made once, and kept on disk for large files. */
import { MissingError } from '../base/errors.js';
import { type Stage, type StageUse, type Subject, use } from '../models/open-recording.js';

const contentHashStage: Stage<string, void> = {
  name: 'content hash',
  version: 1,
  key: () => '',
  run: async ([{ source, snapshot }], _, __, work) => {
    if (source.contentHash !== undefined) return source.contentHash(work);
    throw new MissingError(`${snapshot.recording.name} has no content hash`, {
      code: 'no-content-hash',
      advice: 'Only recordings that were read from files, and no longer grow, have one.',
    });
  },
  bytes: ({ length }) => length * 2,
  columns: {
    version: 1,
    toColumns: (hash) => ({ hash }),
    fromColumns: (columns) =>
      typeof columns === 'object' && columns !== null && 'hash' in columns && typeof columns.hash === 'string'
        ? columns.hash
        : undefined,
  },
};

/**
 * SHA-256 of all bytes of the recording, in lower-case hexadecimal (docs/names-that-stay.md). Cost: reading the source again. Throws `MissingError`
 * for recordings without a source, and for those that grow.
 */
export function contentHashUse({ source, snapshot }: Subject): StageUse<string> {
  return use(contentHashStage, [{ source, snapshot, scope: [] }], undefined);
}
