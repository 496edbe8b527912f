/** Where the call instruction begins that ends at a return address: stacks of experiments name calls, recorders often what is behind them. */

/** Bytes before a return address that are looked at. */
export const CALL_BYTES = 7;
/** `call rel32`. */
const DIRECT = 0xe8;
/** Group of instructions with a call among them: the middle field of the next byte is 2. */
const GROUP = 0xff;
const CALL = 2;
const WORD_AARCH64 = 4;

/** By the recorder's name of the machine and the bytes before the return address: length of the call; 1 if none is found, so that its line is. */
export function callLength(architecture: string, before: Uint8Array): number {
  if (architecture === 'aarch64') return WORD_AARCH64;
  if (architecture !== 'x86_64') return 1;
  const at = (back: number): number => before[before.length - back] ?? 0;
  if (at(5) === DIRECT) return 5;
  for (const length of [6, 2, 3, 7, 4]) {
    if (at(length) !== GROUP || !isCall(at(length - 1), at(length - 2), length)) continue;
    // A prefix names the upper registers.
    return before.length > length && (at(length + 1) & 0xf0) === 0x40 ? length + 1 : length;
  }
  return 1;
}

/** Whether an instruction of this length with these operand bytes is an indirect call. */
function isCall(operand: number, scaled: number, length: number): boolean {
  if (((operand >> 3) & 7) !== CALL) return false;
  const [mode, register] = [operand >> 6, operand & 7];
  const hasScale = mode !== 3 && register === 4;
  const isFar = mode === 2 || (mode === 0 && (register === 5 || (hasScale && (scaled & 7) === 5)));
  const displacement = isFar ? 4 : mode === 1 ? 1 : 0;
  return length === 2 + (hasScale ? 1 : 0) + displacement;
}
