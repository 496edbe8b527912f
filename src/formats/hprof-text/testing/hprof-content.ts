/**
 * The content of an HPROF text in a form that allows comparing two readings. Names are one character a byte (Latin-1),
 * threads are their numbers, traces their serials, objects their ids.
 */

/** A row of SITES, CPU SAMPLES, CPU TIME or MONITOR TIME. */
export interface ContentRow {
  readonly rank: number;
  /** Hundredths of a percent. */
  readonly share: number;
  readonly accumulated: number;
  /** Count; for sites live bytes, live objects, allocated bytes, allocated objects. */
  readonly numbers: readonly number[];
  /** The first of them, since the previous dump. */
  own: number;
  readonly trace: number;
  readonly name: string;
  /** Innermost frame of the trace, `class.method`; for a missing trace, the one in the row. */
  leaf: string;
  /** Thread of the trace, -1 if missing. */
  thread: number;
}

export interface ContentSection {
  /** Name in the file: `SITES`. */
  readonly named: string;
  /** Its content: differs from the name if both CPU tables are called CPU SAMPLES. */
  kind: string;
  dump: number;
  readonly offset: number;
  /** NaN if missing in the heading. */
  readonly total: number;
  readonly bytes: number;
  readonly orderedBy: string;
  date: string;
  ended: boolean;
  readonly rows: ContentRow[];
  /** Lines of a monitor dump, or objects, references and roots of a heap dump, in a fixed spelling. */
  readonly lines: string[];
}

export interface ContentTrace {
  readonly serial: number;
  /** -1 if missing. */
  readonly thread: number;
  readonly phase: string;
  /** Whether it is as long as the depth limit. */
  cut: boolean;
  /**
   * `class.method(source:line)`, innermost first; undefined for lines that are not frames: any reading of these is
   * accepted.
   */
  readonly frames: (string | undefined)[];
}

export interface HprofContent {
  prelude: string;
  /** `thread-start`, `thread-end`, `wait`, `trace`, `section` in the order of the file. */
  readonly items: string[];
  /** Threads with a start or end in the file: `number name group object started ended`. */
  readonly threads: string[];
  readonly waits: string[];
  readonly traces: ContentTrace[];
  readonly sections: ContentSection[];
  /** `calls callee caller milliseconds` */
  readonly old: string[];
  /** Serials that are used but missing. */
  readonly dangling: number[];
}

/** An error in a line, or between several lines. */
export interface Breach {
  /**
   * `line`: not in the grammar. `cut`: the end of the file or of a section is missing. `contradiction`: lines that
   * cannot both be true.
   */
  readonly kind: 'line' | 'cut' | 'contradiction';
  readonly offset: number;
  readonly why: string;
}

export interface HprofTruth extends HprofContent {
  readonly breaches: Breach[];
  jvmti: boolean;
  /** Row offsets of each section, like `sections[i].rows`. */
  readonly rowOffsets: number[][];
}

export function frameText(declaring: string, method: string, file: string, line: string): string {
  return `${declaring}.${method}(${file}:${line})`;
}
