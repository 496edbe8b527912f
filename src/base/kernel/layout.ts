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
