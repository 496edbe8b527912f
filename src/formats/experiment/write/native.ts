/**
 * Writes samples of native processes by their addresses as an experiment of format 12.4: what was mapped where, stacks, clock profiling and what the
 * system counted. Readers find names and lines in the mapped files, as in experiments of gprofng.
 */
import { addFrame, FAILED, TRUNCATED } from './frames.js';
import { CLOCK, COUNTER, clockText, countersText, logAround, type RunOrigin } from './log.js';
import { attributeText, encodedLines, seconds } from './markup.js';
import { overviewRecord } from './overview-record.js';
import { type MachineLayout, PacketBlocks } from './packets.js';

/** Code of a file that a process has mapped. Addresses are below 2^53. */
export interface NativeMapping {
  /** Nanoseconds since the start of the process. */
  readonly time: number;
  readonly address: number;
  readonly size: number;
  /** Where it begins in the file. */
  readonly offset: number;
  readonly name: string;
}

/** Code without a file: of the kernel, or made at run time. */
export interface AddressedCode {
  readonly address: number;
  readonly size: number;
  readonly name: string;
}

export type StackEnd = 'whole' | 'cut' | 'failed';

/** Addresses from leaf to root: of the instruction that ran, then of calls. */
export interface NativeStack {
  readonly addresses: readonly number[];
  readonly end: StackEnd;
}

/** Samples as columns. `times` in nanoseconds since the start; `values` are ticks or counts; `stacks` are rows. */
export interface NativeSamples {
  readonly length: number;
  readonly times: ArrayLike<number>;
  readonly threads: ArrayLike<number>;
  readonly cpus: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly stacks: ArrayLike<number>;
}

/** What samples count: ticks of the clock, of so many microseconds, or overflows of a counter. */
export type NativeMeasure =
  | { readonly kind: 'clock'; readonly tick: number }
  | { readonly kind: 'counter'; readonly name: string };

export interface NativeProcess {
  /** The experiment within that of the first process: `_f1.er`; empty for the first. */
  readonly folder: string;
  readonly origin: RunOrigin;
  readonly command: string;
  /** Nanoseconds. */
  readonly duration: number;
  readonly measure: NativeMeasure;
  readonly mappings: Iterable<NativeMapping>;
  readonly functions: Iterable<AddressedCode>;
  readonly stacks: readonly NativeStack[];
  readonly samples: NativeSamples;
  /** CPU time in nanoseconds; undefined if nobody counted it. */
  readonly usage: { readonly user: number; readonly system: number } | undefined;
  /** Of its life, and warnings: elements of log.xml. */
  readonly events: readonly string[];
}

/** The microstate of Linux: on a CPU, in the program or in the kernel. */
const LINUX_CPU = 10;
const MACHINE: MachineLayout = { littleEndian: true, word: 8 };

/** The files of the experiment of a process, by their paths in that of the first one. */
export function nativeParts(process: NativeProcess): Map<string, Iterable<Uint8Array>> {
  const { folder, origin, command, duration, measure, usage, events } = process;
  const prefix = folder === '' ? '' : `${folder}/`;
  const log = logAround({ ...MACHINE, origin, command, duration }, layoutOf(measure), events);
  return new Map<string, Iterable<Uint8Array>>([
    [`${prefix}log.xml`, encodedLines(log)],
    [`${prefix}map.xml`, encodedLines(mapText(process))],
    [`${prefix}data.frameinfo`, frames(process.stacks)],
    [`${prefix}${measure.kind === 'clock' ? 'profile' : 'hwcounters'}`, packets(process)],
    [`${prefix}overview`, usage === undefined ? [] : overview(process, usage)],
  ]);
}

/** An element of log.xml: what went wrong while recording. */
export function warningText(text: string): string {
  return `<event kind="cwarn" id="0">${attributeText(text)}</event>\n`;
}

/** Of the first process: another one began. `lineage` is `_f1`. */
export function descendantText(lineage: string, variant: 'fork' | 'exec', time: number): string {
  return `<event kind="desc_start" variant="${variant}" lineage="${lineage}" follow="1" msg="" tstamp="${seconds(time)}"/>\n`;
}

function* mapText({ mappings, functions, origin }: NativeProcess): Generator<string> {
  const hexOf = (value: number, digits: number): string =>
    `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
  for (const { time, address, size, offset, name } of mappings)
    yield `<event kind="map" object="segment" tstamp="${seconds(time)}" vaddr="${hexOf(address, 16)}" size="${size}" pagesz="${origin.pageSize}" foffset="+${hexOf(offset, 8)}" modes="0x005" chksum="0x0" name="${attributeText(name)}"/>\n`;
  for (const { address, size, name } of functions)
    yield `<event kind="map" object="function" tstamp="0.000000000" vaddr="${hexOf(address, 16)}" size="${size}" name="${attributeText(name)}" />\n`;
}

function* frames(stacks: readonly NativeStack[]): Generator<Uint8Array> {
  const blocks = new PacketBlocks(MACHINE);
  for (const [id, { addresses, end }] of stacks.entries()) {
    const mark = end === 'cut' ? [TRUNCATED] : end === 'failed' ? [FAILED] : [];
    yield* addFrame(blocks, MACHINE, id, [...addresses, ...mark]);
  }
  yield blocks.finish();
}

function layoutOf(measure: NativeMeasure): Iterable<string> {
  return measure.kind === 'clock' ? [clockText(measure.tick)] : countersText([measure.name]);
}

function* packets({ samples, origin, measure }: NativeProcess): Generator<Uint8Array> {
  const { length, times, threads, cpus, values, stacks } = samples;
  const blocks = new PacketBlocks(MACHINE);
  const layout = measure.kind === 'clock' ? CLOCK : COUNTER;
  for (let row = 0; row < length; row++) {
    const { fields, full } = blocks.packet(layout.size, layout.type);
    if (full !== undefined) yield full;
    fields.wide(8, threads[row] ?? 0);
    fields.wide(16, threads[row] ?? 0);
    fields.word(24, cpus[row] ?? 0);
    fields.wide(layout.stamp, origin.start + (times[row] ?? 0));
    fields.wide(layout.frame, (stacks[row] ?? 0) + 1);
    if (measure.kind === 'clock') {
      fields.word(CLOCK.state, LINUX_CPU);
      fields.word(CLOCK.ticks, values[row] ?? 1);
    } else {
      fields.word(COUNTER.tag, 0);
      fields.wide(COUNTER.value, values[row] ?? 0);
    }
  }
  yield blocks.finish();
}

function* overview(
  { origin, duration }: NativeProcess,
  { user, system }: { readonly user: number; readonly system: number },
): Generator<Uint8Array> {
  const { pid, start } = origin;
  yield overviewRecord({ pid, time: start, run: 0, user: 0, system: 0 }, MACHINE);
  yield overviewRecord({ pid, time: start + duration, run: duration, user, system }, MACHINE);
}
