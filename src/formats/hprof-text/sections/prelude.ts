/** The heading of a file: its first line, the agent's text about the records, a line of dashes and an empty one. */
import type { ByteBuilder } from '../../../base/columns/columns.js';
import type { ProblemLog } from '../../../base/problems.js';
import { ascii, type Cursor } from '../cursor.js';
import { sectionBegins } from '../sections.js';

const BEGIN = ascii('JAVA PROFILE ');
const FIRST = /^JAVA PROFILE 1\.0(?:\.\d)?, created ./;
const END = ascii('--------');
const RECORD = /^(?:THREAD START \(obj=|TRACE \d+:)/;
const LINE_FEED = 10;

/** Most bytes of the heading that are kept. */
const LARGEST = 1 << 20;

export class Prelude {
  readonly #text: ByteBuilder;
  readonly #problems: ProblemLog;
  /** Whether the line of dashes was there. */
  isOver = false;
  /** False if it was too long. */
  complete = true;

  /** `text` receives the lines. */
  constructor(text: ByteBuilder, problems: ProblemLog) {
    this.#text = text;
    this.#problems = problems;
  }

  /** Whether the first line of a file begins a heading. */
  begins(line: Cursor): boolean {
    if (!line.sees(BEGIN)) return false;
    if (!FIRST.test(line.excerpt()))
      this.#problem('warning', line.offset, `not "JAVA PROFILE 1.0.1, created …": ${line.excerpt()}`);
    return true;
  }

  /** Takes a line. 'over': the line does not belong to the heading; 'last': it is the last one. */
  take(line: Cursor): 'more' | 'last' | 'over' {
    const wasOver = this.isOver;
    // The heading ends with an empty line.
    if (wasOver && !line.atEnd) return 'over';
    if (line.sees(END)) this.isOver = true;
    else if (!wasOver && beginsRecord(line)) {
      this.#problem('warning', line.offset, 'the header does not end with the line --------');
      return 'over';
    }
    if (this.#text.length + (line.end - line.from) > LARGEST) {
      this.#problem('error', line.offset, 'the header has no end: no line -------- within 1 MiB');
      this.complete = false;
      return 'last';
    }
    this.#text.append(line.bytes, line.from, line.end);
    this.#text.push(LINE_FEED);
    return wasOver ? 'last' : 'more';
  }

  #problem(severity: 'warning' | 'error', offset: number, message: string): void {
    this.#problems.add({ code: 'hprof-prelude', severity, offset, message });
  }
}

/** Whether a record begins before the end of the heading. */
function beginsRecord(line: Cursor): boolean {
  if (RECORD.test(line.excerpt())) return true;
  const begins = sectionBegins(line, undefined, () => 0) !== undefined;
  line.at = line.from;
  return begins;
}
