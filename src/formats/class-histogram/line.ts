/**
 * Parses a line of a class histogram. The lines are those of HotSpot (`heapInspection.cpp` prints `"%4d: %13d %13d
 * %s"`), of the serviceability agent (`jmap -F -histo`, with tabs and `Class description`), of OpenJ9, which writes no
 * colon, and of scripts that leave out number, titles and total, or write numbers with separators. Decorations of unified logging may precede each.
 */
export type HistogramLine =
  | { readonly kind: 'titles'; readonly modules: boolean; readonly logged: boolean; readonly colons: boolean }
  | {
      readonly kind: 'row';
      readonly number: number;
      /** Whether a colon follows the number, as in rows of HotSpot. */
      readonly colon: boolean;
      readonly objects: number;
      readonly bytes: number;
      readonly name: string;
    }
  | { readonly kind: 'bare'; readonly objects: number; readonly bytes: number; readonly name: string }
  | { readonly kind: 'total'; readonly objects: number; readonly bytes: number }
  | { readonly kind: 'process'; readonly id: string }
  /** Dashes, blank lines, and other lines of a log. */
  | { readonly kind: 'filler' }
  | { readonly kind: 'other'; readonly logged: boolean };

/** Programs that pass a log on may put a blank between two. */
const DECORATIONS = /^\[[^\]]{0,100}\](?: ?\[[^\]]{0,100}\]){0,9}(?: GC\(\d{1,9}\))?/;
const TITLES = /^\s*num\s+#instances\s+#bytes\s+class (?:name(?<modules> \(module\))?|description)\s*$/i;
export const OPENJ9_TITLES = /^\s*num\s+object count\s+total size\s+class name\s*$/i;
/** Numbers of at most 15 digits are exact; no heap has more bytes. Spreadsheets and some tools put separators into them. */
const COUNT = String.raw`(\d{1,3}(?:[,.'\u2019\u00a0\u202f]\d{3}){1,4}|\d{1,15})`;
const ROW = new RegExp(String.raw`^\s*(\d{1,9})(:?)\s+${COUNT}\s+${COUNT}\s+(\S.*)$`, 's');
const BARE = new RegExp(String.raw`^\s*${COUNT}\s+${COUNT}\s+((?:\[|<\w+Klass>|[\p{L}_$]).*)$`, 'su');
const TOTAL = new RegExp(String.raw`^\s*Total\s*:?\s+${COUNT}\s+${COUNT}\s*$`);
const PROCESS = /^(\d{1,10}):$/;
const DASHES = /^\s*-{3,}\s*$/;

/** Parses a line; never throws. Time: linear in the length of the line. */
export function histogramLine(text: string): HistogramLine {
  const decorations = text.startsWith('[') ? DECORATIONS.exec(text) : null;
  const logged = decorations !== null;
  const line = decorations === null ? text : text.slice(decorations[0].length);
  const row = ROW.exec(line);
  const name = row === null ? undefined : nameOf(row[5] ?? '');
  if (row !== null && name !== undefined)
    return {
      kind: 'row',
      number: Number(row[1]),
      colon: row[2] === ':',
      objects: count(row[3]),
      bytes: count(row[4]),
      name,
    };
  if (line.trim() === '' || DASHES.test(line)) return { kind: 'filler' };
  const titles = TITLES.exec(line);
  if (titles !== null) return { kind: 'titles', modules: titles.groups?.modules !== undefined, logged, colons: true };
  if (OPENJ9_TITLES.test(line)) return { kind: 'titles', modules: false, logged, colons: false };
  const total = TOTAL.exec(line);
  if (total !== null) return { kind: 'total', objects: count(total[1]), bytes: count(total[2]) };
  const process = PROCESS.exec(line);
  if (process !== null) return { kind: 'process', id: process[1] ?? '' };
  const bare = logged ? null : BARE.exec(line);
  const named = bare === null ? undefined : nameOf(bare[3] ?? '');
  if (bare !== null && named !== undefined)
    return { kind: 'bare', objects: count(bare[1]), bytes: count(bare[2]), name: named };
  return { kind: 'other', logged };
}

function count(text = ''): number {
  return Number(text.replace(/\D/g, ''));
}

/** Names have no control characters: one in a name means that a line end was damaged and two lines became one. */
function nameOf(text: string): string | undefined {
  const name = text.trimEnd();
  return /\p{Cc}/u.test(name) ? undefined : name;
}

/** `java.lang.String (java.base@17.0.15)` → name and module. */
export function nameAndModule(text: string): { readonly name: string; readonly module: string | undefined } {
  const end = text.lastIndexOf(' (');
  return end <= 0 || !text.endsWith(')')
    ? { name: text, module: undefined }
    : { name: text.slice(0, end), module: text.slice(end + 2, -1) };
}
