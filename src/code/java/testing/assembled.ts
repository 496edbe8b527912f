/** Class files written by hand, for cases that current compilers do not produce: old versions, and invalid code. */

export interface Assembled {
  readonly major?: number;
  readonly minor?: number;
  readonly maxLocals?: number;
  /** Added behind the pool's own entries, from #9 on (#10 where there is an attribute). */
  readonly constants?: readonly (readonly number[])[];
  /** An attribute of the class; its name is #9, behind it come the constants. */
  readonly attribute?: { readonly name: string; readonly contents: readonly number[] };
}

const u2 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const u4 = (value: number): number[] => [...u2(value >>> 16), ...u2(value)];
const text = (value: string): number[] => [1, ...u2(value.length), ...Buffer.from(value, 'latin1')];

/** A class `Hand` below Object with one static method `run()V` of this code. */
export function assembleClass(code: readonly number[], options: Assembled = {}): Uint8Array {
  const { major = 45, minor = 3, maxLocals = 300, constants = [], attribute } = options;
  // #1 Hand, #2 Class Hand, #3 java/lang/Object, #4 Class Object, #5 run, #6 ()V, #7 Code, #8 int 7.
  const pool = [
    text('Hand'),
    [7, ...u2(1)],
    text('java/lang/Object'),
    [7, ...u2(3)],
    text('run'),
    text('()V'),
    text('Code'),
    [3, ...u4(7)],
    ...(attribute === undefined ? [] : [text(attribute.name)]),
    ...constants,
  ];
  const contents = [...u2(4), ...u2(maxLocals), ...u4(code.length), ...code, ...u2(0), ...u2(0)];
  return Uint8Array.from([
    ...u4(0xcafebabe),
    ...u2(minor),
    ...u2(major),
    ...u2(pool.length + 1),
    ...pool.flat(),
    ...[0x0021, 2, 4, 0, 0, 1].flatMap(u2),
    ...[0x0009, 5, 6, 1, 7].flatMap(u2),
    ...u4(contents.length),
    ...contents,
    ...(attribute === undefined
      ? u2(0)
      : [...u2(1), ...u2(9), ...u4(attribute.contents.length), ...attribute.contents]),
  ]);
}
