/**
 * The one rule for what looks like a secret: passwords, tokens and keys in environment variables, properties and
 * arguments. A name is enough; values are never judged alone, except where their form says it (`Bearer …`,
 * `user:password@host`).
 */

/** What stands in place of a secret. */
export const HIDDEN = '[hidden]';

const WORDS = new Set(['pass', 'pwd', 'pin', 'bearer', 'jwt', 'otp', 'cookie', 'salt', 'cred', 'creds']);
const ENDS =
  /(?:password|passwd|passphrase|passcode|secret|token|credential|authorization|apikey|accesskey|privatekey|secretkey)s?$/;
/** Words before `key` that make it a secret one. */
const KEYS = new Set([
  ...['api', 'access', 'private', 'secret', 'encryption', 'encrypt', 'signing', 'account', 'storage', 'ssh', 'license'],
  ...['master', 'auth', 'client', 'deploy', 'shared', 'hmac', 'aes', 'rsa'],
]);
/** Names that look like secrets and are none: the working directory. */
const EXCEPTIONS = new Set(['PWD', 'OLDPWD']);

/** Longer names are cut: only damage, or malice, has such. */
const LONGEST_NAME = 500;

/** Whether the value of something with this name is a secret: `DB_PASSWORD`, `javax.net.ssl.keyStorePassword`, `api-key`. */
export function isSecretName(name: string): boolean {
  if (EXCEPTIONS.has(name)) return false;
  const words = name
    .slice(-LONGEST_NAME)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  return words.some(
    (word, i) => WORDS.has(word) || ENDS.test(word) || (/^keys?$/.test(word) && i > 0 && KEYS.has(words[i - 1] ?? '')),
  );
}

/** A name before the sign that gives it a value; an option before a blank. */
const NAMED = /(?<![\w.$-])([\w.$-]+)(?![\w.$-])(?:["']?\s?([=:])\s?|\s{1,9}(?![\s-]))/g;
const VALUE = /"[^"]*"|'[^']*'|[^\s,;&"'}]+/y;
const BEARER = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;
const IN_ADDRESS = /(:\/\/[^\s:/@]{1,200}:)[^\s/@]{1,200}(?=@)/g;

/** A text such as a command line with its secrets replaced; the same text if it has none. */
export function withoutSecrets(text: string): string {
  const open = text.replace(IN_ADDRESS, `$1${HIDDEN}`).replace(BEARER, `$1$2${HIDDEN}`);
  const kept: string[] = [];
  let from = 0;
  for (const { 0: whole, 1: name = '', 2: sign, index } of open.matchAll(NAMED)) {
    const at = index + whole.length;
    if (index < from || (sign === undefined && !name.startsWith('-')) || !isSecretName(name)) continue;
    VALUE.lastIndex = at;
    const value = VALUE.exec(open)?.[0];
    if (value === undefined) continue;
    kept.push(open.slice(from, at), HIDDEN);
    from = at + value.length;
  }
  return kept.length === 0 ? open : kept.join('') + open.slice(from);
}
