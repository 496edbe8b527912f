/**
 * Reads speedscope's own JSON (docs/formats/speedscope.md) of any size in one pass, without creating its values.
 *
 * Cost: about 10 ns of CPU per byte; memory of the rows and distinct stacks (see `profiles.ts`), and a window of 1 MiB
 * that grows only for a single sample, or a value of an unknown key, that is larger.
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

const LARGEST_WINDOW = 1 << 30;

/** Reads all complete items; `largest` limits a single value. Throws `FormatError` if no profile begins. */
export async function readSpeedscope(
  source: ByteSource,
  work: Work = {},
  largest = LARGEST_WINDOW,
): Promise<Recording> {
  const problems = new ProblemLog();
  const scanner = new Scanner();
  const document = new DocumentReader(scanner, problems);
  const { whole } = await readDocument(source, scanner, document, problems, { work, largest });
  if (!document.complete && document.rows.profiles.length === 0) throw nothingRead(problems);
  return toRecording(source.name, document, problems, whole);
}

function nothingRead(problems: ProblemLog): FormatError {
  const first = problems.finish().list[0];
  return new FormatError({
    format: 'speedscope',
    offset: first?.offset ?? 0,
    expected: 'a JSON object with profiles',
    found: `no readable profile (${first?.message ?? 'the file is empty'})`,
  });
}
