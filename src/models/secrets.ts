/** Values that must not be shown: those of names that look like secrets. */

export const HIDDEN = '<hidden>';

/** `PASSWORD`, `db.passwd`, `apiKey`, `AWS_SECRET_ACCESS_KEY`, `authToken`; not `keyboard`, `monkey` or `tokenizer.threads`. */
const SECRET =
  /pass(?:word|wd|phrase|code)|(?:^|[^a-z])(?:pwd|pass|pin)(?![a-z])|secret|credential|token(?!iz)|(?:^|[^a-z]|api|access|private|secret|encryption|signing|license|client|auth)keys?(?![a-z])|auth(?:orization|entication)?(?![a-z])|cookie|session_?id|private_?key/i;
/** A camelCase border is one between words: `sslKey` is `ssl Key`. */
const CAMEL = /(?<=[a-z0-9])(?=[A-Z])/g;

/** Names that look like secrets and are none: the working directory, and where a login is configured. */
const EXCEPTIONS = new Set(['PWD', 'OLDPWD', 'java.security.auth.login.config']);

/** Whether the value of a variable, property or option with this name is likely a secret. */
export function isSecretName(name: string): boolean {
  return !EXCEPTIONS.has(name) && SECRET.test(name.replace(CAMEL, '_'));
}

/** `-Dname=value`, up to the next space, or the next name after a comma. Names begin where no other does, so that the time is linear. */
const ASSIGNED = /(?<![\w.$-])([\w.$-]+)=("[^"]*"|'[^']*'|(?:(?![,;&][\w.$-]{1,99}=)\S)*)/g;
/** `--name value`. */
const OPTION = /(^|\s)(--?[A-Za-z][\w.-]*)(\s+)(?!-)(\S+)/g;
/** `"name": "value"`. */
const MEMBER = /(["'])([\w.$-]{1,200})\1(\s?:\s?)("[^"]*"|'[^']*'|[^\s,}]+)/g;
/** What follows these words in a header. */
const BEARER = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;
/** User and password of an address: `https://me:pw@host`. */
const USER = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi;

/** A command line, or another text with names and values, without the values that look like secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replace(USER, `$1${HIDDEN}`)
    .replace(BEARER, `$1$2${HIDDEN}`)
    .replace(MEMBER, (all, quote: string, name: string, sign: string) =>
      isSecretName(name) ? `${quote}${name}${quote}${sign}${HIDDEN}` : all,
    )
    .replace(ASSIGNED, (all, name: string) => (isSecretName(name) ? `${name}=${HIDDEN}` : all))
    .replace(OPTION, (all, before: string, name: string, space: string) =>
      isSecretName(name) ? `${before}${name}${space}${HIDDEN}` : all,
    );
}

/** A field with this key has the value of the name beside it: of a property, a variable, a flag. */
export const VALUE = 'value';

/** The field with that name: `key` or `name`, by its key or its title. */
export function namingField<Named extends { readonly key: string; readonly title: string }>(
  fields: readonly Named[],
): Named | undefined {
  for (const word of ['key', 'name']) {
    const found =
      fields.find(({ key }) => key === word) ??
      fields.find(({ key }) => key.toLowerCase() === word) ??
      fields.find(({ title }) => title.toLowerCase() === word);
    if (found !== undefined) return found;
  }
  return undefined;
}
