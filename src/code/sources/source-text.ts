/** The text of source files: UTF-8, as current compilers expect it. Cost: one decoding and one split. */
import { encodeUtf8 } from '../../base/text.js';

/** A text, and the offset of its first byte that is not UTF-8; -1 if all are. */
export interface DecodedSource {
  readonly text: string;
  readonly undecodable: number;
}

/** Decodes UTF-8 without its mark; invalid bytes become U+FFFD. */
export function decodeSource(bytes: Uint8Array): DecodedSource {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), undecodable: -1 };
  } catch {
    return { text: new TextDecoder().decode(bytes), undecodable: firstUndecodable(bytes) };
  }
}

/** The first replacement character that was not in the file itself. */
function firstUndecodable(bytes: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  for (let from = 0, at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, from)) {
    offset += encodeUtf8(text.slice(from, at)).length;
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break;
    offset += 3;
    from = at + 1;
  }
  return offset;
}

const REPLACEMENT = '\ufffd';

/** Lines as Java counts them (JLS §3.4): LF, CR, or both end one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A declaration comes before this character, at most after a licence. */
const HEAD = 1 << 16;

/** The package that a source file of a JVM language declares; empty if it declares none. */
export function packageOf(text: string): string {
  const code = text.slice(0, HEAD).replace(/\/\*.*?\*\//gs, '');
  const declaration = /^[ \t]*package\s+([\p{L}\p{N}_$.]+)/mu.exec(code);
  return declaration?.[1] ?? '';
}
