/**
 * Elements kept as bytes, in the spelling of another version.
 *
 * Values are moved byte for byte, so that escapes and numbers beyond doubles (2^53 + 1, 1e400) stay unchanged.
 */
import { utf8Text } from '../../../base/text.js';
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from '../../shared/json-bytes.js';
import { passJson, scannerOf } from '../../shared/json-walk.js';
import { fragment, type JsonWriter } from '../../shared/json-writer.js';
import type { SectionResidue } from '../residue.js';
import type { ProfileSection } from '../vocabulary.js';
import type { SectionPlan } from './write-layout.js';

const LESS = 0x3c;

const DUMMY = fragment('"0:0"');
const CALL_AT_START = /^\d+:0(?:[<,]|$)/;

/** The value of JSON text in UTF-8; undefined if it is not. */
export function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  const text = utf8Text(bytes);
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Whether the value of an element conforms to the schema of its section. */
export function keepsSchema(value: unknown, kind: ProfileSection, from: SectionResidue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  if (kind === 'types') return Number.isInteger(fields.get('id'));
  if (kind === 'methods') return Number.isInteger(fields.get('id')) && isIntegers(fields.get('signature'));
  const context = fields.get(from.contextKey);
  return isIntegers(fields.get('records')) && (kind !== 'call' || CALL_AT_START.test(String(context)));
}

function isIntegers(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => Number.isInteger(item));
}

interface ElementField {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Keys and values of an object that is known to be JSON. */
function fieldsOf(object: Uint8Array): readonly ElementField[] {
  const scanner = scannerOf(object);
  const fields: ElementField[] = [];
  let at = scanner.space(1);
  while (scanner.window[at] === QUOTE) {
    at = scanner.readString(at);
    const key = scanner.stringText() ?? '';
    const start = scanner.space(scanner.punctuation(at, COLON));
    at = passJson(scanner, start);
    fields.push({ key, value: object.subarray(start, at) });
    at = scanner.space(at);
    if (scanner.window[at] === COMMA) at = scanner.space(at + 1);
  }
  return fields;
}

/**
 * Writes an element with a row and further keys, which are kept. Returns the number of keys dropped because they have a
 * meaning in the other version.
 */
export function writeRespelled(
  out: JsonWriter,
  element: Uint8Array,
  from: SectionResidue,
  to: SectionPlan,
  strict: boolean,
): number {
  const renamed = renamedKeys(from, to);
  // A reader that finds one of these assumes the newer spelling.
  const newer = to.kind === 'types' || to.kind === 'methods' ? 'name' : 'ctx';
  const taken = new Set([...renamed.values(), newer]);
  const written = new Set<string>();
  let lost = 0;
  out.separate();
  out.open(OPEN_OBJECT);
  const write = (key: string, value: Uint8Array): void => {
    out.separate();
    out.raw(fragment(JSON.stringify(key)));
    out.byte(COLON);
    out.raw(value);
  };
  for (const { key, value } of fieldsOf(element)) {
    const known = renamed.get(key);
    if (known === undefined && taken.has(key)) lost++;
    else if (known === undefined) write(key, value);
    else {
      written.add(known);
      if (known !== to.contextKey) write(known, value);
      else if (to.kind !== 'monitor') write(known, respelledContext(value, to));
      else if (to.single ? !isDummy(value) : !strict) write(known, respelledContext(value, to));
      else if (!to.single) write(known, DUMMY);
    }
  }
  if (to.kind === 'monitor' && !to.single && !written.has(to.contextKey)) write(to.contextKey, DUMMY);
  out.close(CLOSE_OBJECT);
  return lost;
}

/** The known keys in an element of the section, and their names in the target. */
function renamedKeys(from: SectionResidue, to: SectionPlan): Map<string, string> {
  switch (to.kind) {
    case 'types':
      return new Map([
        ['id', 'id'],
        [from.nameKey, to.nameKey],
      ]);
    case 'methods':
      return new Map([
        ['id', 'id'],
        [from.nameKey, to.nameKey],
        ['signature', 'signature'],
      ]);
    default:
      return new Map([
        [from.contextKey, to.contextKey],
        ['records', 'records'],
      ]);
  }
}

function isDummy(value: Uint8Array): boolean {
  return value.length === DUMMY.length && value.every((byte, index) => byte === DUMMY[index]);
}

/** A context with its frames joined as the target joins them. */
function respelledContext(value: Uint8Array, to: SectionPlan): Uint8Array {
  const [old, now] = to.contextKey === 'ctx' ? [COMMA, LESS] : [LESS, COMMA];
  return value.map((byte) => (byte === old ? now : byte));
}
