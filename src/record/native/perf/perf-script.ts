/**
 * What `perf script` prints, line by line: processes, what they had mapped, and samples with the addresses of their stacks. The fields are those of
 * PRINTED_FIELDS. Memory: the columns of samples, and each stack once.
 *
 *   31035/31035 [000] 13930.693736017:    1000000 cpu-clock:
 *   \t            11ed (/home/u/shop)                       offset in the file, as perf prints addresses in mapped files
 *   \t    7f38a0001234 ([unknown])                          an address where no file is mapped
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { KERNEL_BASE, kernelAddress } from './kernel-address.js';

/** Fields and events that the parser expects: words for `perf script`. */
export const PRINTED_FIELDS = [
  '--ns',
  '-F',
  'pid,tid,cpu,time,period,event,ip,dso',
  '--show-mmap-events',
  '--show-task-events',
  '--show-lost-events',
  '--no-inline',
];

/** Code of a file in the memory of a process. `time` is absolute, in nanoseconds. */
export interface PerfMapping {
  readonly time: number;
  readonly address: number;
  readonly size: number;
  readonly offset: number;
  readonly name: string;
}

/** A stack as it was sampled: addresses from leaf to root, those of callers behind their calls; `user` is the first of the program's own. */
export interface PerfStack {
  readonly addresses: readonly number[];
  readonly user: number;
}

/** A program that ran in a process: `exec` begins another one with the same number. */
export class PerfProcess {
  readonly mappings: PerfMapping[] = [];
  readonly stacks: PerfStack[] = [];
  readonly builders = {
    time: new Float64Builder(),
    thread: new Int32Builder(),
    cpu: new Int32Builder(),
    period: new Float64Builder(),
    stack: new Int32Builder(),
  };
  readonly #stackIds = new Map<string, number>();
  readonly #addresses = new Map<string, number>();
  samples = 0;
  end: number;

  constructor(
    readonly pid: number,
    readonly parent: PerfProcess | undefined,
    readonly how: 'start' | 'fork' | 'exec',
    readonly start: number,
  ) {
    this.end = start;
    if (how === 'fork' && parent !== undefined) this.mappings.push(...parent.mappings);
  }

  map(mapping: PerfMapping): void {
    this.mappings.push(mapping);
    this.#addresses.clear();
  }

  /** The address of a frame; `file` is what perf says the address lies in. */
  addressOf(digits: string, file: string): number {
    const key = `${digits} ${file}`;
    const cached = this.#addresses.get(key);
    if (cached !== undefined) return cached;
    const address = this.#resolved(digits, file);
    this.#addresses.set(key, address);
    return address;
  }

  #resolved(digits: string, file: string): number {
    const kernel = kernelAddress(digits);
    if (kernel !== undefined) return kernel;
    const value = Number.parseInt(digits, 16);
    const within = (begin: number, size: number): boolean => value >= begin && value < begin + size;
    const byOffset = this.mappings.findLast(({ name, offset, size }) => name === file && within(offset, size));
    return byOffset === undefined ? value : byOffset.address + (value - byOffset.offset);
  }

  stackId(stack: PerfStack): number {
    const key = `${stack.user} ${stack.addresses.join(' ')}`;
    const id = this.#stackIds.get(key);
    if (id !== undefined) return id;
    this.#stackIds.set(key, this.stacks.length);
    return this.stacks.push(stack) - 1;
  }
}

/** All that was recorded. */
export interface PerfRun {
  /** In the order in which they began; the first is the one that was recorded. */
  readonly processes: readonly PerfProcess[];
  /** Records that perf says it lost. */
  readonly lost: number;
  /** Lines that are none of the known ones. */
  readonly unknown: number;
}

const RECORD = /^\s*(-?\d+)\/(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(.*)$/;
const FRAME = /^\s+([0-9a-f]+) \((.*)\)$/;
const SAMPLE = /^(\d+)\s+\S+:\s*$/;
const MAPPED =
  /^PERF_RECORD_MMAP2? (-?\d+)\/\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (?:0x)?([0-9a-f]+)[^\]]*\]: ([-rwxps]+) (.*)$/;
const FORKED = /^PERF_RECORD_FORK\((\d+):(\d+)\):\((\d+):(\d+)\)/;
const EXECUTED = /^PERF_RECORD_COMM exec: .*:(\d+)\/\d+$/;
const LOST = /^PERF_RECORD_LOST(?:_SAMPLES)? lost (\d+)/;

interface OpenSample {
  readonly process: PerfProcess;
  readonly addresses: number[];
  user: number;
}

/** Takes lines; `finish` ends. `pid` is the process that was recorded; what it was before its first `exec` is left out if `fromExec`. */
export class PerfScript {
  readonly #processes: PerfProcess[] = [];
  readonly #current = new Map<number, PerfProcess>();
  readonly #pid: number;
  #waits: boolean;
  #lost = 0;
  #unknown = 0;
  #sample: OpenSample | undefined;

  constructor(pid: number, fromExec: boolean) {
    this.#pid = pid;
    this.#waits = fromExec;
  }

  line(text: string): void {
    const frame = FRAME.exec(text);
    const record = frame === null ? RECORD.exec(text) : null;
    if (frame !== null) this.#frame(frame[1] ?? '', frame[2] ?? '');
    else this.#close();
    if (record !== null) this.#record(record);
    else if (frame === null && text.trim() !== '') this.#unknown++;
  }

  #record([, pid = '', thread = '', cpu = '', seconds = '', nanos = '', rest = '']: RegExpExecArray): void {
    const time = Number(seconds) * 1e9 + Number(nanos);
    const sample = SAMPLE.exec(rest);
    if (sample === null) this.#event(rest, time);
    else this.#begin(Number(pid), { thread: Number(thread), cpu: Number(cpu), time, period: Number(sample[1]) });
  }

  finish(): PerfRun {
    this.#close();
    return { processes: this.#processes, lost: this.#lost, unknown: this.#unknown };
  }

  #event(text: string, time: number): void {
    const lost = LOST.exec(text);
    const mapped = MAPPED.exec(text);
    const executed = EXECUTED.exec(text);
    const forked = FORKED.exec(text);
    if (lost !== null) this.#lost += Number(lost[1]);
    if (mapped !== null) this.#map(mapped, time);
    if (executed !== null) this.#execute(Number(executed[1]), time);
    // Threads begin as processes do.
    if (forked !== null && forked[1] === forked[2]) this.#fork(Number(forked[1]), Number(forked[3]), time);
  }

  #map([, pid = '', address = '', size = '', offset = '', modes = '', name = '']: RegExpExecArray, time: number): void {
    // The kernel is the only one with addresses that no double has.
    if (Number(pid) < 0 || address.length > 12 || !modes.includes('x')) return;
    const hex = (digits: string): number => Number.parseInt(digits, 16);
    const place = { address: hex(address), size: hex(size), offset: hex(offset) };
    this.#processOf(Number(pid), time).map({ ...place, time, name });
  }

  #execute(pid: number, time: number): void {
    const before = this.#current.get(pid);
    if (pid === this.#pid && this.#waits) {
      this.#waits = false;
      this.#processes.length = 0;
      this.#current.clear();
      this.#start(new PerfProcess(pid, undefined, 'start', time));
    } else if (before !== undefined) this.#start(new PerfProcess(pid, before, 'exec', time));
  }

  #fork(pid: number, parent: number, time: number): void {
    if (pid === parent || this.#waits) return;
    const creator = this.#current.get(parent);
    if (creator !== undefined) this.#start(new PerfProcess(pid, creator, 'fork', time));
  }

  #processOf(pid: number, time: number): PerfProcess {
    return this.#current.get(pid) ?? this.#start(new PerfProcess(pid, undefined, 'start', time));
  }

  #start(process: PerfProcess): PerfProcess {
    this.#current.set(process.pid, process);
    this.#processes.push(process);
    return process;
  }

  #begin(pid: number, event: { thread: number; cpu: number; time: number; period: number }): void {
    const process = this.#processOf(pid, event.time);
    const { builders } = process;
    builders.time.push(event.time);
    builders.thread.push(event.thread);
    builders.cpu.push(event.cpu);
    builders.period.push(event.period);
    process.samples++;
    process.end = event.time;
    this.#sample = { process, addresses: [], user: -1 };
  }

  #frame(digits: string, file: string): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    const address = sample.process.addressOf(digits, file);
    if (address < KERNEL_BASE && sample.user < 0) sample.user = sample.addresses.length;
    sample.addresses.push(address);
  }

  #close(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    const { process, addresses } = sample;
    const user = sample.user < 0 ? addresses.length : sample.user;
    const { stack } = process.builders;
    stack.push(process.stackId({ addresses, user }));
  }
}
