/** What is this input? Decided by its content; names only break ties. */
import { UnreadableError } from '../base/errors.js';
import { type ByteSource, readHead } from '../bytes/byte-source.js';
import { type Format, type Guess, type Head, headOf, type KnownKind, RECOGNISED } from '../formats/format.js';
import { FORMATS, NAMED_KINDS } from '../formats/registry.js';

/** Bytes a probe sees. */
export const HEAD_BYTES = 1 << 16;

interface Candidate {
  readonly kind: Format | KnownKind;
  readonly guess: Guess;
}

/** The format that reads this source. Throws `UnreadableError`, which says what the input is or looks like. */
export async function detect(source: ByteSource): Promise<Format> {
  const bytes = await readHead(source, HEAD_BYTES);
  const head = headOf(source.name, bytes, bytes.length < HEAD_BYTES);
  const best = candidates(head)[0];
  if (best === undefined || best.guess.confidence < RECOGNISED) throw unknown(source.name, head, best);
  if ('read' in best.kind) return best.kind;
  throw new UnreadableError(
    `${source.name}: this is a ${best.kind.title} (${best.guess.because}); Kansoku does not read these yet`,
  );
}

/** What the input might be, likeliest first. */
function candidates(head: Head): Candidate[] {
  return [...FORMATS, ...NAMED_KINDS]
    .map((kind) => ({ kind, guess: kind.probe(head) }))
    .filter((candidate) => candidate.guess.confidence > 0)
    .sort((a, b) => b.guess.confidence - a.guess.confidence);
}

function unknown(name: string, head: Head, nearest: Candidate | undefined): UnreadableError {
  if (head.bytes.length === 0) return new UnreadableError(`${name}: the file is empty`);
  const looks = nearest === undefined ? '' : `; it looks most like a ${nearest.kind.title} (${nearest.guess.because})`;
  return new UnreadableError(`${name}: not a kind of recording that Kansoku knows${looks}`);
}
