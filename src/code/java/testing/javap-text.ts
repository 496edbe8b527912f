/**
 * A class file as `javap -v -p -c` prints it, from what our reader gives, and `javap`'s own text brought to the same
 * form: without its header about the file, and with `MEMBER` for each declaration in Java's words, which repeats
 * descriptor, flags and signature.
 */
import type { ClassFile } from '../class-file/class-file.js';
import { type ConstantPool, TAG } from '../class-file/constant-pool.js';
import { constantText, escapedText } from '../class-file/constant-text.js';
import { withComment } from '../class-file/listing.js';
import { attributeLines } from './javap-attributes.js';
import { flagsLine } from './javap-flags.js';

export function classLines(file: ClassFile): string[] {
  const { pool, fields, methods } = file;
  const superclass = `super_class: #${file.superIndex}`;
  const counts = [
    `interfaces: ${file.interfaces.length}`,
    `fields: ${fields.length}`,
    `methods: ${methods.length}`,
    `attributes: ${file.attributes.length}`,
  ];
  const members = [...fields, ...methods].flatMap((member, i) => {
    const isField = i < fields.length;
    const method = isField ? undefined : methods[i - fields.length];
    return [
      ...(i > fields.length ? [''] : []),
      '  MEMBER',
      `    descriptor: ${member.descriptor}`,
      `    ${flagsLine(isField ? 'field' : 'method', member.access)}`,
      ...attributeLines(member.attributes, { file, indent: '    ', ...(method === undefined ? {} : { method }) }),
      ...(isField ? [''] : []),
    ];
  });
  const lines = [
    `  minor version: ${file.minor}`,
    `  major version: ${file.major}`,
    `  ${flagsLine('class', file.access)}`,
    withComment(`  this_class: #${file.thisIndex}`, pool.className(file.thisIndex), 42),
    file.superIndex === 0 ? `  ${superclass}` : withComment(`  ${superclass}`, pool.className(file.superIndex), 42),
    `  ${counts.join(', ')}`,
    'Constant pool:',
    ...poolLines(pool),
    '{',
    ...members,
    '}',
    ...attributeLines(file.attributes, { file, indent: '' }),
  ];
  // A lone surrogate cannot be written as UTF-8: Java writes a question mark.
  const printed = lines.flatMap((line) => line.replace(/\p{Surrogate}/gu, '?').split('\n'));
  return withoutLastBlanks(printed);
}

function withoutLastBlanks(lines: string[]): string[] {
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

const TAGS: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(TAG).map(([name, tag]) => [tag, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`]),
);

function poolLines(pool: ConstantPool): string[] {
  const lines: string[] = [];
  const width = String(pool.count).length + 1;
  for (let index = 1; index < pool.count; index++) {
    const tag = pool.tag(index);
    if (tag === 0) continue;
    const head = `  ${`#${index}`.padStart(width)} = ${(TAGS[tag] ?? '').padEnd(18)} `;
    const [first, second] = pool.references(index);
    const text = tag === TAG.utf8 ? escapedText(pool.utf8(index)) : constantText(pool, index);
    if (tag >= TAG.utf8 && tag <= TAG.double) lines.push(`${head}${text}`.trimEnd());
    else if (tag === TAG.methodHandle) lines.push(withComment(`${head}${first}:#${second}`, text, 42));
    else if (tag === TAG.methodType) lines.push(withComment(`${head}#${first}`, ` ${text}`, 42));
    else if (tag === TAG.nameAndType) lines.push(withComment(`${head}#${first}:#${second}`, text, 42));
    else if (tag === TAG.dynamic || tag === TAG.invokeDynamic)
      lines.push(withComment(`${head}#${first}:#${second}`, text, 42));
    else if (tag >= TAG.fieldref && tag <= TAG.interfaceMethodref)
      lines.push(withComment(`${head}#${first}.#${second}`, text, 42));
    else lines.push(withComment(`${head}#${first}`, text, 42).trimEnd());
  }
  return lines;
}

/** Attributes of the JDK's own modules that JVMS does not have: `javap` prints their contents, we keep their extent. */
const NOT_IN_JVMS = /^(ModuleTarget|ModuleHashes|ModuleResolution):/;

/** The printed classes of one call of `javap`, in order. */
export function printedClasses(text: string): string[][] {
  return text
    .split(/^Classfile /m)
    .slice(1)
    .map(comparable);
}

function comparable(text: string): string[] {
  const lines = text.split('\n');
  const kept: string[] = [];
  let section = '';
  for (let i = lines.findIndex((line) => line.startsWith('  minor version:')); i < lines.length; i++) {
    const line = (lines[i] ?? '').trimEnd();
    if (/^\S/.test(line)) section = line;
    if (NOT_IN_JVMS.test(section)) {
      if (line === section) kept.push(`${section.split(':')[0]}:`);
      continue;
    }
    // JDK 17 has quotes around names such as module-info here, JDK 25 does not.
    if (/^ {2}(this|super)_class:/.test(line)) {
      kept.push(line.replace(/"(.*)"$/, '$1'));
      continue;
    }
    const declaration = /^ {2}\S/.test(line) && (section === '{' || section === 'Record:');
    kept.push(declaration ? '  MEMBER' : line);
  }
  return withoutLastBlanks(kept);
}

/** The first line in which the two differ, -1 where none does. */
export function firstDifference(ours: readonly string[], printed: readonly string[]): number {
  for (let i = 0; i < Math.max(ours.length, printed.length); i++) {
    const [line, other] = [ours[i], printed[i]];
    if (line === undefined || other === undefined) return i;
    if (line === other || shortNumbers(line) === shortNumbers(other)) continue;
    // JDK 25 has no names for the tags of modules and packages.
    if (other !== line.replace(/= (Module|Package) {2,}#/, '= Unknown            #')) return i;
  }
  return -1;
}

/** Before JDK 19 Java wrote some numbers with more digits than they need (JDK-4511638). */
function shortNumbers(line: string): string {
  return line.replace(/(\d+\.\d+(?:E-?\d+)?)([fd])/g, (_, number: string, type: string) => {
    return `${type === 'f' ? Math.fround(Number(number)) : Number(number)}${type}`;
  });
}
