/** How archives begin. Apart from their readers, which are loaded only for archives. */

export const LOCAL_HEADER = Uint8Array.of(0x50, 0x4b, 3, 4);
export const END_RECORD = Uint8Array.of(0x50, 0x4b, 5, 6);

const BLOCK = 512;
/** The field of a tar header with its checksum. */
const SUM = { at: 148, length: 8 } as const;
const BLANK = 0x20;

/** Whether an input begins like a zip archive (an empty one included) or a Java module (jmod). */
export function isZip(head: Uint8Array): boolean {
  const jmod = head.length >= 4 && head[0] === 0x4a && head[1] === 0x4d && head[2] === 1 && head[3] === 0;
  const start = jmod ? head.subarray(4) : head;
  return startsWith(start, LOCAL_HEADER) || startsWith(start, END_RECORD);
}

/**
 * Whether an input begins like a tar archive: with a header whose checksum is correct, the sum of its bytes with blanks
 * for the checksum itself (POSIX.1-2017, "pax"). `head` needs 512 bytes.
 */
export function isTar(head: Uint8Array): boolean {
  if (head.length < BLOCK) return false;
  const field = String.fromCharCode(...head.subarray(SUM.at, SUM.at + SUM.length));
  const written = /^ *([0-7]+)[ \0]/.exec(field)?.[1];
  if (written === undefined) return false;
  let sum = BLANK * SUM.length;
  for (let i = 0; i < BLOCK; i++) if (i < SUM.at || i >= SUM.at + SUM.length) sum += head[i] ?? 0;
  return sum === Number.parseInt(written, 8);
}

export function startsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return bytes.length >= mark.length && mark.every((byte, i) => bytes[i] === byte);
}
