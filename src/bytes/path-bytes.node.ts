/**
 * Paths whose bytes are not UTF-8, which file systems of Unix allow. In strings each byte that is none of UTF-8 is a lone
 * surrogate, U+DC80 for 0x80 (as PEP 383 has it), so that paths are joined and split as usual; the file system gets the
 * bytes back. Shown, such a character is a replacement character.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const ESCAPE = 0xdc00;
const ESCAPED = /[\udc80-\udcff]/u;
const LONGEST_CHARACTER = 4;

/** The text of a path, or of a part of one. */
export function pathText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    let length = 1;
    while (length <= LONGEST_CHARACTER && !isUtf8(bytes.subarray(at, at + length))) length++;
    if (length > LONGEST_CHARACTER) text += String.fromCharCode(ESCAPE + bytes[at++]);
    else {
      text += bytes.toString('utf8', at, at + length);
      at += length;
    }
  }
  return text;
}

/** What the file system takes for a path: its text, or its bytes where they are not UTF-8. */
export function osPath(path: string): string | Buffer {
  if (!ESCAPED.test(path)) return path;
  const parts = Array.from(path, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return ESCAPED.test(character) ? Buffer.of(code - ESCAPE) : Buffer.from(character);
  });
  return Buffer.concat(parts);
}

/**
 * The words of the command line. Node replaces bytes that are not UTF-8; Linux has them in `/proc`, and where there is no
 * such file the words stay as Node gives them.
 */
export function argumentWords(words: readonly string[]): readonly string[] {
  if (!words.some((word) => word.includes('\ufffd'))) return words;
  let line: Buffer;
  try {
    line = readFileSync('/proc/self/cmdline');
  } catch {
    return words;
  }
  const all: Buffer[] = [];
  for (let from = 0; from < line.length; ) {
    const end = line.indexOf(0, from);
    const to = end < 0 ? line.length : end;
    all.push(line.subarray(from, to));
    from = to + 1;
  }
  const last = all.slice(-words.length);
  // Each must decode to Node's string, else the file does not hold these arguments.
  const same = last.length === words.length && last.every((bytes, i) => bytes.toString() === words[i]);
  return same ? last.map(pathText) : words;
}
