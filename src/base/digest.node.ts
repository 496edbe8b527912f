/** Digests and random names. `node:crypto` takes 2 ms of a start, so it is loaded when it is first needed. */
import type { Hash } from 'node:crypto';

/** A new SHA-256. */
export function sha256(): Hash {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

/** So many random bytes as digits of base 16. */
export function randomDigits(bytes: number): string {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes).toString('hex');
}
