/** The hash of a name: HMAC-SHA-256, so that without the salt nobody can try names out. 50 bits of it are shown. */
import { createHmac } from 'node:crypto';

const DIGITS = '0123456789abcdefghijkmnpqrstuvwx';
const SHOWN = 10;

/** With an empty salt the hash is the same for everybody, and whoever guesses a name can tell that it is there. */
export function nameHash(salt: string): (text: string) => string {
  return (text) => {
    const digest = createHmac('sha256', `kansoku ${salt}`).update(text).digest();
    return Array.from(digest.subarray(0, SHOWN), (byte) => DIGITS[byte & 31] ?? '').join('');
  };
}
