/**
 * The tables of an HPROF text in the second reading: the traces they refer to, how deep traces may be, and rows that
 * contradict the heading or each other (spec/hprof.md §1.5 and §1.6).
 */
import type { ContentRow, ContentSection, HprofContent, HprofTruth } from './hprof-content.js';

/** Serials of the JVMTI agent begin here; those of the JVMPI agent at 1 (spec §0). */
const JVMTI_TRACES = 300000;
const JVMTI_THREADS = 200000;

export function finishTables(truth: HprofTruth, used: ReadonlySet<number>, mayBeMain: readonly boolean[]): void {
  const byeSerial = new Map(truth.traces.toReversed().map((trace) => [trace.serial, trace]));
  for (const serial of used) if (!byeSerial.has(serial)) truth.dangling.push(serial);
  truth.jvmti = isJvmti(truth, used);
  takeOff(truth);
  if (truth.jvmti) nameTimes(truth.sections);
  cutTraces(truth, mayBeMain);
  truth.sections.forEach((section, i) => {
    for (const row of section.rows) {
      const trace = byeSerial.get(row.trace);
      const [innermost = ''] = trace?.frames ?? [];
      row.leaf = trace === undefined ? unexplained(section, row.name) : innermost.replace(/\([^(]*$/, '');
      row.thread = trace?.thread ?? -1;
    }
    checkSection(truth, section, truth.rowOffsets[i] ?? []);
  });
}

/** A missing trace is known only by its row, if that has a method. */
function unexplained(section: ContentSection, name: string): string {
  return section.named.startsWith('CPU') ? name : '<Unknown>';
}

function isJvmti({ traces, threads }: HprofContent, used: ReadonlySet<number>): boolean {
  const isNew = (thread: number): boolean => thread >= JVMTI_THREADS;
  return (
    traces.some(({ serial, thread }) => serial >= JVMTI_TRACES || isNew(thread)) ||
    [...used].some((serial) => serial >= JVMTI_TRACES) ||
    threads.some((thread) => isNew(Number.parseInt(thread, 10)))
  );
}

const FIRST = /^(?:java\.lang\.Thread\.(?:runWith|exit)|.*\.(?:run|main))\([^(]*$/;
/** Threads of the VM and its libraries, and all threads with a `Runnable`. */
const SURELY_FIRST =
  /^(?:java\.lang\.(?:Thread\.(?:run|exit)|VirtualThread\.run|ref\.(?:Reference\$ReferenceHandler|Finalizer\$FinalizerThread)\.run)|java\.util\.(?:TimerThread|concurrent\.ForkJoinWorkerThread)\.run|java\.awt\.EventDispatchThread\.run|jdk\.internal\.misc\.InnocuousThread\.run)\([^(]*$/;

/**
 * The longest trace shows the limit, unless all of that length begin with a method that may be the first of a thread.
 * Traces of that length are cut, unless they begin with one that certainly is.
 */
function cutTraces({ traces }: HprofContent, mayBeMain: readonly boolean[]): void {
  const longest = traces.reduce((most, { frames }) => Math.max(most, frames.length), 0);
  const deepest = traces.filter(({ frames }) => longest > 0 && frames.length === longest);
  if (deepest.every(({ frames }) => FIRST.test(frames.at(-1) ?? ''))) return;
  traces.forEach((trace, i) => {
    const outermost = trace.frames.at(-1) ?? '';
    const isFirst = SURELY_FIRST.test(outermost) || (/\.main\([^(]*$/.test(outermost) && mayBeMain[i]);
    trace.cut = deepest.includes(trace) && !isFirst;
  });
}

/**
 * Contended entries are counted from the start of the program (spec §1.1), and so are the hits of traces with the JVMPI
 * agent: the count of the last dump with the same row is subtracted.
 */
function takeOff({ sections, jvmti }: HprofTruth): void {
  const before = new Map<string, number>();
  for (const { named, rows } of sections) {
    const keyOf = ({ trace, name }: ContentRow): string =>
      named === 'MONITOR TIME' ? `${trace} ${name}` : jvmti || named === 'SITES' ? '' : `${named} ${trace}`;
    for (const row of rows) {
      const [printed = 0] = row.numbers;
      const known = before.get(keyOf(row)) ?? 0;
      row.own = known > printed ? printed : printed - known;
    }
    for (const row of rows) if (keyOf(row) !== '') before.set(keyOf(row), row.numbers[0] ?? 0);
  }
}

function total(section: ContentSection): number {
  return section.total < 0 ? section.total + 2 ** 32 : section.total;
}

/** Rows with a share that does not fit their count; `slack` in hundredths of a percent beyond the rounding. */
function misfits(section: ContentSection, slack: number): number[] {
  return section.rows.flatMap(({ own, share }, i) =>
    Math.abs((own / total(section)) * 10000 - share) > 0.5 + slack ? [i] : [],
  );
}

/** Whether any total fits the counts and shares of all rows. */
function totalExists({ rows }: ContentSection): boolean {
  let low = 0;
  let high = Infinity;
  for (const { numbers, share } of rows) {
    const [count = 0] = numbers;
    low = Math.max(low, (count * 10000) / (share + 0.5));
    if (share > 0.5) high = Math.min(high, (count * 10000) / (share - 0.5));
  }
  return low <= high * (1 + 1e-9);
}

/** With cpu=samples and cpu=times both tables are called CPU SAMPLES: no total fits the second one's counts. */
function nameTimes(sections: readonly ContentSection[]): void {
  for (let i = 1; i < sections.length; i++) {
    const [first, second] = sections.slice(i - 1, i + 1);
    if (first?.kind !== 'CPU SAMPLES' || second?.kind !== 'CPU SAMPLES' || second.rows.length === 0) continue;
    const most = (section: ContentSection): boolean => misfits(section, 0.01).length * 2 > section.rows.length;
    if (most(first) || !most(second) || totalExists(second)) continue;
    second.kind = 'CPU TIME (ms)';
    for (const later of sections.slice(i)) later.dump--;
  }
}

function checkSection(truth: HprofTruth, section: ContentSection, offsets: readonly number[]): void {
  const breach = (row: number | undefined, why: string): void => {
    const offset = row === undefined ? section.offset : (offsets[row] ?? -1);
    truth.breaches.push({ kind: 'contradiction', offset, why });
  };
  let sum = 0;
  section.rows.forEach(({ rank, share, accumulated }, row) => {
    const expected = (section.rows[row - 1]?.rank ?? 0) + 1;
    if (rank !== expected) breach(row, `rank ${rank} where ${expected} was expected`);
    // Each of the three is rounded to two places.
    else if (Math.abs(accumulated - sum - share) > 1) breach(row, `${accumulated} is not ${sum} and ${share}`);
    sum = accumulated;
  });
  if (section.kind === 'CPU SAMPLES') {
    for (const row of misfits(section, 0.02)) breach(row, 'a share that is not of its count');
    const counts = section.rows.reduce((all, { own }) => all + own, 0);
    if (counts > total(section)) breach(undefined, `${counts} samples of ${total(section)}`);
  }
  if (section.kind === 'SITES' && !totalExists(section))
    truth.breaches.push({ kind: 'contradiction', offset: -1, why: 'no total fits' });
}
