/** One line of a trace: its place in the tree, and what its text says. */
import type { ReasonKind } from '../../models/callgraph/reason-table.js';

/** `any`: glyphs were written as `?`, so that it is unknown whether another reason follows. */
export type Corner = 'none' | 'child' | 'last' | 'any';

export interface ReasonLine {
  /** What stands before the glyph or the text. */
  readonly bars: string;
  readonly corner: Corner;
  /** The text with the blanks before it that belong to no level. */
  readonly text: string;
}

const DRAWN = /^((?:│ {3}| {4})*)(├── |└── )?/;
const QUESTIONED = /^((?:\? {3}| {4})*)(\?\?\? )/;

/** The parts of a line; bars that were written as `?` are drawn. */
export function reasonLine(line: string): ReasonLine {
  const [whole = '', drawn = '', glyph] = DRAWN.exec(line) ?? [];
  if (glyph !== undefined)
    return { bars: drawn, corner: glyph === '├── ' ? 'child' : 'last', text: line.slice(whole.length) };
  const [questioned, bars = ''] = QUESTIONED.exec(line) ?? [];
  if (questioned !== undefined)
    return { bars: bars.replaceAll('?', '│'), corner: 'any', text: line.slice(questioned.length) };
  // A line below such a glyph has bars only.
  const below = /^(?:\? {3}| {4})*/.exec(line)?.[0] ?? '';
  return below.length > whole.length
    ? { bars: below.replaceAll('?', '│'), corner: 'none', text: line.slice(below.length) }
    : { bars: drawn, corner: 'none', text: line.slice(whole.length) };
}

export interface Reason {
  readonly kind: ReasonKind;
  readonly name: string;
  readonly how?: string;
  readonly place?: string;
  /** Further lines that say where a constant was found. */
  readonly lines?: number;
}

const HEADING =
  /^(Type|Method|Field) (\S.*) (is (?:marked as [\w-]+|reachable|called|intrinsic|written|read|folded|accessed(?: unsafely)?))$/s;
const METHOD =
  /^(?:at )?(?:static|virtual) method (\S.*?)(?:, (implementation invoked|inlined|intrinsified|<no available reason>))?$/s;
const TYPE = /^type (\S+)(?: (is (?:marked as [\w-]+|reachable)))?$/;
const FIELD = /^field (\S+)(?: (is [\w ]+))?$/;
const CONSTANT =
  /^(?:scanning root .* embedded in|reading (?:static )?field |trying to constant fold (static )?field |indexing into array )/s;
/** What `StackTraceElement` prints behind a method: a file with or without line, or words. */
const PLACE = /\(([^(),\s]+\.\w+|[^(),]+:\d+|Native Method|Unknown Source)\)$/;

/** What was asked for; undefined if the text is no heading. */
export function headingOf(text: string): Reason | undefined {
  const [, kind, name = '', how = ''] = HEADING.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return { kind: kind === 'Type' ? 'type' : kind === 'Method' ? 'method' : 'field', name, how };
}

export function reasonOf(text: string): Reason {
  const method = METHOD.exec(text);
  if (method !== null) {
    const [, whole = '', how] = method;
    const place = PLACE.exec(whole);
    const name = place === null ? whole : whole.slice(0, place.index);
    return { kind: 'method', name, ...(how === undefined ? {} : { how }), ...(place?.[1] && { place: place[1] }) };
  }
  for (const [kind, shape] of [
    ['type', TYPE],
    ['field', FIELD],
  ] as const) {
    const [, name, how] = shape.exec(text) ?? [];
    if (name !== undefined) return { kind, name, ...(how === undefined ? {} : { how }) };
  }
  if (CONSTANT.test(text)) return { kind: 'constant', name: text.trimEnd(), lines: linesOf(text) };
  return { kind: 'text', name: text.replace(/^str: /, '') };
}

/** Lines that follow a constant: its object and the place, or one of them. */
function linesOf(text: string): number {
  if (text.startsWith('indexing')) return 0;
  return text.startsWith('trying to constant fold field') ? 2 : 1;
}
