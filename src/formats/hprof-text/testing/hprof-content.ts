/**
 * What an HPROF text says, spelled so that two readings of one file can be compared. Names stand as one character a
 * byte (Latin-1), threads by their numbers, traces by their serials, objects by their ids.
 */

/** A row of SITES, CPU SAMPLES, CPU TIME or MONITOR TIME. */
export interface ContentRow {
  readonly rank: number;
  /** Hundredths of a percent. */
  readonly share: number;
  readonly accumulated: number;
  /** Count; of sites live bytes, live objects, allocated bytes, allocated objects. */
  readonly numbers: readonly number[];
  /** The first of them, as far as it happened since the dump before. */
  own: number;
  readonly trace: number;
  readonly name: string;
  /** Innermost frame of the trace, `class.method`; of a trace that is not in the file what the row tells. */
  leaf: string;
  /** Thread of the trace, -1 where it tells none. */
  thread: number;
}

export interface ContentSection {
  /** Name in the file: `SITES`. */
  readonly named: string;
  /** What it holds: differs from the name where both CPU tables are called CPU SAMPLES. */
  kind: string;
  dump: number;
  readonly offset: number;
  /** NaN where the heading tells none. */
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
  /** -1 where it is not told. */
  readonly thread: number;
  readonly phase: string;
  /** Whether it is as long as the depth limit. */
  cut: boolean;
  /** `class.method(source:line)`, innermost first; undefined where the line is no frame: anything may be read then. */
  readonly frames: (string | undefined)[];
}

export interface HprofContent {
  prelude: string;
  /** `thread-start`, `thread-end`, `wait`, `trace`, `section` in the order of the file. */
  readonly items: string[];
  /** Threads whose start or end is told: `number name group object started ended`. */
  readonly threads: string[];
  readonly waits: string[];
  readonly traces: ContentTrace[];
  readonly sections: ContentSection[];
  /** `calls callee caller milliseconds` */
  readonly old: string[];
  /** Serials that are used and not explained. */
  readonly dangling: number[];
}

/** What is wrong with a line, or with what lines say together. */
export interface Breach {
  /** `line`: not of the grammar. `cut`: the file or a section has no end. `contradiction`: lines that cannot both be true. */
  readonly kind: 'line' | 'cut' | 'contradiction';
  readonly offset: number;
  readonly why: string;
}

export interface HprofTruth extends HprofContent {
  readonly breaches: Breach[];
  jvmti: boolean;
  /** Row offsets of each section, as `sections[i].rows`. */
  readonly rowOffsets: number[][];
}

export function frameText(declaring: string, method: string, file: string, line: string): string {
  return `${declaring}.${method}(${file}:${line})`;
}
