/** The lines about locks below a frame or a thread (`javaVFrame::print_lock_info_on` of HotSpot, `ThreadDumper` of the JDK). */
import { dictionary } from '../../base/dictionary.js';

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
}

/** A line about a lock that no thread can wait for, or without any details. */
export type NoLock = 'none';

const VERBS = dictionary<LockVerb>({
  locked: 'locked',
  'waiting to lock': 'enter',
  'waiting on': 'notify',
  'waiting to re-lock in wait()': 're-enter',
  'parking to wait for': 'park',
});
const VM_LINE = /^(.{4,30}?) {1,2}<0x([0-9a-f]{1,16})> \(a (.+)\)$/s;
const FILE_LINE = /^(.{4,30}?) <(.+)@([0-9a-f]{1,8})>$/s;
const OWNED = /^<0x([0-9a-f]{1,16})> \(a (.+)\)$/s;
const INITIALISING = /^waiting on the Class initialization monitor for (.+)$/s;
/** The VM took the lock away, or does not know the object: nothing can be waited for. */
const WITHOUT = /^(?:None|lock is eliminated|eliminated <.+> \(a .+\)|[a-z -]{6,24} <no object reference available>)$/s;

/** `text`: the line behind its tab and `- `. Undefined where it is no such line. */
export function lockLine(text: string): LockLine | NoLock | undefined {
  const owned = OWNED.exec(text);
  if (owned !== null) return lock('owns', Number(`0x${owned[1]}`), owned[2] ?? '');
  const vm = VM_LINE.exec(text);
  const verb = VERBS[vm?.[1] ?? ''];
  if (vm !== null && verb !== undefined) return lock(verb, Number(`0x${vm[2]}`), vm[3] ?? '');
  const file = FILE_LINE.exec(text);
  const fileVerb = VERBS[file?.[1] ?? ''];
  if (file !== null && fileVerb !== undefined) return lock(fileVerb, Number(`0x${file[3]}`), file[2] ?? '');
  const initialising = INITIALISING.exec(text);
  if (initialising !== null) return initializationOf(initialising[1] ?? '');
  return WITHOUT.test(text) ? 'none' : undefined;
}

/** A wait for the initialisation of a class: the VM prints no address. */
export function initializationOf(type: string): LockLine {
  return { verb: 'enter', address: -1, class: type, classObject: false };
}

const CLASS_OBJECT = 'java.lang.Class for ';

function lock(verb: LockVerb, address: number, type: string): LockLine {
  const classObject = type.startsWith(CLASS_OBJECT) && type.length > CLASS_OBJECT.length;
  return { verb, address, class: classObject ? type.slice(CLASS_OBJECT.length) : type, classObject };
}
