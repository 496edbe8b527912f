/**
 * A frame of a stack as text: `class.method(module@version/File.java:12)` of the VM,
 * `loader/module@version/class.method(File.java:12)` of `StackTraceElement`. Parsed from the right: names may have any
 * character except those that the class file format forbids.
 */
import { NATIVE_METHOD, NO_LINE, UNKNOWN_LINE } from '../../../models/program/program.js';

export interface DumpFrame {
  /** Module with its version, or loader; empty if neither is known. */
  readonly module: string;
  readonly class: string;
  readonly method: string;
  /** Empty if unknown. */
  readonly file: string;
  readonly line: number;
  /** Only the serviceability agent writes it. */
  readonly bci?: number;
}

/** The end of the name of a hidden class: its address, or its number in JDK 8. */
const HIDDEN = /\/(?:0x[0-9a-f]{1,16}|\d{1,19})$/;

/** Excludes characters that a method's name may not have (JVMS 4.2.2), and the tab, which two joined lines have. */
const METHOD = /^(?:[^<>;[/\t]+|<init>|<clinit>)$/;

/** The frame, or undefined for other text. */
export function frameOf(text: string): DumpFrame | undefined {
  const open = text.lastIndexOf('(');
  const dot = text.lastIndexOf('.', open);
  if (!text.endsWith(')') || dot <= 0 || dot + 1 >= open) return undefined;
  const method = text.slice(dot + 1, open);
  if (!METHOD.test(method)) return undefined;
  const inner = text.slice(open + 1, -1);
  const place = placeOf(inner.slice(inner.lastIndexOf('/') + 1));
  if (place === undefined) return undefined;
  const path = text.slice(0, dot);
  const hidden = HIDDEN.exec(path)?.[0] ?? '';
  const plain = path.slice(0, path.length - hidden.length);
  const slash = plain.lastIndexOf('/');
  const within = inner.slice(0, Math.max(0, inner.lastIndexOf('/')));
  const before = plain.slice(0, Math.max(0, slash)).replace(/\/$/, '');
  if (slash + 1 === plain.length || /[()]/.test(before + within)) return undefined;
  return {
    module: within === '' ? before : within,
    class: plain.slice(slash + 1) + hidden,
    method,
    ...place,
  };
}

function placeOf(source: string): Pick<DumpFrame, 'file' | 'line'> | undefined {
  if (source.includes(')')) return undefined;
  if (source === 'Native Method') return { file: '', line: NATIVE_METHOD };
  if (source === 'Unknown Source') return { file: '', line: UNKNOWN_LINE };
  const colon = source.lastIndexOf(':');
  if (colon < 0) return source === '' ? undefined : { file: source, line: NO_LINE };
  const line = source.slice(colon + 1);
  return colon === source.indexOf(':') && colon > 0 && /^\d{1,9}$/.test(line)
    ? { file: source.slice(0, colon), line: Number(line) }
    : undefined;
}
