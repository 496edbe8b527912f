/**
 * Reads pprof profiles (docs/formats/pprof.md) of any size in one pass. Cost: about 20 ns of CPU a byte; memory of the rows and distinct stacks,
 * and a window of 1 MiB that grows only for a single message that is larger.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { readMessage } from '../shared/protobuf/windows.js';
import { PprofDocument } from './document.js';
import { toRecording } from './model.js';

const CODES = { syntax: 'pprof-syntax', truncated: 'pprof-truncated', tooLarge: 'pprof-too-large' };

/** Reads all samples. Throws `FormatError` if the file has no types of values and no samples. */
export async function readPprof(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const document = new PprofDocument(problems);
  const whole = await readMessage(source, document.take, problems, { work, codes: CODES });
  if (document.types.length === 0 && document.samples.length === 0) {
    const [first] = problems.finish().list;
    throw new FormatError({
      format: 'pprof',
      offset: first?.offset ?? 0,
      expected: 'types of values and samples',
      found: first === undefined ? 'neither' : first.message,
    });
  }
  return toRecording(source.name, document, problems, whole);
}
