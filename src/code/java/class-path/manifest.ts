/** The manifest of a jar (`META-INF/MANIFEST.MF`, "JAR File Specification"): its main section. */
import { decodeUtf8 } from '../../../base/text.js';

export const MANIFEST = 'META-INF/MANIFEST.MF';
/** Bytes of a manifest that are read: signed jars list all members after the main section. */
export const LARGEST_MANIFEST = 1 << 20;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** Attributes of the main section by their names in lower case. A line that begins with a blank continues the last. */
export function mainAttributes(bytes: Uint8Array): Map<string, string> {
  const attributes = new Map<string, string>();
  const line: number[] = [];
  const flush = (): void => {
    const text = decodeUtf8(Uint8Array.from(line), 0, line.length);
    line.length = 0;
    const colon = text.indexOf(': ');
    if (colon > 0) attributes.set(text.slice(0, colon).toLowerCase(), text.slice(colon + 2));
  };
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++;
    if (end === at) break;
    const continued = bytes[at] === SPACE;
    if (!continued) flush();
    for (let i = continued ? at + 1 : at; i < end; i++) line.push(bytes[i]);
    at = end + (bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? 2 : 1);
  }
  flush();
  return attributes;
}
