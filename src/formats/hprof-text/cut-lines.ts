/**
 * Lines that the JVMTI agent cut: it prints from a buffer of 1,024 bytes and loses the rest of the line with its line
 * feed, so that the next line continues the same one.
 */

/** Most bytes of a line that the agent prints. */
export const PRINTED = 1023;

/** The starts of lines, searched in the part after a cut. */
const NEXT =
  /^(?:\t|TRACE \d+:|THREAD (?:START|END) \(|(?:WAIT|WAITED|SLEEP): |(?:ROOT|CLS|OBJ|ARR) [0-9a-f]+ \(|(?:MONITOR DUMP|MONITOR TIME|HEAP DUMP|SITES|CPU SAMPLES|CPU TIME \(ms\)) (?:BEGIN|END)| {4}(?:THREAD \d|(?:RAW )?MONITOR )| *\d+ +\d+[.,]\d\d% )/;
const latin1 = new TextDecoder('latin1');

/** Whether the text at `at` could be the next line of the file. */
export function goesOn(bytes: Uint8Array, at: number, to: number): boolean {
  return NEXT.test(latin1.decode(bytes.subarray(at, Math.min(to, at + 48))));
}
