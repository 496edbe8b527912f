/** The hash of a name: HMAC-SHA-256, so that guesses cannot be tested without the salt. 50 bits of it are used. */
import { createHmac } from 'node:crypto';

const DIGITS = '0123456789abcdefghijkmnpqrstuvwx';
const SHOWN = 10;

/** With an empty salt the hash is the same for everyone, and a guessed name can be confirmed. */
export function nameHash(salt: string): (text: string) => string {
  return (text) => {
    const digest = createHmac('sha256', `kansoku ${salt}`).update(text).digest();
    return Array.from(digest.subarray(0, SHOWN), (byte) => DIGITS[byte & 31] ?? '').join('');
  };
}
