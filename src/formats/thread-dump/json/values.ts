/** Values of JSON that was cut out of a document. */
import { decodeUtf8 } from '../../../base/text.js';

export type Json = Readonly<Record<string, unknown>>;

/** The content of a string, or the text of any other JSON value; undefined for invalid JSON. */
export function valueText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes, 0, bytes.length);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return undefined;
  }
}

/** A JSON object; undefined for other text. */
export function jsonObject(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(decodeUtf8(bytes, 0, bytes.length));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
