/** Memory that threads share, so that a task needs no copy; memory of one thread where a program has no other. */
export function sharedBytes(bytes: number): SharedArrayBuffer | ArrayBuffer {
  // A web page has it only if it is isolated from others.
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}
