/** HPROF text, as the agent of JDK 1.2 to 1.4 wrote it: serials from 1, times of monitors in ms. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { hprofText as lines } from 'kansoku/jvmpi';
import {
  type Arc,
  type Dumped,
  type Heap,
  type Monitor,
  type Output,
  type Root,
  type Row,
  ranked,
  type Site,
  sumOf,
  type ThreadState,
  type Value,
  type Wait,
} from './output.ts';
import { type Profile, primitiveName, type Thread, type Trace } from './profile.ts';

const REFERENCE = 2;
const LINES: Readonly<Record<number, string>> = { [-2]: 'Compiled method', [-3]: 'Native method' };
const ROOTS: Readonly<Record<Root['kind'], string>> = {
  unknown: 'unknown',
  thread: 'thread',
  global: 'JNI global ref',
  local: 'JNI local ref',
  frame: 'Java stack',
  stack: 'native stack',
  class: 'system class',
  monitor: 'busy monitor',
};

const hex = (id: number): string => id.toString(16);
/** Of a total, in hundredths of a percent. */
const share = (value: number, total: number): number => Math.round((1e4 * value) / Math.max(total, Number.MIN_VALUE));

/** `Sat Nov 21 01:50:16 2026` */
function dateText(): string {
  const [day, month, date, year, time] = new Date().toString().split(' ');
  return `${day} ${month} ${date?.replace(/^0/, ' ')} ${time} ${year}`;
}

export class TextOutput implements Output {
  readonly #profile: Profile;
  readonly #out = new lines.TextOut();
  /** Traces up to here, and single ones behind, are written. */
  readonly #written = new Set<Trace>();

  constructor(profile: Profile) {
    this.#profile = profile;
    const { file, cpu } = profile.options;
    writeFileSync(file, cpu === 'old' ? '' : `JAVA PROFILE 1.0.1, created ${dateText()}\n\n--------\n\n`);
  }

  get #isOld(): boolean {
    return this.#profile.options.cpu === 'old';
  }

  threadStart({ object, serial, name, group }: Thread): void {
    if (!this.#isOld) lines.threadStart(this.#out, object, serial, name, group);
    this.#full();
  }

  threadEnd({ serial }: Thread): void {
    if (!this.#isOld) lines.threadEnd(this.#out, serial);
  }

  /** Names of classes stand where they are used. */
  classLoad(): void {}

  wait(wait: Wait): void {
    lines.waitLine(this.#out, wait);
    this.#full();
  }

  /** The traces of rows, or all that are not written yet. */
  #traces(wanted: readonly Trace[] = this.#profile.traces): void {
    for (const trace of wanted) {
      if (this.#written.has(trace)) continue;
      this.#written.add(trace);
      lines.traceHead(this.#out, trace.serial, trace.thread === 0 ? -1 : trace.thread, '');
      for (const { method_id, lineno } of trace.frames) {
        const source = this.#profile.methods.get(method_id)?.of.source ?? '';
        const line = LINES[lineno] ?? (lineno > 0 ? String(lineno) : 'Unknown line');
        this.#out.text(`\t${this.#profile.methodName(method_id)}(${source === '' ? '<Unknown>' : source}:${line})\n`);
      }
      if (trace.frames.length === 0) this.#out.text('\t<empty>\n');
      this.#full();
    }
  }

  #rows(name: string, unit: string, rows: readonly Row[]): void {
    const total = sumOf(rows, ({ value }) => value);
    const shown = ranked(rows, ({ value }) => value, this.#profile.options.cutoff);
    const isMonitor = name === 'MONITOR TIME';
    this.#traces(isMonitor ? undefined : shown.map(({ trace }) => trace));
    this.#out.text(`${name} BEGIN (total = ${Math.round(total)}${unit}) ${dateText()}\n`);
    this.#out.text(lines.rankTitles(isMonitor ? 'monitor' : 'method'));
    let sum = 0;
    shown.forEach((row, place) => {
      sum += row.value;
      const shares = { share: share(row.value, total), accumulated: share(sum, total) };
      lines.rankLine(this.#out, { ...row, rank: place + 1, ...shares, trace: row.trace.serial });
    });
    this.#out.text(`${name} END\n`);
  }

  monitors(states: readonly ThreadState[], monitors: readonly Monitor[]): void {
    this.#traces();
    this.#out.text('MONITOR DUMP BEGIN\n');
    for (const { thread, trace, status } of states) lines.threadStatus(this.#out, thread, trace.serial, status);
    for (const monitor of monitors) lines.monitorLines(this.#out, monitor, false);
    this.#out.text('MONITOR DUMP END\n');
  }

  contended(rows: readonly Row[]): void {
    this.#rows('MONITOR TIME', ' ms', rows);
  }

  samples(rows: readonly Row[]): void {
    this.#rows('CPU SAMPLES', '', rows);
  }

  times(rows: readonly Row[]): void {
    this.#rows('CPU TIME (ms)', '', rows);
  }

  arcs(arcs: readonly Arc[]): void {
    this.#out.text(lines.OLD_TITLES);
    for (const { calls, callee, caller, time } of arcs) {
      lines.oldLine(this.#out, calls, callee, caller, Math.round(time));
      this.#full();
    }
  }

  sites(sites: readonly Site[]): void {
    this.#traces();
    const total = sumOf(sites, ({ liveBytes }) => liveBytes);
    this.#out.text(`SITES BEGIN (ordered by live bytes) ${dateText()}\n${lines.SITES_TITLES}`);
    let sum = 0;
    ranked(sites, ({ liveBytes }) => liveBytes, this.#profile.options.cutoff).forEach((site, place) => {
      sum += site.liveBytes;
      lines.siteLine(this.#out, {
        rank: place + 1,
        share: share(site.liveBytes, total),
        accumulated: share(sum, total),
        count: site.liveBytes,
        liveObjects: site.liveObjects,
        allocatedBytes: site.bytes,
        allocatedObjects: site.objects,
        trace: site.trace.serial,
        name: site.type,
      });
      this.#full();
    });
    this.#out.text('SITES END\n');
  }

  heap({ roots, objects }: Heap): void {
    this.#traces();
    const bytes = sumOf(objects, (one) => (one.kind === 'class' ? 0 : one.size));
    this.#out.text(`HEAP DUMP BEGIN (${objects.length} objects, ${bytes} bytes) ${dateText()}\n`);
    for (const root of roots) this.#root(root);
    for (const object of objects) this.#object(object);
    this.#out.text('HEAP DUMP END\n');
  }

  #root({ kind, object, thread, handle, frame }: Root): void {
    const ofThread = kind === 'thread' || kind === 'local' || kind === 'frame' || kind === 'stack';
    lines.rootLine(this.#out, {
      object: hex(object),
      kind: ROOTS[kind],
      isThread: kind === 'thread',
      thread: ofThread ? thread : undefined,
      handle: kind === 'global' ? hex(handle) : undefined,
      frame: kind === 'local' || kind === 'frame' ? frame : undefined,
      className: kind === 'class' ? (this.#profile.classes.get(object)?.name ?? '<Unknown>') : undefined,
      trace: kind === 'thread' || kind === 'global' ? this.#profile.noTrace.serial : undefined,
    });
    this.#full();
  }

  #object(object: Dumped): void {
    const out = this.#out;
    if (object.kind === 'class') {
      lines.classLine(out, hex(object.type.id), object.type.name, this.#profile.noTrace.serial);
      for (const part of ['super', 'loader', 'signers', 'domain'] as const)
        if (object[part] !== 0) lines.classPartLine(out, part, hex(object[part]));
      this.#references(object.statics, (name, target) => lines.staticLine(out, name, target));
    } else if (object.kind === 'object') {
      const { id, size, trace, type } = object;
      lines.objectLine(out, hex(id), size, trace.serial, `${type.name}@${hex(type.id)}`);
      this.#references(object.values, (name, target) => lines.fieldLine(out, name, Buffer.byteLength(name), target));
    } else if (object.kind === 'primitives') {
      const { id, size, trace, length, element } = object;
      lines.arrayLine(out, [hex(id), size, trace.serial, length], primitiveName(element));
    } else {
      const { id, size, trace, elements, classId } = object;
      lines.arrayLine(
        out,
        [hex(id), size, trace.serial, elements.length],
        `${arrayType(object.element)}@${hex(classId)}`,
      );
      elements.forEach((element, index) => {
        if (element !== 0) lines.elementLine(out, index, hex(element));
      });
    }
    this.#full();
  }

  #references(values: readonly Value[], write: (name: string, target: string) => void): void {
    for (const { name, type, bytes } of values) {
      if (type !== REFERENCE) continue;
      const target = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
      if (target !== 0n) write(name, target.toString(16));
    }
  }

  #full(): void {
    if (this.#out.full) this.flush();
  }

  flush(): void {
    appendFileSync(this.#profile.options.file, this.#out.take());
  }
}

/** Arrays of arrays have their own type, as they could not be told from it otherwise. */
function arrayType(element: string): string {
  return element.endsWith('[]') ? `${element}[]` : element;
}
