/** An id in the order of the file. */
export function putId(view: DataView, at: number, idSize: number, id: number): void {
  if (idSize === 8) view.setUint32(at, Math.floor(id / 2 ** 32));
  view.setUint32(at + idSize - 4, id >>> 0);
}
