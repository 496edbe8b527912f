/** The lines about locks below a frame or a thread (`javaVFrame::print_lock_info_on` of HotSpot, `ThreadDumper` of the JDK). */
import { dictionary } from '../../../base/dictionary.js';

/**
 * What the thread does with the lock. `owns`: java.util.concurrent's own notes of exclusive owners (`jstack -l`). `acquire`:
 * parked for a lock, which the line alone does not say.
 */
export type LockVerb = 'locked' | 'enter' | 'notify' | 're-enter' | 'park' | 'acquire' | 'owns';

export interface LockLine {
  readonly verb: LockVerb;
  /** Of the object, or its identity hash code; -1 for the lock of a class that is being initialised. */
  readonly address: number;
  /** Of the object; for a class object, of the class it stands for. */
  readonly class: string;
  readonly classObject: boolean;
  /** The thread that holds it, where the line of another thread says so; its number is -1 if unknown. */
  readonly owner?: { readonly name: string; readonly number: number };
}

/** A line about a lock that no thread can wait for, or without any details. */
export type NoLock = 'none';

const VERBS = dictionary<LockVerb>({
  locked: 'locked',
  'waiting to lock': 'enter',
  'blocked on': 'enter',
  'waiting on': 'notify',
  'waiting to re-lock in wait()': 're-enter',
  'parking to wait for': 'park',
});
const VM_LINE = /^(.{4,30}?) {1,2}<0x([0-9a-f]{1,16})> \(a (.+)\)$/s;
const FILE_LINE = /^(.{4,30}?) <(.+)@([0-9a-f]{1,8})>$/s;
/** Of tools that ask `ThreadMXBean`: with an identity hash code, and perhaps the owner. */
const MANAGED_LINE =
  /^(locked|waiting to lock|waiting on|parking to wait for|Locked) {1,2}<([0-9a-f]{1,8})> \(a (.+?)\)(?: owned by "(.*)" t@(-?\d{1,15}))?$/s;
const OBJECT_LINE = /^(?: ?(locked|blocked on|waiting on) )?(.+)@([0-9a-f]{1,8})$/s;
/** The serviceability agent writes a comma. */
const OWNED = /^<0x([0-9a-f]{1,16})>,? \(a (.+)\)$/s;
const INITIALISING = /^waiting on the Class initialization monitor for (.+)$/s;
/** The VM took the lock away, or does not know the object: nothing can be waited for. */
const WITHOUT = /^(?:None|lock is eliminated|eliminated <.+> \(a .+\)|[a-z -]{6,24} <no object reference available>)$/s;

/** `text`: the line behind its tab and `- `; `isByVm`: the VM wrote the thread. Undefined where it is no such line. */
export function lockLine(text: string, isByVm = false): LockLine | NoLock | undefined {
  const owned = OWNED.exec(text);
  if (owned !== null) return lockOfObject('owns', owned[2] ?? '', owned[1] ?? '');
  const vm = VM_LINE.exec(text);
  const verb = VERBS[vm?.[1] ?? ''];
  if (vm !== null && verb !== undefined) return lockOfObject(verb, vm[3] ?? '', vm[2] ?? '');
  const file = FILE_LINE.exec(text);
  const fileVerb = VERBS[file?.[1] ?? ''];
  if (file !== null && fileVerb !== undefined) return lockOfObject(fileVerb, file[2] ?? '', file[3] ?? '');
  // An address without `0x` below a header of the VM is damage.
  const other = isByVm ? undefined : managed(text);
  if (other !== undefined) return other;
  const initialising = INITIALISING.exec(text);
  if (initialising !== null) return initializationOf(initialising[1] ?? '');
  return WITHOUT.test(text) ? 'none' : undefined;
}

/** A line of a tool that asks `ThreadMXBean`; `-  locked a.B@1f` is of `ThreadInfo`, `- a.B@1f` one of its synchronizers. */
function managed(text: string): LockLine | undefined {
  const line = MANAGED_LINE.exec(text);
  if (line === null) {
    const [, words, type = '', hash = ''] = OBJECT_LINE.exec(text) ?? [];
    const verb = words === undefined ? 'owns' : VERBS[words];
    return type === '' || /[\s<>]/.test(type) || verb === undefined ? undefined : lockOfObject(verb, type, hash);
  }
  const [, words = '', hash = '', type = '', owner, number] = line;
  const verb = words === 'Locked' ? 'owns' : VERBS[words];
  if (verb === undefined) return undefined;
  const found = lockOfObject(verb, type, hash);
  return owner === undefined ? found : { ...found, owner: { name: owner, number: Number(number) } };
}

const CLASS_OBJECT = 'java.lang.Class for ';

/**
 * What a thread does with an object of this class. `address`: or its identity hash code, hexadecimal. The serviceability agent
 * writes some classes with slashes, which names of hidden classes have, too.
 */
export function lockOfObject(verb: LockVerb, spelling: string, address: string): LockLine {
  const type = spelling.includes('.') ? spelling : spelling.replace(/\/(?!0x[0-9a-f]|\d)/g, '.');
  const classObject = type.startsWith(CLASS_OBJECT) && type.length > CLASS_OBJECT.length;
  const className = classObject ? type.slice(CLASS_OBJECT.length) : type;
  return { verb, address: Number(`0x${address}`), class: className, classObject };
}

/** A wait for the initialisation of a class: the VM prints no address. */
export function initializationOf(type: string): LockLine {
  return { verb: 'enter', address: -1, class: type, classObject: false };
}
