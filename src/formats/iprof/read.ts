/**
 * Reads GraalVM PGO profiles (`.iprof`), versions 0.2.0 to 1.1.0, in one pass over the bytes.
 *
 * Format: docs/formats/iprof.md. Cost: about 3 ns of CPU per byte; memory of the columns (see `elements.ts`), 12 bytes
 * per stack frame, and a window of 1 MiB that grows only for a single element or unknown section that is larger.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { Scanner } from '../shared/json-scanner.js';
import { readDocument } from '../shared/json-windows.js';
import { DocumentReader } from './document.js';
import { toRecording } from './model.js';
import { USUAL_READER, type UsualReader } from './usual.js';

/** A larger element or unknown section is not read. */
const LARGEST_WINDOW = 1 << 30;

/**
 * Reads all complete elements; `largest` limits a single element or unknown section. Throws `FormatError` only if the
 * file does not begin as a JSON object. `usual` reads elements in the usual spelling.
 */
export async function readIprof(
  source: ByteSource,
  work: Work = {},
  largest = LARGEST_WINDOW,
  usual: UsualReader = USUAL_READER,
): Promise<Recording> {
  const problems = new ProblemLog();
  const scanner = new Scanner();
  const document = new DocumentReader(scanner, problems, usual, source.size);
  const { whole } = await readDocument(source, scanner, document, problems, { work, largest });
  if (!document.complete && document.sections.length === 0) throw nothingRead(problems);
  return toRecording(source.name, document, problems, whole);
}

function nothingRead(problems: ProblemLog): FormatError {
  const first = problems.finish().list[0];
  return new FormatError({
    format: 'iprof',
    offset: first?.offset ?? 0,
    expected: 'a JSON object with PGO profile sections',
    found: `no readable section (${first?.message ?? 'the file is empty'})`,
    advice: 'An .iprof file is one JSON object, plain or gzip-compressed.',
  });
}
