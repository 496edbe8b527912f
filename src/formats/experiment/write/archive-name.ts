/** Names of copies in the folder `archives` of an experiment: the file's own, `_`, and 11 digits that stand for its directory. */
import { splitPath } from '../../shared/member-paths.js';

/** x^64 + x^11 + x^2 + x + 1, without the first. */
const POLYNOMIAL = 0x807n;
const WORD = (1n << 64n) - 1n;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
const LENGTH = 11;
/** Of files without a directory. */
const HERE = './';

/** The CRC-64 of bytes, the first bit highest, from 0 on. */
function crc64(bytes: Uint8Array): bigint {
  let crc = 0n;
  for (const byte of bytes) {
    crc ^= BigInt(byte) << 56n;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1n) & WORD) ^ ((crc & (1n << 63n)) === 0n ? 0n : POLYNOMIAL);
  }
  return crc;
}

/** The name of the copy of a file: `libc.so.6_dnWuQRcLhw9` of `/usr/lib/x86_64-linux-gnu/libc.so.6`. */
export function archiveName(path: string): string {
  const [folder, name] = splitPath(path);
  const crc = crc64(new TextEncoder().encode(path.includes('/') ? `${folder}/` : HERE));
  let digits = '';
  for (let i = 0n; i < LENGTH; i++) digits += DIGITS[Number((crc >> (6n * i)) & 63n)] ?? '';
  return `${name}_${digits}`;
}

/** A line of archive.log: which file a copy is of. */
export function copyLine(path: string, copy: string): string {
  return `Copying \`${path}'  to \`${copy}'\n`;
}
