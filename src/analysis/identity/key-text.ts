/** Texts inside keys: what separates fields, and what is not one printed line of valid Unicode, is written as `%` and two digits a byte of UTF-8. */
import { decodeUtf8, encodeUtf8 } from '../../base/text.js';

const FIELD_SIGNS = /[%;\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LIST_SIGNS = /[%;,\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text as a field. */
export function encodedField(text: string): string {
  return text.replace(FIELD_SIGNS, escaped);
}

/** A text as a part of a list with commas. An empty one is a bare `%`, since a list without parts is empty, too. */
export function encodedPart(text: string): string {
  return text === '' ? '%' : text.replace(LIST_SIGNS, escaped);
}

/** The text of a field, or of a part of a list. */
export function decodedField(field: string): string {
  if (field === '%') return '';
  return field.replace(/(?:%[0-9A-F]{2})+/g, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
    return decodeUtf8(bytes, 0, bytes.length);
  });
}

function escaped(sign: string): string {
  return Array.from(encodeUtf8(sign), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
