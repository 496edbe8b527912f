/**
 * Detects the format of an input by its content; names only break ties between equal shapes.
 *
 * Costs: every probe sees the first 64 KiB. Where no probe recognises that, up to 64 MiB more are read once and not
 * kept: of a JSON object for its outermost keys, of other text for the headings of records that stand in logs.
 */
import { UnreadableError } from '../../base/errors.js';
import { named, type Problem } from '../../base/problems.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import type { FileTree } from '../../bytes/file-tree.js';
import { type Guess, type Head, headOf, RECOGNISED } from '../../formats/capabilities/probe.js';
import type { FileSet, SetFormat } from '../../formats/capabilities/sets.js';
import type { Format, KnownKind } from '../../formats/format.js';
import { FORMATS, NAMED_KINDS } from '../../formats/registry.js';
import { ENCODING_BYTES, encodingOf, textSource } from '../../formats/shared/encoding.js';
import { textOf } from '../../formats/shared/head-text.js';
import { JsonOutliner, outlineOf } from '../../formats/shared/json-outline.js';
import { linesOfLog } from '../../formats/shared/log-head.js';
import { describe } from './describe.js';

/** Bytes for a probe. */
export const HEAD_BYTES = 1 << 16;

/** Bytes in which the keys of a JSON object, and records in a log, are looked for. */
const WITHIN = 64 << 20;
const WINDOW = 1 << 20;

/** Beginnings of zip, gzip, bzip2, xz, Zstandard and 7z. */
const PACKED = ['PK', '\u001f\u008b', 'BZh', '\u00fd7zXZ', '\u0028\u00b5\u002f\u00fd', '7z\u00bc'];

/** Guesses below this are not reported. */
const WORTH_NAMING = 0.2;

export interface Candidate {
  readonly kind: Format | KnownKind;
  readonly guess: Guess;
}

/** The format that reads this source. Throws `UnreadableError` with a description of the input. */
export async function detect(source: ByteSource, formats: readonly Format[] = FORMATS): Promise<Format> {
  const { bytes, damage } = await headWithDamage(source);
  const head = headOf(source.name, bytes, bytes.length < HEAD_BYTES);
  if (bytes.length === 0) throw nothingToRead(source.name, damage);
  let ranked = candidates(head, formats);
  if (!isRecognised(ranked) && mayHaveMoreKeys(head)) ranked = await lookFurther(source, head, formats);
  if (!isRecognised(ranked) && mayBeLog(head)) ranked = (await recordsInLog(source, formats)) ?? ranked;
  const best = ranked[0];
  if (best === undefined || !isRecognised(ranked)) throw unknown(source.name, head, best);
  if ('read' in best.kind) return best.kind;
  const kindText = `${source.name}: this is ${withArticle(best.kind)} (${best.guess.because})`;
  throw new UnreadableError(`${kindText}; Kansoku cannot read this kind of file yet`, {
    code: 'unsupported-format',
    advice: best.kind.advice,
  });
}

/** The bytes that probes see and, where these are all, what was wrong with their wrapping. */
export async function headWithDamage(
  source: ByteSource,
): Promise<{ readonly bytes: Uint8Array; readonly damage: Problem | undefined }> {
  const bytes = new Uint8Array(HEAD_BYTES);
  const stream = await source.open();
  try {
    const count = await stream.read(bytes);
    return { bytes: bytes.subarray(0, count), damage: count < HEAD_BYTES ? stream.damage() : undefined };
  } finally {
    await stream.close();
  }
}

function nothingToRead(name: string, damage: Problem | undefined): UnreadableError {
  return new UnreadableError(damage === undefined ? `${name}: the file is empty` : named(name, damage).message, {
    code: 'empty-file',
  });
}

/**
 * Possible kinds of an input with this head, most likely first. A kind with a reader replaces the one with its name.
 */
export function candidates(head: Head, formats: readonly Format[] = FORMATS): Candidate[] {
  for (const kind of formats) {
    if (kind.magic === undefined || !head.text.startsWith(kind.magic)) continue;
    const guess = kind.probe(head);
    if (guess.confidence === 1) return [{ kind, guess }];
  }
  const read = new Set(formats.map((format) => format.id));
  return [...formats, ...NAMED_KINDS.filter((kind) => !read.has(kind.id))]
    .map((kind) => ({ kind, guess: kind.probe(head) }))
    .filter((candidate) => candidate.guess.confidence > 0)
    .sort((a, b) => b.guess.confidence - a.guess.confidence);
}

function isRecognised(ranked: readonly Candidate[]): boolean {
  return (ranked[0]?.guess.confidence ?? 0) >= RECOGNISED;
}

function mayHaveMoreKeys(head: Head): boolean {
  const { root, faulty, ended } = outlineOf(head);
  return root === 'object' && !faulty && !ended && !head.whole;
}

/** Reads on for further keys of the outermost JSON object, until a probe recognises them. */
async function lookFurther(source: ByteSource, head: Head, formats: readonly Format[]): Promise<Candidate[]> {
  const outliner = new JsonOutliner();
  const stream = await source.open();
  let ranked: Candidate[] = [];
  try {
    const window = new Uint8Array(WINDOW);
    for (let read = 0, marks = -1; read < WITHIN; ) {
      const count = await stream.read(window);
      if (count === 0) break;
      read += count;
      outliner.feed(window.subarray(0, count));
      const { outline } = outliner;
      if (outline.marks.size !== marks) ranked = candidates({ ...head, outline }, formats);
      marks = outline.marks.size;
      if (isRecognised(ranked) || outline.faulty || outline.ended) break;
    }
    return isRecognised(ranked) ? ranked : candidates({ ...head, outline: outliner.outline }, formats);
  } finally {
    await stream.close();
  }
}

/** Docker's logs are lines of JSON. */
function mayBeLog(head: Head): boolean {
  const { root, trailing } = outlineOf(head);
  return linesOfLog(head).length > 0 && !textOf(head).binary && (root === undefined || trailing);
}

/** Reads on for a heading of log records, and runs the probes on the text around it. */
async function recordsInLog(source: ByteSource, formats: readonly Format[]): Promise<Candidate[] | undefined> {
  const kinds = formats.filter(({ inLogs }) => inLogs !== undefined);
  const stream = await textSource(source, encodingOf(await readHead(source, ENCODING_BYTES))).open();
  try {
    const window = new Uint8Array(WINDOW);
    for (let read = 0, keptBytes = 0; read < WITHIN; ) {
      const count = await stream.read(window.subarray(keptBytes));
      if (count === 0) return undefined;
      read += count;
      const part = window.subarray(0, keptBytes + count);
      const recognised = headingWithin(source.name, part, kinds);
      if (recognised !== undefined) return recognised;
      // A heading may begin here and end in the next window, with the lines before it that show its context.
      keptBytes = Math.min(part.length, HEAD_BYTES);
      window.copyWithin(0, part.length - keptBytes, part.length);
    }
    return undefined;
  } finally {
    await stream.close();
  }
}

function headingWithin(name: string, part: Uint8Array, kinds: readonly Format[]): Candidate[] | undefined {
  const text = headOf(name, part, false).text;
  const marks = kinds.flatMap((kind) => (kind.inLogs?.kind.marks ?? []).map((mark) => ({ kind, mark })));
  for (const { kind, mark } of marks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + HEAD_BYTES / 2)) {
      const start = text.lastIndexOf('\n', Math.max(0, at - HEAD_BYTES / 2)) + 1;
      const guess = kind.probe(headOf(name, part.subarray(start, start + HEAD_BYTES), false));
      if (guess.confidence >= RECOGNISED) return [{ kind, guess }];
    }
  }
  return undefined;
}

/** A set of files in a tree, and the format that reads it. */
export interface ClaimedSet {
  readonly format: Format & { readonly sets: SetFormat };
  readonly set: FileSet;
}

/** The sets of files in a tree that formats read; each member is in at most one set. */
export async function claimedSets(tree: FileTree, formats: readonly Format[] = FORMATS): Promise<ClaimedSet[]> {
  const claims: ClaimedSet[] = [];
  const claimedFiles = new Set<string>();
  for (const format of formats) {
    if (!readsSets(format)) continue;
    const claim = await format.sets.claims(tree);
    for (const set of claim?.recordings ?? []) {
      const members = [...set.parts.values()];
      if (members.some((path) => claimedFiles.has(path))) continue;
      for (const path of members) claimedFiles.add(path);
      claims.push({ format, set });
    }
  }
  return claims;
}

function readsSets(format: Format): format is Format & { readonly sets: SetFormat } {
  return format.sets !== undefined;
}

function withArticle(kind: Format | KnownKind): string {
  const article = ('article' in kind ? kind.article : undefined) ?? 'a';
  return article === '' ? kind.title : `${article} ${kind.title}`;
}

function unknown(name: string, head: Head, nearest: Candidate | undefined): UnreadableError {
  const start = `${name}: unknown kind of file`;
  if (nearest === undefined || nearest.guess.confidence < WORTH_NAMING) {
    return new UnreadableError(`${start}; it is ${describe(head)}`, {
      code: 'unknown-format',
      advice: adviceFor(head),
    });
  }
  const looks = `the closest match is ${withArticle(nearest.kind)} (${nearest.guess.because})`;
  return new UnreadableError(`${start}; ${looks}; it is ${describe(head)}`, {
    code: 'unknown-format',
    advice: adviceFor(head),
  });
}

function adviceFor(head: Head): string {
  const readable = `Kansoku reads: ${FORMATS.map((format) => format.title).join(', ')}.`;
  const packed = PACKED.some((start) => head.text.startsWith(start)) || head.text.startsWith('ustar', 257);
  return packed ? `Extract it and open its contents. ${readable}` : readable;
}
