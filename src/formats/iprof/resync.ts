/** Where reading continues after invalid JSON: at the start of an entry or of a section. */
import { nextBeginning } from '../shared/json-resync.js';
import type { Scanner } from '../shared/json-scanner.js';
import { SECTION_WORDS } from './vocabulary.js';

/** Keys that an entry begins with, in any version: resynchronisation uses only these. */
const ELEMENT_START =
  /(?<=[[,}][ \t\r\n]{0,32})\{[ \t\r\n]*"(?:id|name|typeName|methodName|signature|ctx|methodBciList|records)"[ \t\r\n]*:/g;
const SECTION_START = new RegExp(`"(?:version|${SECTION_WORDS.map((word) => word.key).join('|')})"[ \\t\\r\\n]*:`, 'g');

export interface Start {
  readonly of: 'element' | 'section';
  readonly position: number;
}

/** The nearest start at or after `at`; undefined if the window has none. Entries only count in a section. */
export function nextStart(scanner: Scanner, at: number, inSection: boolean): Start | undefined {
  const found = nextBeginning(scanner, at, inSection ? [SECTION_START, ELEMENT_START] : [SECTION_START]);
  return found && { of: found.pattern === ELEMENT_START ? 'element' : 'section', position: found.position };
}
