/** The second reading of HEAP DUMP and MONITOR DUMP: spec/hprof.md §1.4 and §1.7, line by line. */

const NUMBER = '(\\d{1,15})';
const HEX = '(?:0x)?([0-9a-fA-F]{1,16})';
const TEXT = '([^\\x00-\\x1f]+)';
const TRACE = `trace=${NUMBER}`;
const PRIMITIVE = '(?:boolean|char|float|double|byte|short|int|long)(?: ?\\[\\])?';
const pattern = (text: string): RegExp => new RegExp(`^${text}$`);

const OBJECT = pattern(`OBJ ${HEX} \\(sz=${NUMBER}, ${TRACE}, class=${TEXT}@${HEX}\\)`);
const ARRAY = pattern(
  `ARR ${HEX} \\(sz=${NUMBER}, ${TRACE}, nelems=${NUMBER}, elem type=(?:(${PRIMITIVE})|${TEXT}@${HEX})\\)`,
);
const CLASS = pattern(`CLS ${HEX} \\(name=${TEXT}, ${TRACE}\\)`);
const REFERENCE = pattern(`[\\t ]+([^\\x00-\\x20][^\\x00-\\x1f]*?)[\\t ]+${HEX}`);
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['unknown', pattern('unknown>')],
  ['thread', pattern(`thread>, id=(?<thread>\\d{1,15}), trace=(?<trace>\\d{1,15})`)],
  ['jni-global', pattern(`JNI global ref>, id=(?:0x)?(?<hex>[0-9a-fA-F]{1,16}), trace=(?<trace>\\d{1,15})`)],
  ['jni-local', pattern(`JNI local ref>, thread=(?<thread>\\d{1,15}), frame=(?<frame>-1|\\d{1,15})`)],
  ['java-frame', pattern(`Java stack>, thread=(?<thread>\\d{1,15}), frame=(?<frame>-1|\\d{1,15})`)],
  ['native-stack', pattern(`native stack>, thread=(?<thread>\\d{1,15})`)],
  ['system-class', pattern(`system class>, name=(?<name>[^\\x00-\\x1f]+)`)],
  ['thread-block', pattern(`thread block>, thread=(?<thread>\\d{1,15})`)],
  ['busy-monitor', pattern('busy monitor>')],
];
const LIMIT = 2 ** 31;

/** The JVMTI agent writes an array's own type, the JVMPI agent the type of its elements. */
export function arrayType(type: string): string {
  if (type.endsWith(']')) return type;
  return type.startsWith('[') ? `[${type}` : `${type}[]`;
}

export function idOf(hex: string): number {
  return Number(BigInt(`0x${hex}`));
}

export class HeapTruth {
  readonly #roots: string[] = [];
  readonly #objects: string[] = [];
  readonly #ids = new Set<number>();
  #owner: 'none' | 'object' | 'array' | 'class' = 'none';
  twice = false;

  end(): void {
    this.#owner = 'none';
  }

  lines(): string[] {
    return [...this.#roots, ...this.#objects];
  }

  take(text: string, useTrace: (serial: number) => void): boolean {
    if (/^[\t ]/.test(text)) return this.#reference(text);
    const object = OBJECT.exec(text);
    if (object !== null) {
      const [, id = '', size, trace, type, typeId] = object;
      useTrace(Number(trace));
      return this.#add('object', id, `OBJ ${idOf(id)} ${Number(size)} ${Number(trace)} ${type} ${type}@${typeId}`);
    }
    const array = ARRAY.exec(text);
    if (array !== null && Number(array[4]) < LIMIT) {
      const [, id = '', size, trace, elements, primitive, type, typeId] = array;
      useTrace(Number(trace));
      const spelled = primitive ?? `${type}@${typeId}`;
      const kind = primitive === undefined ? 'objects' : 'primitives';
      const numbers = `${idOf(id)} ${Number(size)} ${Number(trace)} ${Number(elements)}`;
      return this.#add('array', id, `ARR ${numbers} ${kind} ${arrayType(primitive ?? type ?? '')} ${spelled}`);
    }
    const type = CLASS.exec(text);
    if (type !== null) {
      useTrace(Number(type[3]));
      return this.#add('class', type[1] ?? '', `CLS ${idOf(type[1] ?? '0')} ${Number(type[3])} ${type[2]}`);
    }
    return this.#root(text, useTrace);
  }

  #add(owner: 'object' | 'array' | 'class', id: string, line: string): boolean {
    this.#owner = owner;
    if (this.#ids.has(idOf(id))) this.twice = true;
    this.#ids.add(idOf(id));
    this.#objects.push(line);
    return true;
  }

  #reference(text: string): boolean {
    const match = REFERENCE.exec(text);
    if (match === null || this.#owner === 'none') return false;
    const spelled = this.#referenceName(match[1] ?? '');
    if (spelled === undefined) return false;
    this.#objects.push(`  ${spelled} ${idOf(match[2] ?? '0')}`);
    return true;
  }

  #referenceName(name: string): string | undefined {
    const index = /^(?:constant pool entry |constant)?\[?(\d{1,15})\]?$/.exec(name)?.[1];
    const numbered = index !== undefined && Number(index) < LIMIT;
    const isElement = /^\[\d+\]$/.test(name);
    if (this.#owner !== 'class') {
      if (name.startsWith('[')) return isElement && numbered ? `element ${Number(index)}` : undefined;
      return `field ${name}`;
    }
    if (/^(?:super|loader|signers|domain)$/.test(name)) return `${name} -1`;
    if (/^constant(?: pool entry \d+|\[\d+\])$/.test(name)) return numbered ? `constant ${Number(index)}` : undefined;
    const field = /^static (.+)$/.exec(name)?.[1];
    return field === undefined ? undefined : `static ${field}`;
  }

  #root(text: string, useTrace: (serial: number) => void): boolean {
    const match = /^ROOT (?:0x)?([0-9a-fA-F]{1,16}) \(kind=<(.*)\)$/s.exec(text);
    if (match === null) return false;
    for (const [kind, shape] of KINDS) {
      const details = shape.exec(match[2] ?? '');
      if (details === null) continue;
      const { thread = -1, trace = -1, frame = -1, hex, name } = details.groups ?? {};
      if (Number(frame) >= LIMIT) return false;
      if (Number(trace) >= 0) useTrace(Number(trace));
      const detail = hex === undefined ? (name ?? '') : String(idOf(hex));
      const numbers = `${Number(thread)} ${Number(frame)} ${Number(trace)}`;
      this.#roots.push(`ROOT ${idOf(match[1] ?? '0')} ${kind} ${numbers} ${detail}`);
      return true;
    }
    return false;
  }
}

const STATE = pattern(
  `[\\t ]*THREAD ${NUMBER}, trace ${NUMBER}, status: ((?:S\\|)?(?:intr\\|)?(?:native\\|)?(R|MW|CW|SL|ZO|NS|UN)|S)[\\t ]*`,
);
const STATES: Readonly<Record<string, string>> = {
  R: 'runnable',
  MW: 'blocked',
  CW: 'waiting',
  SL: 'sleeping',
  ZO: 'terminated',
  NS: 'new',
  UN: 'unknown',
};
const MONITOR = pattern(`[\\t ]*MONITOR (${TEXT.slice(1, -1)}?)( unowned)?`);
const RAW = pattern(`[\\t ]*RAW MONITOR ("([^\\x00-\\x1f]*)"\\(${HEX}\\))( unowned)?`);
const OWNER = pattern(`[\\t ]*owner: thread ${NUMBER}, entry count: ${NUMBER}`);
const WAITING = pattern(
  '[\\t ]*waiting to (enter|be notified):((?:[\\t ]*thread \\d{1,15},)*(?:[\\t ]*thread \\d{1,15})?)[\\t ]*',
);

interface TrueMonitor {
  readonly spelled: string;
  readonly what: string;
  owner: string;
  readonly waits: string[];
}

export class MonitorTruth {
  readonly #states: string[] = [];
  readonly #monitors: TrueMonitor[] = [];
  #monitor: TrueMonitor | undefined;

  end(): void {
    this.#monitor = undefined;
  }

  lines(): string[] {
    const told = this.#monitors.flatMap((one) => [`${one.what} ${one.owner} ${one.spelled}`, ...one.waits]);
    return [...this.#states, ...told];
  }

  take(text: string, useTrace: (serial: number) => void): boolean {
    const state = STATE.exec(text);
    if (state !== null) {
      const [, thread, trace, status, last = ''] = state;
      useTrace(Number(trace));
      const isStopped = status === 'S' || (status?.startsWith('S|') && last === 'R');
      this.#states.push(
        `THREAD ${Number(thread)} ${Number(trace)} ${status} ${isStopped ? 'suspended' : STATES[last]}`,
      );
      return true;
    }
    const raw = RAW.exec(text);
    if (raw !== null) return this.#add(raw[1] ?? '', `RAW ${raw[2]} ${idOf(raw[3] ?? '0')}`);
    const monitor = MONITOR.exec(text);
    if (monitor !== null) return this.#object(monitor[1] ?? '');
    if (this.#monitor === undefined) return false;
    const owner = OWNER.exec(text);
    if (owner !== null) this.#monitor.owner = `${Number(owner[1])} ${Number(owner[2])}`;
    const waiting = WAITING.exec(text);
    for (const [, thread] of (waiting?.[2] ?? '').matchAll(/thread (\d+)/g))
      this.#monitor.waits.push(`  ${waiting?.[1] === 'enter' ? 'enter' : 'notify'} ${Number(thread)}`);
    return owner !== null || waiting !== null;
  }

  #add(spelled: string, what: string): boolean {
    this.#monitor = { spelled, what, owner: '-1 -1', waits: [] };
    this.#monitors.push(this.#monitor);
    return true;
  }

  #object(spelled: string): boolean {
    const [, type = spelled, address] = /^(.+)\((?:0x)?([0-9a-fA-F]{1,16})\)$/.exec(spelled) ?? [];
    const dotted = /^L.*;$/.test(type) ? type.slice(1, -1).replaceAll('/', '.') : type;
    return this.#add(spelled, `MONITOR ${dotted} ${address === undefined ? -1 : idOf(address)}`);
  }
}
