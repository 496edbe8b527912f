/**
 * `ThreadInfo` objects in JSON: `/actuator/threaddump` of Spring Boot, and what other tools make of
 * `ThreadMXBean.dumpAllThreads` with Jackson.
 */
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import { type Damage, quote } from '../damage.js';
import { type DumpBuilder, NO_HEADING } from '../dump-builder.js';
import type { DumpEvents } from '../json/document.js';
import { isObject, type Json, jsonObject } from '../json/values.js';
import { NO_FIELDS } from '../text/header.js';
import { type LockLine, type LockVerb, lockOfObject } from '../text/lock-line.js';

export class JsonInfos implements DumpEvents {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  #open = false;

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
  }

  damaged(offset: number, message: string): void {
    this.#damage.lost('json', offset, message);
  }

  /** One dump may follow another. */
  enter(path: string, _array: boolean, offset: number): void {
    if (path === '') this.#open = false;
    else if (path !== 'threads') this.#damage.lost('key', offset, `${quote(path)} is not a part of a thread dump`);
  }

  value(path: string, text: Uint8Array, offset: number): void {
    this.#damage.lost('key', offset, `${quote(decodeUtf8(text, 0, text.length))} is not a value of ${quote(path)}`);
  }

  thread(text: Uint8Array, offset: number): void {
    if (!this.#open) {
      this.#open = true;
      this.#builder.beginDump('info', NO_HEADING, offset);
      // The lists of synchronizers are there, if empty.
      this.#builder.locks.has('synchronizers');
    }
    const json = jsonObject(text);
    if (json === undefined) this.#damage.lost('json', offset, 'not JSON: a thread could not be read');
    else if (!this.#add(json))
      this.#damage.lost(
        'thread',
        offset,
        `${quote(decodeUtf8(text, 0, Math.min(60, text.length)))} is not a thread of a dump`,
      );
  }

  /** Adds a thread; returns false if something is missing or of the wrong type; the rest is kept. */
  #add(json: Json): boolean {
    const { threadName: name, threadId, threadState, daemon, priority, stackTrace } = json;
    if (typeof name !== 'string' || typeof threadState !== 'string' || !Array.isArray(stackTrace)) return false;
    const wants = wantedLock(json);
    const header = {
      ...NO_FIELDS,
      by: 'management' as const,
      name,
      number: typeof threadId === 'number' ? threadId : -1,
      daemon: typeof daemon === 'boolean' ? Number(daemon) : -1,
      priority: typeof priority === 'number' ? priority : -1,
      words: threadState,
      ...(wants && { wants }),
    };
    if (!this.#builder.beginThread(header)) return false;
    let whole = typeof threadId === 'number';
    const held = locksByDepth(json.lockedMonitors);
    whole = held !== undefined && whole;
    for (const [depth, element] of stackTrace.entries()) {
      const frame = encodeUtf8(frameText(element));
      whole = this.#builder.frame(frame, 0, frame.length) && whole;
      this.#builder.open?.locks.push(...(held?.get(depth) ?? []));
    }
    for (const lock of lockList(json.lockedSynchronizers, 'owns')) this.#builder.open?.locks.push(lock);
    this.#builder.endThread();
    return whole;
  }
}

/** The lock that the thread waits for, with its owner if it has one. */
function wantedLock({ lockInfo, lockOwnerId, lockOwnerName, threadState }: Json): LockLine | undefined {
  const line = lockOf(lockInfo, threadState === 'BLOCKED' ? 'enter' : 'notify');
  if (line === undefined || typeof lockOwnerName !== 'string') return line;
  return { ...line, owner: { name: lockOwnerName, number: typeof lockOwnerId === 'number' ? lockOwnerId : -1 } };
}

/** Identity hash codes are signed in JSON. */
function lockOf(value: unknown, verb: LockVerb): LockLine | undefined {
  if (!isObject(value) || typeof value.className !== 'string' || typeof value.identityHashCode !== 'number')
    return undefined;
  return lockOfObject(verb, value.className, (value.identityHashCode >>> 0).toString(16));
}

function lockList(value: unknown, verb: LockVerb): LockLine[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => lockOf(one, verb) ?? []) : [];
}

/** Held monitors by the depth of the frame that entered them; undefined where the list is not one. */
function locksByDepth(value: unknown): ReadonlyMap<number, LockLine[]> | undefined {
  const byDepth = new Map<number, LockLine[]>();
  if (value === undefined || value === null) return byDepth;
  if (!Array.isArray(value)) return undefined;
  for (const one of value) {
    const lock = lockOf(one, 'locked');
    if (lock === undefined) return undefined;
    const depth: unknown = isObject(one) ? one.lockedStackDepth : undefined;
    const at = typeof depth === 'number' && depth >= 0 ? depth : 0;
    byDepth.set(at, [...(byDepth.get(at) ?? []), lock]);
  }
  return byDepth;
}

/** The frame as `StackTraceElement.toString` writes it; without the loader, which the VM names for few classes only. */
function frameText(element: unknown): string {
  if (!isObject(element)) return '';
  const { moduleName, moduleVersion, className, methodName, fileName, lineNumber, nativeMethod } = element;
  const version = typeof moduleVersion === 'string' ? `@${moduleVersion}` : '';
  const module = typeof moduleName === 'string' ? `${moduleName}${version}/` : '';
  const line = typeof lineNumber === 'number' && lineNumber >= 0 ? `:${lineNumber}` : '';
  const source =
    nativeMethod === true || lineNumber === -2
      ? 'Native Method'
      : typeof fileName === 'string'
        ? `${fileName}${line}`
        : 'Unknown Source';
  return `${module}${String(className)}.${String(methodName)}(${source})`;
}
