/** The first and last lines of sections. */
import {
  dumpAfter,
  SECTION_KINDS,
  SECTION_NAMES,
  type TextSection,
  type TextSectionKind,
} from '../shared/hprof/sections.js';
import { ascii, type Cursor } from './cursor.js';

const BEGINS = SECTION_KINDS.map((kind) => [kind, ascii(`${SECTION_NAMES[kind]} BEGIN`)] as const);
/** HP's manual shows another end line for times. */
const ENDS: Readonly<Record<TextSectionKind, readonly Uint8Array[]>> = {
  'monitor-dump': [ascii('MONITOR DUMP END')],
  'monitor-time': [ascii('MONITOR TIME END')],
  'heap-dump': [ascii('HEAP DUMP END')],
  sites: [ascii('SITES END')],
  'cpu-samples': [ascii('CPU SAMPLES END')],
  'cpu-time': [ascii('CPU TIME (ms) END'), ascii('CPU TIMES END'), ascii('CPU TIME END')],
  'call-counts': [ascii('CALL COUNTS END')],
};
const TOTAL = ascii(' (total = ');
const OPEN = ascii(' (');
const OBJECTS = ascii(' objects, ');
const BYTES = ascii(' bytes');
const ORDERED_LIVE = ascii(' (ordered by live bytes');
const ORDERED_ALLOCATED = ascii(' (ordered by allocated bytes');
const MILLISECONDS = ascii(' ms');

/** Parses the first line of a section; undefined for other lines. */
export function sectionBegins(
  line: Cursor,
  previous: TextSection | undefined,
  rows: (kind: TextSectionKind) => number,
) {
  const kind = BEGINS.find(([, word]) => line.skip(word))?.[0];
  if (kind === undefined) return undefined;
  const head = headOf(line, kind);
  if (head === undefined) return undefined;
  if (kind !== 'monitor-dump' && line.bytes[line.at++] !== 41) return undefined;
  const date = new TextDecoder().decode(line.bytes.subarray(line.at, line.end)).replace(/^ +| +$/g, '');
  const dump = dumpAfter(previous, kind);
  const from = rows(kind);
  const section: TextSection = {
    kind,
    named: kind,
    dump,
    offset: line.offset,
    ...head,
    date,
    from,
    to: from,
    ended: false,
  };
  return section;
}

type SectionHead = Pick<TextSection, 'total' | 'bytes' | 'orderedBy'>;

/** The text in brackets after the name. */
function headOf(line: Cursor, kind: TextSectionKind): SectionHead | undefined {
  const none: SectionHead = { total: NaN, bytes: NaN, orderedBy: 'live' };
  switch (kind) {
    case 'monitor-dump':
      return line.atEnd ? none : undefined;
    case 'sites':
      if (line.skip(ORDERED_LIVE)) return none;
      return line.skip(ORDERED_ALLOCATED) ? { ...none, orderedBy: 'allocated' } : undefined;
    case 'heap-dump': {
      if (!line.skip(OPEN)) return undefined;
      const total = line.count();
      if (!(total >= 0) || !line.skip(OBJECTS)) return undefined;
      const bytes = line.count();
      return bytes >= 0 && line.skip(BYTES) ? { ...none, total, bytes } : undefined;
    }
    default: {
      if (!line.skip(TOTAL)) return undefined;
      const total = line.decimal();
      if (kind === 'monitor-time' && !line.skip(MILLISECONDS)) return undefined;
      return Number.isNaN(total) ? undefined : { ...none, total };
    }
  }
}

/** Whether the line ends a section of this kind. */
export function sectionEnds(line: Cursor, kind: TextSectionKind): boolean {
  return ENDS[kind].some((word) => line.sees(word) && line.at + word.length === line.end);
}

/** Whether the line has the titles of columns. */
export function isTitle(line: Cursor): boolean {
  const first = line.bytes[line.at];
  if (first !== TITLE_BLANK && first !== TITLE_R && first !== TITLE_P) return false;
  return TITLES.has(
    line
      .text()
      .replace(/[ \t]+/g, ' ')
      .replace(/^ | $/g, ''),
  );
}

const [TITLE_BLANK, TITLE_R, TITLE_P] = ascii(' rp');
const TITLES = new Set([
  'rank self accum count trace method',
  'rank self accum count trace monitor',
  "percent live alloc'ed stack class",
  'rank self accum bytes objs bytes objs trace name',
]);

/** Date and time as C's ctime() spells them. */
export const DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d?\d \d\d:\d\d:\d\d \d{4}$/;
