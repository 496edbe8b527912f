/** Comparing bytes sixteen at a time. */

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Whether `length` bytes are the same. */
export function sameBytes(a: DataView, aStart: number, b: DataView, bStart: number, length: number): boolean {
  let at = 0;
  for (; at + 16 <= length; at += 16) {
    const i = aStart + at;
    const j = bStart + at;
    const first = (a.getInt32(i) ^ b.getInt32(j)) | (a.getInt32(i + 4) ^ b.getInt32(j + 4));
    if ((first | (a.getInt32(i + 8) ^ b.getInt32(j + 8)) | (a.getInt32(i + 12) ^ b.getInt32(j + 12))) !== 0)
      return false;
  }
  for (; at + 4 <= length; at += 4) if (a.getInt32(aStart + at) !== b.getInt32(bStart + at)) return false;
  for (; at < length; at++) if (a.getUint8(aStart + at) !== b.getUint8(bStart + at)) return false;
  return true;
}
