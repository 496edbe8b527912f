/**
 * Addresses of the kernel, which no double holds, as addresses above those of programs: the upper 2 GiB of memory, where the kernel and its modules
 * are, begin at KERNEL_BASE.
 */
export const KERNEL_BASE = 2 ** 47;
const UPPER = 2 ** 31;
/** One address for all code of the kernel that is elsewhere, such as filters that it compiled. */
export const KERNEL_ELSEWHERE = KERNEL_BASE + UPPER;

/** By hexadecimal digits; undefined for addresses of programs. */
export function kernelAddress(digits: string): number | undefined {
  if (digits.length < 16 || !digits.startsWith('ffff')) return undefined;
  const low = Number.parseInt(digits.slice(-8), 16);
  return digits.slice(-16, -8) === 'ffffffff' && low >= UPPER ? KERNEL_BASE + low - UPPER : KERNEL_ELSEWHERE;
}
