/** Describes an input of unknown kind, so that users see what they gave by mistake. */
import type { Head } from '../../formats/capabilities/probe.js';
import { textOf } from '../../formats/shared/head-text.js';
import { outlineOf } from '../../formats/shared/json-outline.js';

/** Beginnings of common files, one character a byte. */
const BEGINNINGS: readonly (readonly [start: string, what: string, at?: number])[] = [
  ['\u0089PNG\r\n', 'a PNG picture'],
  ['\u00ff\u00d8\u00ff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['%PDF-', 'a PDF document'],
  ['PK\u0003\u0004', 'a zip archive'],
  ['PK\u0005\u0006', 'an empty zip archive'],
  ['\u001f\u008b', 'gzip data'],
  ['\u0028\u00b5\u002f\u00fd', 'Zstandard data'],
  ['\u00fd7zXZ\0', 'xz data'],
  ['BZh', 'bzip2 data'],
  ['\u0004\u0022\u004d\u0018', 'LZ4 data'],
  ['7z\u00bc\u00af\u0027\u001c', 'a 7z archive'],
  ['ustar', 'a tar archive', 257],
  ['!<arch>\n', 'an ar archive (static library or Debian package)'],
  ['MZ', 'a Windows program or library'],
  ['\0asm', 'a WebAssembly module'],
  ['PAR1', 'a Parquet file'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['\u00cf\u00fa\u00ed\u00fe', 'a Mach-O program or library (macOS)'],
  ['\u00ca\u00fe\u00ba\u00be', 'a universal Mach-O program (macOS)'],
  ['\u00da\u00da\u00fe\u00ca', 'a jimage file of the JDK (lib/modules)'],
];

/** As in "a PNG picture", "text, first line …"; without a full stop. */
export function describe(head: Head): string {
  const beginning = BEGINNINGS.find(([start, , at]) => head.text.startsWith(start, at ?? 0));
  if (beginning !== undefined) return beginning[1];
  const json = describeJson(head);
  if (json !== undefined) return json;
  const { text, binary, encoding, lines } = textOf(head);
  if (binary) return `binary data beginning with ${hex(head.bytes.subarray(0, 16))}`;
  const start = text.slice(0, 2000).trimStart().toLowerCase();
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'an HTML page';
  if (start.startsWith('<?xml')) return 'an XML document';
  if (start.startsWith('#!')) return `a script, first line ${quote(lines[0] ?? '')}`;
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined) return 'only white space';
  return `${encoding === undefined ? 'text' : `${encoding.toUpperCase()} text`}, first line ${quote(first)}`;
}

function describeJson(head: Head): string | undefined {
  const { root, keys, marks, faulty, ended, trailing } = outlineOf(head);
  if (root === undefined || (faulty && keys.length === 0 && marks.size === 0)) return undefined;
  if (trailing && (root === 'array' || keys.length === 0)) return undefined;
  // A time in brackets begins many logs: [20:45:26], [8/15/24 15:07:40].
  const values = [...marks.values()].every(({ kind }) => kind === 'number' || kind === 'word');
  if (faulty && root === 'array' && values) return undefined;
  const more = trailing ? ', followed by more values' : '';
  const state = faulty ? ', later damaged or not JSON' : !ended && head.whole ? ', truncated' : more;
  if (root === 'object') {
    if (keys.length === 0) return `a JSON object without keys${state}`;
    return `a JSON object whose first keys are ${keys.slice(0, 5).map(printable).join(', ')}${state}`;
  }
  const element = marks.get('[]');
  if (element === undefined) return `a JSON array${ended ? ', empty' : state}`;
  const inner = [...marks.keys()].filter((path) => /^\[\]\/[^/[]*$/.test(path)).slice(0, 5);
  const elements =
    inner.length === 0
      ? `${element.kind}s`
      : `objects with ${inner.map((path) => printable(path.slice(3))).join(', ')}`;
  return `a JSON array of ${elements}${state}`;
}

/** Text for a message: one line, no control characters, at most 60 characters. UTF-8 bytes are decoded. */
function printable(text: string): string {
  const whole = /[\u0080-\u00ff]/.test(text) && !/[^\0-\u00ff]/.test(text) ? decodeBytes(text) : text;
  const clean = whole.replace(/\p{C}/gu, '\u00b7').trim();
  return clean.length > 60 ? `${clean.slice(0, 60)}…` : clean;
}

function decodeBytes(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

function quote(line: string): string {
  return `"${printable(line.slice(0, 300))}"`;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
