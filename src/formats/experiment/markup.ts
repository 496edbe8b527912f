/**
 * Elements of log.xml and map.xml: XML without a root element, in blocks that are padded with NUL bytes. A killed program leaves the
 * last line unfinished. Format: docs/formats/experiment.md.
 */
import type { ProblemLog } from '../../base/problems.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';

/** A tag, and the text up to the next one. */
export interface Tag {
  readonly name: string;
  /** `</name>`. */
  readonly closes: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text after it, as written. */
  readonly text: string;
  /** Byte offset in the file. */
  readonly offset: number;
}

/** Larger files are read up to here. */
const MOST_BYTES = 256 << 20;
/** Characters that are made at once. */
const CHARACTERS = 1 << 13;
const NAME = /[A-Za-z_][\w.-]*/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)="([^"<]*)"/y;
const END = /\s*\/?>/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** All bytes of a file of an experiment, at most `limit`; what is wrong with its container is a problem. */
export async function wholeFile(source: ByteSource, problems: ProblemLog, limit = MOST_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = await source.open();
  try {
    for (;;) {
      const window = new Uint8Array(Math.max(1, Math.min(limit - length, source.size ?? 1 << 20, 1 << 24)));
      const count = await stream.read(window);
      if (count === 0) break;
      if (length >= limit) {
        const message = `${source.name}: only the first ${limit} bytes are read`;
        problems.add({ code: 'experiment-file-too-large', severity: 'error', message, offset: limit });
        break;
      }
      chunks.push(window.subarray(0, count));
      length += count;
    }
    const damage = stream.damage();
    if (damage !== undefined) problems.add(damage);
  } finally {
    await stream.close();
  }
  const first = chunks[0];
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Calls `visit` for each tag. `file` names the file in problems. Cost: linear in the file. */
export function eachTag(bytes: Uint8Array, file: string, problems: ProblemLog, visit: (tag: Tag) => void): void {
  // One character a byte: offsets in the text are those of the file.
  const text = latin1(bytes);
  for (let open = text.indexOf('<'); open >= 0; ) {
    const next = text.indexOf('<', open + 1);
    const until = next < 0 ? text.length : next;
    const found = tagAt(text, open, until);
    if (found !== undefined) visit(found);
    else if (!isPlain(text, open))
      problems.add({
        code: 'experiment-markup',
        severity: 'warning',
        message: `${file}: unfinished or invalid element`,
        offset: open,
      });
    open = next;
  }
}

function isPlain(text: string, open: number): boolean {
  return text[open + 1] === '?' || text[open + 1] === '!';
}

function tagAt(text: string, open: number, until: number): Tag | undefined {
  const closes = text[open + 1] === '/';
  NAME.lastIndex = open + (closes ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined || NAME.lastIndex > until) return undefined;
  const attributes = new Map<string, string>();
  let at = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (match === null) break;
    attributes.set(match[1] ?? '', unescaped(match[2] ?? ''));
    at = ATTRIBUTE.lastIndex;
  }
  END.lastIndex = at;
  if (END.exec(text) === null || END.lastIndex > until) return undefined;
  return { name, closes, attributes, text: unescaped(text.slice(END.lastIndex, until)), offset: open };
}

/** Entities replaced, NUL bytes and white space around it removed, and bytes decoded. */
function unescaped(raw: string): string {
  const written = raw.replace(/\0+/g, '').trim();
  const plain = written.includes('&') ? written.replace(/&(#x?[\dA-Fa-f]{1,6}|[a-z]{2,4});/g, entity) : written;
  return /[\u0080-\u00ff]/.test(plain) ? decoded(plain) : plain;
}

function entity(all: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? all;
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code < 256 ? String.fromCharCode(code) : all;
}

function decoded(latin: string): string {
  const bytes = Uint8Array.from(latin, (character) => character.charCodeAt(0));
  return decodeUtf8(bytes, 0, bytes.length);
}

/** `TextDecoder` has no ISO 8859-1: its "latin1" is Windows-1252, which moves 32 of the bytes. */
function latin1(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte < 0x80)) return decodeUtf8(bytes, 0, bytes.length);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHARACTERS)
    text += String.fromCharCode(...bytes.subarray(at, at + CHARACTERS));
  return text;
}
