/** Names of classes as virtual machines spell them, in bytes. */

const SLASH = 47;
const DOT = 46;
const PLUS = 43;

/**
 * Turns the VM's spelling of a class into that of `Class.getName()`, in place: `java/lang/String` → `java.lang.String`,
 * `a/A$$Lambda+0x…` → `a.A$$Lambda/0x…`. A name with dots is spelled so already, but for the suffix of a hidden class.
 */
export function toBinaryName(bytes: Uint8Array, length: number): void {
  const suffix = suffixOf(bytes, length);
  const end = suffix < 0 ? length : suffix;
  let dotted = false;
  for (let i = 0; i < end; i++) if (bytes[i] === DOT) dotted = true;
  if (!dotted) for (let i = 0; i < end; i++) if (bytes[i] === SLASH) bytes[i] = DOT;
  if (suffix >= 0 && bytes[suffix] === PLUS) bytes[suffix] = SLASH;
}

/** Where the suffix of a hidden class begins, `+0x1f` or `/0x1f`; of `/1234`, as before JDK 15, too; -1 if there is none. */
function suffixOf(bytes: Uint8Array, length: number): number {
  // `[La/A+0x1f;`
  const end = length > 1 && bytes[0] === 91 && bytes[length - 1] === 59 ? length - 1 : length;
  let at = end;
  let decimal = true;
  while (at > 0 && isHex(bytes[at - 1])) {
    at--;
    if (bytes[at] > 57) decimal = false;
  }
  if (at === end || at < 1) return -1;
  if (bytes[at - 1] === SLASH) return decimal ? at - 1 : -1;
  const isHidden = at > 2 && bytes[at - 1] === 120 && bytes[at - 2] === 48;
  return isHidden && (bytes[at - 3] === PLUS || bytes[at - 3] === SLASH) ? at - 3 : -1;
}

function isHex(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102);
}
