/** StackMapTable (JVMS 4.7.4): frames as in the file, each with the BCI from its delta. */
import type { Cursor } from './cursor.js';
import { classNamed, type Named } from './named.js';

const SIMPLE = ['top', 'int', 'float', 'double', 'long', 'null', 'uninitializedThis'] as const;

/** Verification type of a local or stack slot. */
export type VerificationType =
  | { readonly kind: (typeof SIMPLE)[number] }
  | { readonly kind: 'object'; readonly type: Named }
  /** A new object whose constructor has not run; `bci` is its `new`. */
  | { readonly kind: 'uninitialized'; readonly bci: number };

export type FrameKind =
  | 'same'
  | 'same-one-stack'
  | 'same-one-stack-extended'
  | 'chop'
  | 'same-extended'
  | 'append'
  | 'full';

export interface StackMapFrame {
  readonly kind: FrameKind;
  /** The byte that begins the frame. */
  readonly type: number;
  readonly delta: number;
  readonly bci: number;
  /** Locals that are added (append) or all (full). */
  readonly locals: readonly VerificationType[];
  readonly stack: readonly VerificationType[];
}

export function stackMapFrames(cursor: Cursor): StackMapFrame[] {
  let bci = -1;
  return cursor.list(cursor.count(1), () => {
    const frame = stackMapFrame(cursor, bci);
    bci = frame.bci;
    return frame;
  });
}

/** `before`: BCI of the frame before, -1 before the first. */
function stackMapFrame(cursor: Cursor, before: number): StackMapFrame {
  const at = cursor.at;
  const type = cursor.u1();
  const frame = (kind: FrameKind, delta: number, rest: Partial<StackMapFrame> = {}): StackMapFrame => {
    return { kind, type, delta, bci: before + delta + 1, locals: [], stack: [], ...rest };
  };
  const types = (count: number): VerificationType[] => cursor.list(count, () => verificationType(cursor));
  if (type < 64) return frame('same', type);
  if (type < 128) return frame('same-one-stack', type - 64, { stack: types(1) });
  if (type < 247) throw cursor.pool.damaged(at, 'the type of a stack map frame', `${type}`);
  const delta = cursor.u2();
  if (type === 247) return frame('same-one-stack-extended', delta, { stack: types(1) });
  if (type < 251) return frame('chop', delta);
  if (type === 251) return frame('same-extended', delta);
  if (type < 255) return frame('append', delta, { locals: types(type - 251) });
  return frame('full', delta, { locals: types(cursor.count(1)), stack: types(cursor.count(1)) });
}

function verificationType(cursor: Cursor): VerificationType {
  const at = cursor.at;
  const tag = cursor.u1();
  if (tag === 7) return { kind: 'object', type: classNamed(cursor) };
  if (tag === 8) return { kind: 'uninitialized', bci: cursor.u2() };
  const kind = SIMPLE[tag];
  if (kind === undefined) throw cursor.pool.damaged(at, 'the tag of a verification type', `${tag}`);
  return { kind };
}
