/** Text of log.xml and map.xml. */

/** A value of an attribute. Characters that XML cannot have become blanks. */
export function attributeText(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return plain.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Nanoseconds as seconds with nine decimals. */
export function seconds(nanos: number): string {
  const whole = Math.floor(nanos / 1e9);
  return `${whole}.${String(Math.floor(nanos - whole * 1e9)).padStart(9, '0')}`;
}

const TEXT = new TextEncoder();
/** Characters that are encoded at once. */
const CHUNK = 1 << 16;

/** The bytes of lines, several at once. */
export function* encodedLines(lines: Iterable<string>): Generator<Uint8Array> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK) continue;
    yield TEXT.encode(text);
    text = '';
  }
  yield TEXT.encode(text);
}
