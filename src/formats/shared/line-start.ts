/**
 * Where the words of a line begin and end. Tabs before them become blanks in mails, terminals and editors, no-break spaces in web
 * pages, `#011` in rsyslog, and are lost in some logs: readers of formats in which indentation has no meaning begin here.
 */

const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const ZERO = 0x30;
const ONE = 0x31;

/** The first byte of `bytes[start .. end)` that is neither white space nor an escaped tab; `end` if there is none. */
export function contentStart(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at];
    if (byte === SPACE || byte === TAB) at++;
    else if (byte === HASH && isEscapedTab(bytes, at, end)) at += 4;
    else {
      const length = byte < 0xc2 ? 0 : wideBlank(bytes, at, end);
      if (length === 0) return at;
      at += length;
    }
  }
  return end;
}

function isEscapedTab(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 3 < end && bytes[at + 1] === ZERO && bytes[at + 2] === ONE && bytes[at + 3] === ONE;
}

/** Bytes of a no-break space, a space of fixed width or an ideographic one in UTF-8; 0 for other text. */
function wideBlank(bytes: Uint8Array, at: number, end: number): number {
  const [first, second, third] = bytes.subarray(at, Math.min(end, at + 3));
  if (first === 0xc2) return second === 0xa0 ? 2 : 0;
  const isWide =
    (first === 0xe2 &&
      second === 0x80 &&
      third !== undefined &&
      ((third >= 0x80 && third <= 0x8a) || third === 0xaf)) ||
    (first === 0xe3 && second === 0x80 && third === 0x80);
  return isWide ? 3 : 0;
}

/** The byte after the last one of `bytes[start .. end)` that is no blank, tab or carriage return, as terminals add them behind lines; `start` if there is none. */
export function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  for (; at > start; at--) {
    const byte = bytes[at - 1];
    if (byte !== SPACE && byte !== TAB && byte !== RETURN) break;
  }
  return at;
}
