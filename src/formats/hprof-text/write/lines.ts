/** Lines of HPROF text, for recordings and for agents that write while they profile. Grammar: docs/formats/hprof-text.md. */
import type { TextName, TextOut } from './text-out.js';

export const SITES_TITLES =
  "          percent          live          alloc'ed  stack class\n rank   self  accum     bytes objs     bytes  objs trace name\n";
export const OLD_TITLES = 'count callee caller time\n';
/** Names of references shorter than this get a second tab. */
const TAB_WIDTH = 8;

/** The titles of a section that counts traces. */
export function rankTitles(last: 'monitor' | 'method'): string {
  return `rank   self  accum   count trace ${last}\n`;
}

export function threadStart(out: TextOut, object: number, serial: number, name: TextName, group: TextName): void {
  out.text(`THREAD START (obj=${object.toString(16)}, id = ${serial}, name="`);
  out.name(name).text('", group="').name(group).text('")\n');
}

export function threadEnd(out: TextOut, serial: number): void {
  out.text(`THREAD END (id = ${serial})\n`);
}

/** A thread that begins to wait, sleep, or has waited. */
export interface WaitLine {
  /** Undefined for `Thread.sleep`. */
  readonly monitor?: TextName | undefined;
  /** Ms; 0: for ever. */
  readonly timeout?: number | undefined;
  /** Ms; present where the wait ended. */
  readonly waited?: number | undefined;
  /** -1 if unknown. */
  readonly thread: number;
}

export function waitLine(out: TextOut, { monitor, timeout, waited, thread }: WaitLine): void {
  out.text(monitor === undefined ? 'SLEEP: ' : waited === undefined ? 'WAIT: ' : 'WAITED: ');
  if (monitor !== undefined) out.text('MONITOR ').name(monitor).text(', ');
  out.text(waited === undefined ? `timeout=${timeout}, ` : `time_waited=${waited}, `);
  out.text(thread < 0 ? '<unknown thread>\n' : `thread ${thread}\n`);
}

/** `thread` -1: not given; `phase` empty: while the VM ran. */
export function traceHead(out: TextOut, serial: number, thread: number, phase: string): void {
  out.text(`TRACE ${serial}:`);
  if (thread >= 0) out.text(` (thread=${thread})`);
  out.text(phase === '' ? '\n' : ` (from ${phase} phase of JVM)\n`);
}

/** What rows of all sections have. Shares are hundredths of a percent. */
export interface RankLine {
  readonly rank: number;
  readonly share: number;
  readonly accumulated: number;
  readonly count: number;
  readonly trace: number;
  readonly name: TextName;
}

export interface SiteLine extends RankLine {
  /** `count` is the bytes that live. */
  readonly liveObjects: number;
  readonly allocatedBytes: number;
  readonly allocatedObjects: number;
}

export function rankLine(out: TextOut, line: RankLine): void {
  out.right(line.rank, 4).text(' ').percent(line.share).text(' ').percent(line.accumulated).text(' ');
  out.right(line.count, 7).text(' ').right(line.trace, 5).text(' ').name(line.name).text('\n');
}

export function siteLine(out: TextOut, line: SiteLine): void {
  out.right(line.rank, 5).text(' ').percent(line.share).text(' ').percent(line.accumulated).text(' ');
  out.right(line.count, 9).text(' ').right(line.liveObjects, 4).text(' ');
  out.right(line.allocatedBytes, 9).text(' ').right(line.allocatedObjects, 5).text(' ');
  out.right(line.trace, 5).text(' ').name(line.name).text('\n');
}

/** A row of cpu=old; `time` in ms. */
export function oldLine(out: TextOut, calls: number, callee: TextName, caller: TextName, time: number): void {
  out.text(`${calls} `).name(callee).text(' ').name(caller).text(` ${time}\n`);
}

export function threadStatus(out: TextOut, thread: number, trace: number, status: TextName): void {
  out.text(`    THREAD ${thread}, trace ${trace}, status: `).name(status).text('\n');
}

/** A monitor of a dump. Threads are serials. */
export interface MonitorLines {
  readonly raw: boolean;
  readonly name: TextName;
  /** -1 if there is none. */
  readonly owner: number;
  readonly entries: number;
  readonly entering: readonly number[];
  readonly waiting: readonly number[];
}

/** `empty`: the lines of waiting threads stand also where there are none, as the JVMTI agent writes them. */
export function monitorLines(out: TextOut, monitor: MonitorLines, empty: boolean): void {
  out.text(monitor.raw ? '    RAW MONITOR ' : '    MONITOR ').name(monitor.name);
  if (monitor.owner < 0) out.text(' unowned\n');
  else out.text(`\n\towner: thread ${monitor.owner}, entry count: ${monitor.entries}\n`);
  const waiting = (words: string, threads: readonly number[]): void => {
    if (threads.length > 0 || empty) out.text(`\t${words}${threads.map((thread) => ` thread ${thread}`).join(',')}\n`);
  };
  waiting('waiting to enter:', monitor.entering);
  waiting('waiting to be notified:', monitor.waiting);
}

/** What is known of a root beside its object; numbers that are absent are not written. */
export interface RootLine {
  readonly object: string;
  readonly kind: string;
  /** Serial of the thread, which is itself the object if `isThread`. */
  readonly thread?: number | undefined;
  readonly isThread?: boolean | undefined;
  /** Id of the JNI reference. */
  readonly handle?: string | undefined;
  readonly frame?: number | undefined;
  readonly className?: TextName | undefined;
  readonly trace?: number | undefined;
}

export function rootLine(out: TextOut, root: RootLine): void {
  out.text(`ROOT ${root.object} (kind=<${root.kind}>`);
  if (root.thread !== undefined) out.text(`, ${root.isThread === true ? 'id' : 'thread'}=${root.thread}`);
  if (root.handle !== undefined) out.text(`, id=${root.handle}`);
  if (root.frame !== undefined) out.text(`, frame=${root.frame}`);
  if (root.className !== undefined) out.text(', name=').name(root.className);
  if (root.trace !== undefined) out.text(`, trace=${root.trace}`);
  out.text(')\n');
}

export function classLine(out: TextOut, id: string, name: TextName, trace: number): void {
  out.text(`CLS ${id} (name=`).name(name).text(`, trace=${trace})\n`);
}

/** `type`: the class and its id, `java.lang.Object@5000032a`. */
export function objectLine(out: TextOut, id: string, size: number, trace: number, type: TextName): void {
  out.text(`OBJ ${id} (sz=${size}, trace=${trace}, class=`).name(type).text(')\n');
}

/** An array: id, bytes, trace, number and type of its elements. */
export function arrayLine(
  out: TextOut,
  [id, size, trace, elements]: readonly [string, number, number, number],
  type: TextName,
): void {
  out.text(`ARR ${id} (sz=${size}, trace=${trace}, nelems=${elements}, elem type=`).name(type).text(')\n');
}

export function elementLine(out: TextOut, index: number, target: string): void {
  out.text(`\t[${index}]\t\t${target}\n`);
}

export function staticLine(out: TextOut, name: TextName, target: string): void {
  out.text('\tstatic ').name(name).text(`\t${target}\n`);
}

/** What a class refers to beside its fields: `super`, `loader`, `signers`, `domain`. */
export function classPartLine(out: TextOut, part: string, target: string): void {
  out.text(`\t${part}\t\t${target}\n`);
}

/** A reference in a field; `length` in bytes of its name. */
export function fieldLine(out: TextOut, name: TextName, length: number, target: string): void {
  out
    .text('\t')
    .name(name)
    .text(`${length < TAB_WIDTH ? '\t\t' : '\t'}${target}\n`);
}
