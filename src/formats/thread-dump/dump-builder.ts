/**
 * Makes the recording of thread dumps. A thread that several dumps show is one row: the same number, address and name.
 * Stacks go into one trie; each distinct line of a frame is taken apart once.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import { decodeUtf8 } from '../../base/text.js';
import { THREAD_STATES, type ThreadState } from '../../models/events/state.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { isThreadRoot } from '../../models/program/thread-roots.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { type Damage, quote } from './damage.js';
import { agentFrame } from './dialects/agent.js';
import { LockBuilder, type TwoOwners } from './lock-builder.js';
import { DUMP_STATES, DUMP_THREADS, GROUPED_THREADS, THREAD_METRICS } from './tables.js';
import { frameOf } from './text/frame.js';
import { type FrameRole, roleOf, TOP_FRAMES } from './text/frame-role.js';
import { NO_FIELDS, type ThreadHeader } from './text/header.js';
import type { LockLine } from './text/lock-line.js';
import { agentLines, managementLines, parkedLines } from './text/lock-meaning.js';
import { stateOf } from './text/state-text.js';

/** The VM prints no more frames of a thread (-XX:MaxJavaStackTraceDepth, 1024 in every release). */
const DEPTH_LIMIT = 1024;

const NO_FRAME = -1;
const MOST_STATUSES = 1000;

/** A thread that is being read. */
interface OpenThread {
  readonly header: ThreadHeader;
  readonly row: number;
  /** LocationIds, innermost first. */
  readonly frames: number[];
  readonly locks: LockLine[];
  /** Lines about locks below the innermost frame; undefined until the second frame came. */
  topLocks: number | undefined;
  /** The last line says that further frames were left out. */
  cut: boolean;
  /** What the header says that the thread does. */
  words: string;
  /** As written; undefined until it came. */
  status: string | undefined;
}

/** The heading of a dump: milliseconds since 1970, and the PID; -1 if missing. */
export interface DumpHeading {
  readonly time: number;
  readonly process: number;
}

export const NO_HEADING: DumpHeading = { time: -1, process: -1 };

export class DumpBuilder {
  readonly program: ProgramBuilder;
  readonly locks: LockBuilder;
  readonly #damage: Damage;
  readonly #stacks = new StackBuilder();
  readonly #states = DUMP_STATES.builder();
  readonly #threads = GROUPED_THREADS.builder();
  readonly #threadRows = new Map<string, number>();
  readonly #lines = new ByteInterner();
  readonly #locations = new Int32Builder();
  /** By location: of the few frames that say how a thread waits. */
  readonly #roles = new Map<number, FrameRole>();
  /** LocationId of a frame of `<clinit>` → its class. */
  readonly #initializers = new Map<number, string>();
  /** LocationId → `class.method`. */
  readonly #methods = new Map<number, string>();
  /** By line of a frame: the one that followed it last. */
  readonly #following = new Int32Builder();
  #line = 0;
  readonly #statuses = new Map<string, number>();
  readonly #metadata = new Map<string, string>();
  /** Threads of this dump, by row. */
  #seen = new Set<number>();
  #byName = new Map<string, number[]>();
  #open: OpenThread | undefined;
  #numbers = new Map<number, number>();
  #byFile = false;
  /** The threads of this dump have no names, but its deadlocks do: `jstack -F` of JDK 8 and older. */
  nameless = false;
  /** What the dump says of deadlocks before its threads: the lock that the thread of this name waits for. */
  wantedBy: (name: string) => number | undefined = () => undefined;
  #grouped = false;
  #frames = 0;
  #rows = 0;

  constructor(program: ProgramBuilder, damage: Damage) {
    this.program = program;
    this.locks = new LockBuilder(
      program,
      (owners) => this.#twoOwners(owners),
      ({ name, number }) => this.#numbers.get(number) ?? this.named(name)[0] ?? this.absent(name),
    );
    this.#damage = damage;
  }

  get open(): OpenThread | undefined {
    return this.#open;
  }

  describe(key: string, value: string): void {
    if (value !== '' && !this.#metadata.has(key)) this.#metadata.set(key, value);
  }

  /** `by`: who wrote it; only the VM stops the threads. */
  beginDump(by: 'vm' | 'fragment' | 'file' | 'agent' | 'info', { time, process }: DumpHeading, offset: number): void {
    this.endThread();
    // A dump of the VM has owners with `-l` only; JDK 21 writes neither states nor locks into files.
    const file = by === 'file';
    this.locks.beginDump(
      { time, process, offset, together: file ? 0 : 1 },
      file ? ['synchronizers', 'monitors'] : ['synchronizers'],
    );
    if (by !== 'vm' && by !== 'agent') this.locks.namesNone();
    this.#byFile = file;
    this.#seen = new Set();
    this.#byName = new Map();
    this.#numbers = new Map();
    this.nameless = false;
  }

  /** Begins a thread; false, and nothing begun, where this dump had it already. */
  beginThread(header: ThreadHeader, group = ''): boolean {
    this.endThread();
    const row = this.#rowOf(header, group);
    if (this.#seen.has(row)) return false;
    this.#seen.add(row);
    this.#nameIn(row, header.name);
    if (header.number >= 0) this.#numbers.set(header.number, row);
    const locks = header.wants === undefined ? [] : [header.wants];
    const { words } = header;
    this.#open = { header, row, frames: [], locks, topLocks: undefined, cut: false, words, status: undefined };
    if (header.by === 'agent' && header.address < 0 && !this.nameless) {
      this.nameless = true;
      this.locks.lacks('monitors');
    }
    return true;
  }

  #nameIn(row: number, name: string): void {
    const named = this.#byName.get(name);
    if (named === undefined) this.#byName.set(name, [row]);
    else named.push(row);
  }

  /** Row of a thread that the VM names and this dump does not have. */
  absent(name: string): number {
    const row = this.#rowOf({ ...NO_FIELDS, name }, '');
    this.#nameIn(row, name);
    return row;
  }

  #rowOf(header: ThreadHeader, group: string): number {
    const key = `${header.number} ${header.address} ${header.name}`;
    const known = this.#threadRows.get(key);
    if (known !== undefined) return known;
    const row = this.#threadRows.size;
    this.#threadRows.set(key, row);
    if (group !== '') this.#grouped = true;
    const { number, native, address, daemon, virtual, priority } = header;
    const name = this.program.name(header.name);
    const grouped = group === '' ? -1 : this.program.name(group);
    this.#threads.add({ name, number, native, address, daemon, virtual, priority, group: grouped });
    return row;
  }

  /** Adds the frame `bytes[from .. to)` to the open thread; false if it is not a frame. */
  frame(bytes: Uint8Array, from: number, to: number): boolean {
    const line = this.#lineOf(bytes, from, to);
    if (line === this.#locations.length) {
      this.#locations.push(this.#locate(decodeUtf8(bytes, from, to)));
      this.#following.push(0);
    }
    this.#following.values[this.#line] = line;
    this.#line = line;
    const location = this.#locations.values[line];
    if (location === NO_FRAME) return false;
    const open = this.#open;
    if (open !== undefined && open.frames.push(location) === 2) open.topLocks = open.locks.length;
    this.#frames++;
    return true;
  }

  /** Stacks repeat: the line that followed last time is looked at first, which saves hashing. */
  #lineOf(bytes: Uint8Array, from: number, to: number): number {
    const { offsets, bytes: known } = this.#lines;
    const likely = this.#following.values[this.#line];
    const start = offsets.values[likely];
    const length = to - from;
    if (likely < this.#lines.length && offsets.values[likely + 1] - start === length) {
      const text = known.bytes;
      let i = 0;
      while (i < length && text[start + i] === bytes[from + i]) i++;
      if (i === length) return likely;
    }
    return this.#lines.add(bytes, from, to);
  }

  #locate(text: string): number {
    const frame = agentFrame(text) ?? frameOf(text);
    if (frame === undefined) return NO_FRAME;
    const { program } = this;
    const nameOr = (name: string): number => (name === '' ? -1 : program.name(name));
    const type = program.class(program.name(frame.class), nameOr(frame.module));
    const location = program.location(
      program.function(type, program.name(frame.method), nameOr(frame.file)),
      frame.line,
      frame.bci,
    );
    const role = roleOf(frame);
    if (role !== undefined) this.#roles.set(location, role);
    if (frame.method === '<clinit>') this.#initializers.set(location, frame.class);
    if (!this.#methods.has(location)) this.#methods.set(location, `${frame.class}.${frame.method}`);
    return location;
  }

  endThread(): void {
    const thread = this.#open;
    if (thread === undefined) return;
    this.#open = undefined;
    const { header, frames, row } = thread;
    const status = thread.status ?? thread.words;
    const locks = this.#classified(thread, status);
    let stack = rootOf(thread.cut || this.#isCut(frames, header.name) ? 'cut' : 'whole');
    for (let i = frames.length - 1; i >= 0; i--) stack = this.#stacks.add(stack, frames[i]);
    const inWait = status.startsWith('BLOCKED') ? 're-enter' : 'notify';
    this.locks.addThread(row, locks, this.#roles.get(frames[0] ?? -1) === 'wait' ? inWait : undefined);
    if (status !== '' && (!this.nameless || locks.length > 0)) this.locks.has('monitors');
    if (!this.#byFile && showsVirtual(header, status)) this.locks.lacks('platform-only');
    const state = this.#initializing(
      thread,
      locks,
      stateOf(status, locks, this.#byFile ? '' : (this.#methods.get(frames[0] ?? -1) ?? '')),
    );
    this.#rows++;
    this.#states.add({
      stack: frames.length === 0 ? this.#stacks.add(rootOf('whole'), this.#noFrames()) : stack,
      thread: row,
      dump: this.locks.dump,
      state: THREAD_STATES.indexOf(state),
      status: this.#statusOf(status),
      cpu: header.cpu,
      elapsed: header.elapsed,
      framed: frames.length === 0 ? 0 : 1,
      allocated: header.allocated,
      defined: header.defined,
    });
  }

  /**
   * Notes the classes that a thread initialises. A thread that waits for another one to initialise a class is blocked by it;
   * the VM calls it `RUNNABLE`, and releases before JDK 17 and files do not name the class.
   */
  #initializing({ row, header, frames }: OpenThread, locks: readonly LockLine[], state: ThreadState): ThreadState {
    const types = new Set<string>();
    if (this.#initializers.size > 0)
      for (const location of frames) {
        const type = this.#initializers.get(location);
        if (type !== undefined) types.add(type);
      }
    for (const type of types) this.locks.initialises(row, type);
    if (state !== 'runnable' && state !== 'unknown') return state;
    if (locks.some(({ address }) => address < 0)) return 'blocked';
    const waits = frames.length > 0 && header.words === 'in Object.wait()' && state === 'runnable';
    if (waits || (this.#byFile && types.size > 0)) this.locks.lacks('initialization');
    return waits ? 'blocked' : state;
  }

  /** The lock lines of a thread, as the VM would have written them where others did. */
  #classified(thread: OpenThread, status: string): readonly LockLine[] {
    const { header, row, frames, locks, topLocks = locks.length } = thread;
    if (locks.length === 0) return locks;
    const roles = (): (FrameRole | undefined)[] =>
      frames.slice(0, TOP_FRAMES).map((location) => this.#roles.get(location));
    if (header.by === 'management') return parkedLines(managementLines(locks, status, roles()[0]), roles);
    // A lone line about a monitor is right.
    const right = topLocks < 2 && locks.some(({ verb }) => verb === 'enter');
    if (header.by !== 'agent' || !status.startsWith('BLOCKED') || right) return parkedLines(locks, roles);
    const blockedLines = agentLines(locks, topLocks, this.wantedBy(header.name));
    if (blockedLines !== undefined) return blockedLines;
    this.locks.blockedAtOne(row, locks.slice(0, topLocks));
    return locks.slice(topLocks);
  }

  #isCut(frames: readonly number[], thread: string): boolean {
    if (frames.length < DEPTH_LIMIT) return false;
    const outermost = frames[frames.length - 1] ?? NO_FRAME;
    return !isThreadRoot(this.#methods.get(outermost) ?? '', thread);
  }

  /** Threads of the VM itself, and those that have not begun, have no frame. */
  #noFrames(): number {
    return this.program.location(this.program.pseudo('<no Java callstack recorded>'));
  }

  #statusOf(status: string): number {
    if (status === '') return -1;
    let id = this.#statuses.get(status);
    if (id === undefined) {
      id = this.program.name(status);
      // What a damaged file says may be anything.
      if (this.#statuses.size < MOST_STATUSES) this.#statuses.set(status, id);
    }
    return id;
  }

  #twoOwners({ type, owner, other, offset, together }: TwoOwners): void {
    const name = (row: number): string =>
      quote([...this.#byName].find(([, rows]) => rows.includes(row))?.[0] ?? '<unknown thread>');
    const message = this.#damage.problems.wants('thread-dump-owners')
      ? `two threads hold one ${type()}: ${name(owner)} and ${name(other)}`
      : '';
    this.#damage.note('owners', offset, message, together ? 'warning' : 'info');
  }

  /** Rows of the threads of this dump that have a name. */
  named(name: string): readonly number[] {
    return this.#byName.get(name) ?? [];
  }

  finish(name: string, problems: ProblemLog, complete: boolean): Recording {
    this.endThread();
    const { unread } = this.#damage;
    const locks = { ...this.locks.finish(), ...(unread.threads + unread.lines > 0 && { unread: { ...unread } }) };
    const threads = this.#threads.finish();
    const { group: _, ...ungrouped } = GROUPED_THREADS.rows(threads);
    const metadata: MetadataEntry[] = [...this.#metadata].map(([key, value]) => ({ key, value }));
    return {
      name,
      format: 'thread-dump',
      metadata,
      sections: [
        { name: 'dumps', entries: this.locks.dumps },
        { name: 'threads', entries: this.#threadRows.size },
        { name: 'thread states', entries: this.#rows },
        { name: 'frames', entries: this.#frames },
        { name: 'locks', entries: this.locks.notes },
      ],
      program: this.program.finish(),
      profile: {
        stacks: this.#stacks.finish(),
        events: [this.#states.finish()],
        metrics: THREAD_METRICS,
        threads: this.#grouped ? threads : DUMP_THREADS.table(ungrouped),
      },
      locks,
      problems: problems.finish(),
      complete,
      residue: undefined,
    };
  }
}

/** Threads that run or serve virtual ones, which dumps of the VM do not list. */
function showsVirtual({ name, virtual }: ThreadHeader, status: string): boolean {
  return virtual === 1 || /^VirtualThread-un(?:park|block)er$/.test(name) || status.startsWith('Carrying ');
}
