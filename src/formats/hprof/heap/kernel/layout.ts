/** Places in the memory of a kernel, one after the other. */
export class Layout {
  /** Bytes that are taken. The first are none's, so that 0 is no address. */
  length = 64;

  /** The address of so many bytes; no two parts share a line of the cache. */
  take(bytes: number): number {
    const at = this.length;
    this.length += Math.ceil(bytes / 64) * 64;
    return at;
  }
}

/** An id in the order of the file. */
export function putId(view: DataView, at: number, idSize: number, id: number): void {
  if (idSize === 8) view.setUint32(at, Math.floor(id / 2 ** 32));
  view.setUint32(at + idSize - 4, id >>> 0);
}
