/** Names of the members at the start of a tar or zip archive, as far as its head contains them. Linear in the head. */
import type { Head } from '../capabilities/probe.js';

const BLOCK = 512;

export function archiveNames(head: Head): string[] {
  if (isTar(head)) return tarNames(head);
  return head.text.startsWith('PK\u0003\u0004') ? zipNames(head) : [];
}

export function isTar(head: Head): boolean {
  return head.text.startsWith('ustar', 257);
}

function tarNames(head: Head): string[] {
  const names: string[] = [];
  for (let at = 0; at + BLOCK <= head.bytes.length && head.text.startsWith('ustar', at + 257); ) {
    const prefix = untilNul(head.text, at + 345, 155);
    const name = untilNul(head.text, at, 100);
    const posix = head.text.startsWith('ustar\0', at + 257) && prefix !== '';
    names.push(posix ? `${prefix}/${name}` : name);
    const size = Number.parseInt(head.text.slice(at + 124, at + 136), 8);
    at += BLOCK + (size > 0 ? Math.ceil(size / BLOCK) * BLOCK : 0);
  }
  return names;
}

function untilNul(text: string, at: number, length: number): string {
  const field = text.slice(at, at + length);
  const end = field.indexOf('\0');
  return end < 0 ? field : field.slice(0, end);
}

/** Local headers one after another; stops at a member with its packed size after the data. */
function zipNames(head: Head): string[] {
  const names: string[] = [];
  const view = new DataView(head.bytes.buffer, head.bytes.byteOffset, head.bytes.byteLength);
  for (let at = 0; at + 30 <= head.bytes.length && view.getUint32(at, true) === 0x04034b50; ) {
    const nameLength = view.getUint16(at + 26, true);
    names.push(head.text.slice(at + 30, at + 30 + nameLength));
    const packed = view.getUint32(at + 18, true);
    if ((view.getUint16(at + 6, true) & 8) !== 0 && packed === 0) break;
    at += 30 + nameLength + view.getUint16(at + 28, true) + packed;
  }
  return names;
}
