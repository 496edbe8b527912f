/** Binary HPROF 1.0.2: heaps are segments, arrays of objects name their own class where the dump has it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { hprof, type JVMPI_CallFrame } from 'kansoku/jvmpi';
import { type Dumped, type Heap, type Output, type Root, type Row, ranked, type Site, sumOf } from './output.ts';
import type { Class, Profile, Thread, Trace } from './profile.ts';

const REFERENCE = 2;
/** Ids of classes that only sites name. */
const UNSEEN = 2 ** 40;
const ROOTS: Readonly<Record<Root['kind'], number>> = {
  unknown: 0xff,
  global: 0x01,
  local: 0x02,
  frame: 0x03,
  stack: 0x04,
  class: 0x05,
  monitor: 0x07,
  thread: 0x08,
};
/** JVMPI's codes of types by the first letter of a descriptor; all others are references. */
const TYPES: Readonly<Record<string, number>> = { Z: 4, C: 5, F: 6, D: 7, B: 8, S: 9, I: 10, J: 11 };
const SIZES = [0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8];

function fileSink(path: string) {
  closeSync(openSync(path, 'w'));
  const whole = (bytes: Uint8Array, position?: number): void => {
    const file = openSync(path, position === undefined ? 'a' : 'r+');
    for (let at = 0; at < bytes.length; )
      at += writeSync(file, bytes, at, bytes.length - at, position === undefined ? null : position + at);
    closeSync(file);
  };
  return { write: (chunk: Uint8Array) => whole(chunk), patch: (at: number, bytes: Uint8Array) => whole(bytes, at) };
}

export class BinaryOutput implements Output {
  readonly #profile: Profile;
  readonly #to: InstanceType<typeof hprof.HprofWriter>;
  readonly #names = new Map<string, number>();
  readonly #frames = new Map<string, number>();
  readonly #written = new Set<Trace>();
  /** Serials of classes that only sites name. */
  readonly #unseen = new Map<string, number>();
  #classes = 0;
  readonly #serials = new Map<number, number>();

  constructor(profile: Profile) {
    this.#profile = profile;
    const { file, dump, sites, cpu, depth } = profile.options;
    this.#to = new hprof.HprofWriter({ version: '1.0.2', idSize: 8, time: Date.now() }, fileSink(file));
    hprof.controlSettings(this.#to, dump || sites, cpu === 'samples', depth);
  }

  #name(text: string): number {
    let id = this.#names.get(text);
    if (id === undefined) {
      id = this.#names.size + 1;
      this.#names.set(text, id);
      this.#to.utf8(id, text);
    }
    return id;
  }

  threadStart({ serial, object, name, group, parent }: Thread): void {
    const names = [this.#name(name), this.#name(group), this.#name(parent)] as const;
    this.#trace(this.#profile.noTrace);
    this.#to.startThread(serial, object, this.#profile.noTrace.serial, names);
  }

  threadEnd({ serial }: Thread): void {
    hprof.endThread(this.#to, serial);
  }

  classLoad({ id, name }: Class): void {
    if (!this.#serials.has(id)) this.#load(id, name);
  }

  #load(id: number, text: string): number {
    const serial = ++this.#classes;
    this.#serials.set(id, serial);
    this.#trace(this.#profile.noTrace);
    this.#to.loadClass({ serial, id, trace: this.#profile.noTrace.serial, name: this.#name(text) });
    return serial;
  }

  #serial({ id, name }: Class): number {
    return this.#serials.get(id) ?? this.#load(id, name);
  }

  #frame({ method_id, lineno }: JVMPI_CallFrame): number {
    const key = `${method_id} ${lineno}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const id = this.#frames.size + 1;
    this.#frames.set(key, id);
    const method = this.#profile.methods.get(method_id);
    const source = method?.of.source ?? '';
    const names = [
      id,
      this.#name(method?.name ?? '<Unknown Method>'),
      this.#name(method?.signature ?? ''),
      source === '' ? 0 : this.#name(source),
    ] as const;
    this.#to.frame(names, method === undefined ? 0 : this.#serial(method.of), lineno);
    return id;
  }

  #trace(trace: Trace): void {
    if (this.#written.has(trace)) return;
    this.#written.add(trace);
    const frames = trace.frames.map((frame) => this.#frame(frame));
    this.#to.trace(trace.serial, trace.thread, frames);
  }

  #traces(): void {
    for (const trace of this.#profile.traces) this.#trace(trace);
  }

  samples(rows: readonly Row[]): void {
    const shown = ranked(rows, ({ value }) => value, this.#profile.options.cutoff);
    for (const { trace } of shown) this.#trace(trace);
    // As in text, counts go on from dump to dump.
    const total = sumOf(rows, ({ count }) => count);
    hprof.cpuSamples(
      this.#to,
      total,
      shown.map(({ count, trace }) => [count, trace.serial]),
    );
  }

  sites(sites: readonly Site[]): void {
    this.#traces();
    const { cutoff } = this.#profile.options;
    const rows = ranked(sites, ({ liveBytes }) => liveBytes, cutoff).map((site) => ({
      ...site,
      trace: site.trace.serial,
      classSerial: this.#siteClass(site),
    }));
    const total = (of: (site: Site) => number): number => sumOf(sites, of);
    const totals = {
      liveBytes: total(({ liveBytes }) => liveBytes),
      liveObjects: total(({ liveObjects }) => liveObjects),
      bytes: total(({ bytes }) => bytes),
      objects: total(({ objects }) => objects),
    };
    hprof.allocSites(this.#to, cutoff, totals, rows);
  }

  #siteClass({ classId, array, type }: Site): number {
    const known = array === 0 ? this.#profile.classes.get(classId) : undefined;
    if (known !== undefined) return this.#serial(known);
    let serial = this.#unseen.get(type);
    if (serial === undefined) {
      serial = this.#load(UNSEEN + this.#unseen.size, type);
      this.#unseen.set(type, serial);
    }
    return serial;
  }

  heap({ roots, objects }: Heap): void {
    this.#traces();
    for (const object of objects) if (object.kind === 'class') this.#announce(object.type, object.statics);
    for (const { kind, object, thread, handle, frame } of roots) {
      const trace = kind === 'thread' ? this.#profile.noTrace.serial : frame;
      this.#to.root(ROOTS[kind], object, kind === 'global' ? [handle] : [thread, trace]);
    }
    for (const object of objects) this.#object(object);
    this.#to.endDump();
  }

  /** Names and LOAD CLASS of a class come before the dump. */
  #announce(type: Class, statics: readonly { readonly name: string }[]): void {
    this.#serial(type);
    for (const { field_name } of type.instances) this.#name(field_name);
    for (const { name } of statics) this.#name(name);
  }

  #object(object: Dumped): void {
    const to = this.#to;
    if (object.kind === 'class') {
      const { type, super: parent, loader, signers, domain, bytes: instanceBytes } = object;
      const statics = object.statics.map(({ name, type: code, bytes }) => ({
        name: this.#name(name),
        type: code,
        bytes,
      }));
      const fields = type.instances.map(({ field_name, field_signature }) => ({
        name: this.#name(field_name),
        type: TYPES[field_signature] ?? REFERENCE,
      }));
      const trace = this.#profile.noTrace.serial;
      to.classDump({ id: type.id, trace, parent, loader, signers, domain, instanceBytes, statics, fields });
    } else if (object.kind === 'object') {
      const bytes = sumOf(object.values, (value) => value.bytes.length);
      const out = to.instance(object.id, object.type.id, bytes, object.trace.serial);
      for (const value of object.values) out.raw(value.bytes);
    } else if (object.kind === 'primitives') {
      const { id, element, elements, trace } = object;
      to.primitiveArray(id, element, elements.length / (SIZES[element] ?? 1), trace.serial).raw(elements);
    } else {
      const { id, classId, elements, trace } = object;
      const out = to.objectArray(id, classId, elements.length, trace.serial);
      for (const element of elements) out.id(element);
    }
  }

  /** Binary files have none of these. */
  wait(): void {}
  monitors(): void {}
  contended(): void {}
  times(): void {}
  arcs(): void {}

  flush(): void {
    this.#to.flush();
  }
}
