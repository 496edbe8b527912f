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
