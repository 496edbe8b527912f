/**
 * Experiments that tests write down event by event: native, Java and OpenMP stacks, all kinds of packets, both byte orders. Functions are code at
 * addresses of their own; Java methods have ids. gprofng reads the files, too.
 */
import type { Fields } from '../write/fields.js';
import { CLOCK, COUNTER, type FieldText, HEAP, logAround, packetText, START } from '../write/log.js';
import { type MachineLayout, PacketBlocks } from '../write/packets.js';

const CODE = 0x10000000;
const FUNCTION_BYTES = 256;
const SYNC = { type: 2, size: 64, stamp: 32, frame: 40, request: 48, object: 56 } as const;
const IO = { type: 19, size: 80, stamp: 32, frame: 40, step: 48, descriptor: 52, bytes: 56, request: 64 } as const;
const MPI = {
  type: 6,
  size: 96,
  stamp: 32,
  frame: 40,
  call: 48,
  request: 56,
  sends: 64,
  sent: 72,
  receives: 80,
  received: 88,
} as const;
const REGION = { type: 12, size: 48, stamp: 32, region: 40 } as const;
const CALLED = { type: 15, size: 32, region: 8, parent: 16, code: 24 } as const;
const FRAME = 11;
const NATIVE = 1;
const JAVA = 2;
const OPENMP = 5;
const CLASS = 0x0a03;
const METHOD = 0x0b03;
const JAVA_CLASS = 1;

const wide = (name: string, offset: number): FieldText => `${name} ${offset} INT64`;
const narrow = (name: string, offset: number): FieldText => `${name} ${offset} INT32`;
const place = ({ stamp, frame }: { readonly stamp: number; readonly frame: number }): FieldText[] => [
  wide('TSTAMP', stamp),
  wide('FRINFO', frame),
];
const CALLED_LAYOUT = `  <profpckt kind="${CALLED.type}" uname="regions">
    <field name="CPRID" offset="${CALLED.region}" type="INT64"/>
    <field name="PPRID" offset="${CALLED.parent}" type="INT64"/>
    <field name="PRPC" offset="${CALLED.code}" type="INT64"/>
  </profpckt>
`;
const LAYOUTS: Readonly<Record<string, string>> = {
  profile: packetText(CLOCK.type, [...place(CLOCK), narrow('MSTATE', CLOCK.state), narrow('NTICK', CLOCK.ticks)]),
  hwcounters: packetText(COUNTER.type, [
    ...place(COUNTER),
    narrow('HWCTAG', COUNTER.tag),
    wide('HWCINT', COUNTER.value),
  ]),
  synctrace: packetText(SYNC.type, [...place(SYNC), wide('SRQST', SYNC.request), wide('SOBJ', SYNC.object)]),
  heaptrace: packetText(HEAP.type, [
    ...place(HEAP),
    narrow('HTYPE', HEAP.step),
    wide('HSIZE', HEAP.bytes),
    wide('HVADDR', HEAP.address),
    wide('HOVADDR', HEAP.previous),
  ]),
  iotrace: packetText(IO.type, [
    ...place(IO),
    narrow('IOTYPE', IO.step),
    narrow('IOFD', IO.descriptor),
    wide('IONBYTE', IO.bytes),
    wide('IORQST', IO.request),
    'IOFNAME 80 STRING',
  ]),
  mpitrace: packetText(MPI.type, [
    ...place(MPI),
    narrow('MPITYPE', MPI.call),
    wide('MPIRQST', MPI.request),
    wide('MPISENDS', MPI.sends),
    wide('MPISBYTES', MPI.sent),
    wide('MPIRECVS', MPI.receives),
    wide('MPIRBYTES', MPI.received),
  ]),
  omptrace: packetText(REGION.type, [wide('TSTAMP', REGION.stamp), wide('CPRID', REGION.region)]) + CALLED_LAYOUT,
};

/** A stack, from root to leaf. */
export interface MadeStack {
  /** Functions by their names. */
  readonly native: readonly string[];
  /** Java methods by their names; `name!` is a native one. */
  readonly java?: readonly string[];
  /** State of OpenMP by number, and the stack of the program. */
  readonly openmp?: { readonly state: number; readonly user: readonly string[] };
}

/** When, on which thread, and with which stack an event is. */
export interface Moment {
  readonly stack: MadeStack;
  readonly thread?: number;
  /** Nanoseconds since the start. */
  readonly time?: number;
}

export class MadeExperiment {
  readonly #machine: MachineLayout;
  readonly #functions = new Map<string, number>();
  readonly #methods = new Map<string, number>();
  readonly #files = new Map<string, { readonly blocks: PacketBlocks; readonly parts: Uint8Array[] }>();
  readonly #frames = new Map<string, number>();
  readonly #javaThreads: readonly number[];
  readonly #counters: readonly string[];
  #last = 0;

  /** `javaThreads`: numbers of the threads that run Java code; `counters`: names of hardware counters by their tags. */
  constructor(
    machine: MachineLayout = { littleEndian: true, word: 8 },
    javaThreads: readonly number[] = [],
    counters: readonly string[] = ['cycles'],
  ) {
    this.#machine = machine;
    this.#javaThreads = javaThreads;
    this.#counters = counters;
  }

  /** Ticks of 10 ms in a microstate: 0 user CPU, 1 system CPU … 10 the CPU of Linux. */
  clock(moment: Moment, ticks: number, state = 10): this {
    const fields = this.#event('profile', CLOCK, moment);
    fields.word(CLOCK.state, state);
    fields.word(CLOCK.ticks, ticks);
    return this;
  }

  counter(moment: Moment, value: number, tag = 0): this {
    const fields = this.#event('hwcounters', COUNTER, moment);
    fields.word(COUNTER.tag, tag);
    fields.wide(COUNTER.value, value);
    return this;
  }

  sync(moment: Moment, waited: number, object: number): this {
    const fields = this.#event('synctrace', SYNC, moment);
    fields.wide(SYNC.request, START + (moment.time ?? 0) - waited);
    fields.wide(SYNC.object, object);
    return this;
  }

  heap(moment: Moment, step: number, address: number, bytes: number, previous = 0): this {
    const fields = this.#event('heaptrace', HEAP, moment);
    fields.word(HEAP.step, step);
    fields.wide(HEAP.bytes, bytes);
    fields.wide(HEAP.address, address);
    fields.wide(HEAP.previous, previous);
    return this;
  }

  io(moment: Moment, step: number, bytes: number, spent: number, name: string): this {
    const text = new TextEncoder().encode(name);
    const size = IO.size + Math.ceil((text.length + 1) / 4) * 4;
    const fields = this.#event('iotrace', { ...IO, size }, moment);
    fields.word(IO.step, step);
    fields.word(IO.descriptor, 3);
    fields.wide(IO.bytes, bytes);
    fields.wide(IO.request, START + (moment.time ?? 0) - spent);
    fields.bytes(IO.size, text);
    return this;
  }

  /** A call of MPI by its number, with messages and bytes. */
  mpi(
    moment: Moment,
    call: number,
    spent: number,
    [sends, sent, receives, received]: readonly [sends: number, sent: number, receives: number, received: number],
  ): this {
    const fields = this.#event('mpitrace', MPI, moment);
    fields.word(MPI.call, call);
    fields.wide(MPI.request, START + (moment.time ?? 0) - spent);
    for (const [at, value] of [
      [MPI.sends, sends],
      [MPI.sent, sent],
      [MPI.receives, receives],
      [MPI.received, received],
    ] as const)
      fields.wide(at, value);
    return this;
  }

  /** A thread enters a parallel region of OpenMP; 0 is the code outside of all. */
  enter(region: number, thread: number, time: number): this {
    const fields = this.#packet('omptrace', REGION.size, REGION.type);
    fields.wide(8, thread);
    fields.wide(16, thread);
    fields.wide(REGION.stamp, START + time);
    fields.wide(REGION.region, region);
    return this;
  }

  /** A parallel region whose pragma is in a function, within another one. */
  region(region: number, within: number, name: string): this {
    const fields = this.#packet('omptrace', CALLED.size, CALLED.type);
    fields.wide(CALLED.region, region);
    fields.wide(CALLED.parent, within);
    fields.wide(CALLED.code, this.#function(name));
    return this;
  }

  #event(
    file: string,
    { type, size, stamp, frame }: { type: number; size: number; stamp: number; frame: number },
    { stack, thread = 1, time = 0 }: Moment,
  ): Fields {
    const id = this.#frame(stack);
    const fields = this.#packet(file, size, type);
    fields.wide(8, thread);
    fields.wide(16, thread);
    fields.word(24, 0);
    fields.wide(stamp, START + time);
    fields.wide(frame, id);
    this.#last = Math.max(this.#last, time);
    return fields;
  }

  #packet(file: string, size: number, type: number): Fields {
    const own = this.#files.get(file) ?? { blocks: new PacketBlocks(this.#machine), parts: [] };
    this.#files.set(file, own);
    const { fields, full } = own.blocks.packet(size, type);
    if (full !== undefined) own.parts.push(full);
    return fields;
  }

  /** The id of the frame of a stack, which is written once. */
  #frame(stack: MadeStack): number {
    const key = JSON.stringify(stack);
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const id = this.#frames.size + 1;
    this.#frames.set(key, id);
    const { word } = this.#machine;
    const { native, java = [], openmp } = stack;
    if (openmp !== undefined) {
      this.#region();
      this.#userStack(id, openmp.user);
    }
    const sizes = [16 + native.length * word, java.length > 0 ? 16 + java.length * 16 : 0, openmp ? 24 : 0];
    const fields = this.#packet(
      'data.frameinfo',
      sizes.reduce((sum, size) => sum + size, 16),
      FRAME,
    );
    fields.word(4, 16);
    fields.wide(8, id);
    let at = 16;
    const info = (kind: number, size: number): number => {
      fields.word(at, size);
      fields.word(at + 4, kind);
      at += size;
      return at - size + 8;
    };
    this.#addresses(fields, info(NATIVE, sizes[0] ?? 0), { id, kind: NATIVE }, native);
    if (java.length > 0) {
      const from = info(JAVA, sizes[1] ?? 0);
      fields.halves(from, JAVA, id);
      for (const [i, name] of java.toReversed().entries()) {
        fields.halves(from + 8 + i * 16, 0, name.endsWith('!') ? -3 : 0);
        fields.wide(from + 16 + i * 16, this.#method(name));
      }
    }
    if (openmp !== undefined) {
      const from = info(OPENMP, 24);
      fields.word(from, openmp.state);
      fields.halves(from + 8, OPENMP, id);
    }
    return id;
  }

  /** gprofng looks at states only where a thread entered a region. */
  #region(): void {
    if (this.#files.has('omptrace')) return;
    const fields = this.#packet('omptrace', REGION.size, REGION.type);
    fields.wide(8, 1);
    fields.wide(16, 1);
    fields.wide(REGION.stamp, START);
    fields.wide(REGION.region, 1);
    const called = this.#packet('omptrace', CALLED.size, CALLED.type);
    called.wide(CALLED.region, 1);
    called.wide(CALLED.code, CODE + 1);
  }

  /** The stack of an OpenMP program is a packet of its own, which frames name. */
  #userStack(id: number, user: readonly string[]): void {
    const fields = this.#packet('data.frameinfo', 16 + user.length * this.#machine.word, 17);
    this.#addresses(fields, 8, { id, kind: OPENMP }, user);
  }

  #addresses(
    fields: Fields,
    at: number,
    own: { readonly id: number; readonly kind: number },
    names: readonly string[],
  ) {
    const { word } = this.#machine;
    fields.halves(at, own.kind, own.id);
    for (const [i, name] of names.toReversed().entries()) {
      if (word === 4) fields.word(at + 8 + i * 4, this.#function(name));
      else fields.wide(at + 8 + i * 8, this.#function(name));
    }
  }

  #function(name: string): number {
    const known = this.#functions.get(name) ?? CODE + this.#functions.size * FUNCTION_BYTES;
    this.#functions.set(name, known);
    return known + 1;
  }

  #method(name: string): number {
    const known = this.#methods.get(name) ?? this.#methods.size + 1;
    this.#methods.set(name, known);
    return known;
  }

  /** All files by their names, without the fillers at their ends. */
  files(): Map<string, Uint8Array> {
    const text = (lines: Iterable<string>): Uint8Array => new TextEncoder().encode([...lines].join(''));
    const duration = this.#last + 1;
    const threads = this.#javaThreads.map(
      (id) =>
        `<event kind="jthread_start" tstamp="1000.000000000" name="worker-${id}" grpname="main" prntname="" tid="${id}" jthr="0x0" jenv="0x0"/>\n`,
    );
    const log = logAround({ ...this.#machine, duration, command: 'made' }, this.#data(), threads);
    const map = [...this.#functions].map(
      ([name, address]) =>
        `<event kind="map" object="function" tstamp="0.000000000" vaddr="0x${address.toString(16).toUpperCase().padStart(16, '0')}" size="${FUNCTION_BYTES}" name="${name}" />\n`,
    );
    const empty = new Uint8Array();
    return new Map<string, Uint8Array>([
      ['log.xml', text(log)],
      ['map.xml', text(map)],
      ...this.#packets(),
      ...(this.#methods.size > 0 ? [['jclasses', this.#classes()] as const] : []),
      ['overview', empty],
      ['dyntext', empty],
    ]);
  }

  *#packets(): Generator<readonly [string, Uint8Array]> {
    for (const [file, { blocks, parts }] of this.#files) yield [file, Buffer.concat([...parts, blocks.finishShort()])];
  }

  *#data(): Generator<string> {
    if (this.#javaThreads.length > 0) yield '<profile name="jprofile" jversion="17" api="jvmti">\n</profile>\n';
    for (const file of this.#files.keys()) {
      const layout = LAYOUTS[file];
      if (layout === undefined) continue;
      if (file === 'hwcounters') {
        for (const [tag, name] of this.#counters.entries())
          yield `<profile name="hwcounter" cpuver="2080" hwcname="${name}" int_name="${name}" interval="1" tag="${tag}" memop="0"/>\n`;
        yield `<profdata fname="hwcounters"/>\n${layout}`;
      } else {
        const own =
          file === 'profile'
            ? ' ptimer="10000" numstates="10"'
            : file === 'synctrace'
              ? ' threshold="0" scope="1"'
              : '';
        yield `<profile name="${file}"${own}>\n  <profdata fname="${file}"/>\n${layout}</profile>\n`;
      }
    }
  }

  /** One class `Made` with all methods. */
  #classes(): Uint8Array {
    const blocks = new PacketBlocks(this.#machine);
    const add = (type: number, id: number, texts: readonly string[]): void => {
      const bytes = texts.map((each) => new TextEncoder().encode(`${each}\0`));
      const padded = (size: number): number => Math.ceil(size / 4) * 4;
      const { fields } = blocks.packet(
        bytes.reduce((sum, { length }) => sum + padded(length), 24),
        type,
      );
      fields.wide(8, JAVA_CLASS);
      fields.wide(16, id);
      let at = 24;
      for (const each of bytes) {
        fields.bytes(at, each);
        at += padded(each.length);
      }
    };
    add(CLASS, START, ['LMade;', 'Made.java']);
    for (const [name, id] of this.#methods) add(METHOD, id, [name.replace('!', ''), '()V']);
    return blocks.finishShort();
  }
}
