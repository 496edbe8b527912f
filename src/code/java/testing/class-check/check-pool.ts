/** Checks the references of constant pool entries (JVMS 4.4) and that texts are modified UTF-8 (4.4.7). */
import type { Problem } from '../../../../base/problems.js';
import { type ConstantPool, TAG } from '../../class-file/constant-pool.js';
import { fieldType, methodTypes } from '../../class-file/descriptor.js';

const METHODS: readonly number[] = [TAG.methodref, TAG.interfaceMethodref];

/** Problems of the pool; `bootstraps` is the number of rows of BootstrapMethods. Cost: one pass over its bytes. */
export function checkPool(pool: ConstantPool, bootstraps: number): Problem[] {
  const problems: Problem[] = [];
  for (let index = 1; index < pool.count; index++) {
    const wrong = wrongWith(pool, index, bootstraps);
    if (wrong === undefined) continue;
    const code = pool.tag(index) === TAG.utf8 ? 'class-file-bad-text' : 'class-file-bad-reference';
    const message = `constant pool entry #${index}: ${wrong}`;
    problems.push({ code, severity: 'error', message, offset: pool.offsetOf(index) });
  }
  return problems;
}

function wrongWith(pool: ConstantPool, index: number, bootstraps: number): string | undefined {
  const [first, second] = pool.references(index);
  const tag = pool.tag(index);
  switch (tag) {
    case TAG.utf8:
      return badText(pool, index);
    case TAG.class:
    case TAG.string:
    case TAG.module:
    case TAG.package:
      return other(pool, first, [TAG.utf8]);
    case TAG.methodType:
      return other(pool, first, [TAG.utf8]) ?? notDescriptor(pool.methodType(index), 'method');
    case TAG.nameAndType: {
      const wrong = other(pool, first, [TAG.utf8]) ?? other(pool, second, [TAG.utf8]);
      if (wrong !== undefined) return wrong;
      const { descriptor } = pool.nameAndType(index);
      return notDescriptor(descriptor, descriptor.startsWith('(') ? 'method' : 'field');
    }
    case TAG.fieldref:
      return other(pool, first, [TAG.class]) ?? typed(pool, second, 'field');
    case TAG.methodref:
    case TAG.interfaceMethodref:
      return other(pool, first, [TAG.class]) ?? typed(pool, second, 'method');
    case TAG.dynamic:
    case TAG.invokeDynamic:
      if (first >= bootstraps) return `expected one of ${bootstraps} bootstrap methods, found ${first}`;
      return typed(pool, second, tag === TAG.dynamic ? 'field' : 'method');
    case TAG.methodHandle:
      if (first < 1 || first > 9) return `expected a kind of method handle, found ${first}`;
      return other(pool, second, first <= 4 ? [TAG.fieldref] : METHODS);
    default:
      return undefined;
  }
}

/** The problem if the entry has none of the tags. */
function other(pool: ConstantPool, index: number, tags: readonly number[]): string | undefined {
  const tag = pool.tag(index);
  return tags.includes(tag)
    ? undefined
    : `expected a reference to an entry of tag ${tags.join(' or ')}, found #${index}, tag ${tag}`;
}

/** The problem if the entry is not a name and type of a field or method. */
function typed(pool: ConstantPool, index: number, what: 'field' | 'method'): string | undefined {
  const wrong = other(pool, index, [TAG.nameAndType]);
  if (wrong !== undefined) return wrong;
  const [name, descriptor] = pool.references(index);
  if (!pool.isUtf8(name) || !pool.isUtf8(descriptor)) return `expected a valid name and type, found #${index}`;
  return notDescriptor(pool.utf8(descriptor), what);
}

/** The problem if the text is not a descriptor. */
export function notDescriptor(text: string, what: 'field' | 'method'): string | undefined {
  const types = what === 'field' ? fieldType(text) : methodTypes(text);
  return types === undefined
    ? `expected the descriptor of a ${what}, found ${JSON.stringify(text.slice(0, 80))}`
    : undefined;
}

function badText(pool: ConstantPool, index: number): string | undefined {
  const from = pool.offsetOf(index) + 3;
  const { bytes } = pool;
  const end = from + ((bytes[from - 2] << 8) | bytes[from - 1]);
  for (let at = from; at < end; ) {
    const length = characterLength(bytes, at, end);
    if (length === 0) return `expected modified UTF-8, found 0x${bytes[at].toString(16)} at byte ${at}`;
    at += length;
  }
  return undefined;
}

/** Bytes of the character at `at`, 0 if there is none: JVMS 4.4.7 has 1 to 3, in the shortest form but for NUL. */
function characterLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first > 0 && first < 0x80) return 1;
  if (at + 1 >= end || (bytes[at + 1] & 0xc0) !== 0x80) return 0;
  if ((first & 0xe0) === 0xc0) return first >= 0xc2 || (first === 0xc0 && bytes[at + 1] === 0x80) ? 2 : 0;
  if ((first & 0xf0) !== 0xe0 || at + 2 >= end || (bytes[at + 2] & 0xc0) !== 0x80) return 0;
  return first > 0xe0 || bytes[at + 1] >= 0xa0 ? 3 : 0;
}
