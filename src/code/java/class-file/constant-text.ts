/** Entries of the constant pool as text, spelled as `javap` spells them. */
import { type ConstantPool, TAG } from './constant-pool.js';

/** Name of an entry in the comments of `javap`. */
const LABELS: Readonly<Record<number, string>> = {
  [TAG.utf8]: 'Utf8',
  [TAG.integer]: 'int',
  [TAG.float]: 'float',
  [TAG.long]: 'long',
  [TAG.double]: 'double',
  [TAG.class]: 'class',
  [TAG.string]: 'String',
  [TAG.fieldref]: 'Field',
  [TAG.methodref]: 'Method',
  [TAG.interfaceMethodref]: 'InterfaceMethod',
  [TAG.nameAndType]: 'NameAndType',
  [TAG.methodHandle]: 'MethodHandle',
  [TAG.methodType]: 'MethodType',
  [TAG.dynamic]: 'Dynamic',
  [TAG.invokeDynamic]: 'InvokeDynamic',
  [TAG.module]: 'Module',
  [TAG.package]: 'Package',
};

/** Kinds of method handles by number, from 1 on (JVMS table 5.4.3.5-A). */
export const HANDLE_KINDS: readonly string[] = [
  '',
  'REF_getField',
  'REF_getStatic',
  'REF_putField',
  'REF_putStatic',
  'REF_invokeVirtual',
  'REF_invokeStatic',
  'REF_invokeSpecial',
  'REF_newInvokeSpecial',
  'REF_invokeInterface',
];

/** `Method java/io/PrintStream.println:(I)V`; members of the class `thisIndex` without their class. Throws FormatError. */
export function constantLabel(pool: ConstantPool, index: number, thisIndex: number): string {
  const tag = pool.tag(index);
  const isMember = tag >= TAG.fieldref && tag <= TAG.interfaceMethodref;
  const [owner, nameAndType] = isMember ? pool.references(index) : [0, 0];
  const text = isMember && owner === thisIndex ? constantText(pool, nameAndType) : constantText(pool, index);
  return `${LABELS[tag] ?? ''} ${text}`;
}

/** The value of an entry. Throws FormatError if it refers to a missing entry. */
export function constantText(pool: ConstantPool, index: number): string {
  const [first, second] = pool.references(index);
  switch (pool.tag(index)) {
    case TAG.integer:
      return String(pool.integer(index));
    case TAG.float:
      return `${javaFloat(pool.float(index))}f`;
    case TAG.long:
      return `${pool.long(index)}l`;
    case TAG.double:
      return `${javaDouble(pool.double(index))}d`;
    case TAG.class:
      return quotedName(pool.className(index));
    case TAG.string:
      return escapedText(pool.string(index));
    case TAG.fieldref:
    case TAG.methodref:
    case TAG.interfaceMethodref:
      return `${constantText(pool, pool.checked(first, TAG.class))}.${nameAndTypeText(pool, second)}`;
    case TAG.nameAndType:
      return nameAndTypeText(pool, index);
    case TAG.methodHandle: {
      const { kind, reference } = pool.methodHandle(index);
      return `${HANDLE_KINDS[kind] ?? kind} ${memberText(pool, reference)}`;
    }
    case TAG.methodType:
      return pool.methodType(index);
    case TAG.dynamic:
    case TAG.invokeDynamic:
      return `#${first}:${nameAndTypeText(pool, second)}`;
    case TAG.module:
      return quotedName(pool.module(index));
    case TAG.package:
      return quotedName(pool.package(index));
    default:
      return escapedText(pool.utf8(index));
  }
}

function memberText(pool: ConstantPool, index: number): string {
  const { owner, name, descriptor } = pool.member(index);
  return `${quotedName(owner)}.${quotedName(name)}:${descriptor}`;
}

function nameAndTypeText(pool: ConstantPool, index: number): string {
  const { name, descriptor } = pool.nameAndType(index);
  return `${quotedName(name)}:${descriptor}`;
}

const JAVA_NAME = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]*$/u;

/** Names whose parts between slashes are Java identifiers are kept as they are, all others are quoted. */
export function quotedName(name: string): string {
  const last = name.endsWith('/') ? name.slice(0, -1) : name;
  if (last.split('/').every((part) => JAVA_NAME.test(part))) return name;
  return `"${escapedText(name).replaceAll("\\'", "'")}"`;
}

const ESCAPES = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['"', '\\"'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

/** Text on one line: quotes, backslashes and control characters are escaped as in Java source. */
export function escapedText(text: string): string {
  return text.replace(/[\p{Cc}"'\\]/gu, (character) => {
    return ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** As `Double.toString` writes it since Java 19: the shortest digits that identify the number. */
export function javaDouble(value: number): string {
  return javaNumber(value, value.toExponential());
}

/**
 * As `Float.toString` writes it since Java 19; of two equally near and short values Java chooses the even one, this
 * function the larger.
 */
export function javaFloat(value: number): string {
  let digits = value.toExponential();
  for (let places = 0; places < 9; places++) {
    const shorter = value.toExponential(places);
    if (Math.fround(Number(shorter)) !== value) continue;
    digits = shorter;
    break;
  }
  return javaNumber(value, digits);
}

function javaNumber(value: number, exponential: string): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  // If one digit would be enough, Java takes the nearest number with two digits: 4.9E-324.
  const shortest = /^-?\de/.test(exponential) ? value.toExponential(1) : exponential;
  const [mantissa = '', power = '0'] = shortest.split('e');
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace(/[-.]|0$/g, '');
  const exponent = Number(power);
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
