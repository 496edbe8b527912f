/** Annotations as `javap -v` of JDK 17 and 25 prints them. */
import type { Annotation, ElementValue, TypeAnnotation } from '../class-file/annotations.js';
import type { ConstantPool } from '../class-file/constant-pool.js';
import { escapedText, javaDouble, javaFloat } from '../class-file/constant-text.js';
import { fieldType } from '../class-file/descriptor.js';

/** `0: #49(#50=e#22.#51)`, and below it the same in words. */
export function annotationLines(pool: ConstantPool, annotations: readonly Annotation[], indent: string): string[] {
  return annotations.flatMap((each, i) => {
    return [`${indent}${i}: ${inNumbers(each)}`, ...inWords(pool, each, `${indent}  `)];
  });
}

export function typeAnnotationLines(pool: ConstantPool, list: readonly TypeAnnotation[], indent: string): string[] {
  return list.flatMap((each, i) => {
    const place = [targetText(each), ...pathText(each)].join(', ');
    return [`${indent}${i}: ${inNumbers(each)}: ${place}`, ...inWords(pool, each, `${indent}  `)];
  });
}

function inNumbers({ type, elements }: Annotation): string {
  return `#${type.index}(${elements.map(({ name, value }) => `#${name.index}=${valueInNumbers(value)}`).join(',')})`;
}

export function valueInNumbers(value: ElementValue): string {
  switch (value.kind) {
    case 'constant':
      return `${value.tag}#${value.index}`;
    case 'enum':
      return `e#${value.type.index}.#${value.name.index}`;
    case 'class':
      return `c#${value.type.index}`;
    case 'annotation':
      return `@${inNumbers(value.annotation)}`;
    case 'array':
      return `[${value.values.map(valueInNumbers).join(',')}]`;
  }
}

/** `javap` prints the type without `@`, and elements on lines of their own. */
function inWords(pool: ConstantPool, { type, elements }: Annotation, indent: string): string[] {
  const name = fieldType(type.text) ?? type.text;
  if (elements.length === 0) return [`${indent}${name}`];
  const lines = elements.map((each) => `${indent}  ${each.name.text}=${valueInWords(pool, each.value, `${indent}  `)}`);
  return [`${indent}${name}(`, ...lines, `${indent})`];
}

export function valueInWords(pool: ConstantPool, value: ElementValue, indent: string): string {
  switch (value.kind) {
    case 'constant':
      return constantInWords(pool, value.tag, value.index);
    case 'enum':
      return `${value.type.text}.${value.name.text}`;
    case 'class':
      return `class ${value.type.text}`;
    case 'annotation': {
      const [first = '', ...rest] = inWords(pool, value.annotation, indent);
      return [`@${first.trimStart()}`, ...rest].join('\n');
    }
    case 'array':
      return `[${value.values.map((each) => valueInWords(pool, each, indent)).join(',')}]`;
  }
}

function constantInWords(pool: ConstantPool, tag: string, index: number): string {
  switch (tag) {
    case 'B':
      return `(byte) ${pool.integer(index)}`;
    case 'C':
      return `'${String.fromCharCode(pool.integer(index))}'`;
    case 'D':
      return `${javaDouble(pool.double(index))}d`;
    case 'F':
      return `${javaFloat(pool.float(index))}f`;
    case 'J':
      return `${pool.long(index)}l`;
    case 'S':
      return `(short) ${pool.integer(index)}`;
    case 'Z':
      return pool.integer(index) === 0 ? 'false' : 'true';
    case 's':
      return `"${escapedText(pool.utf8(index))}"`;
    default:
      return String(pool.integer(index));
  }
}

const TARGETS: Readonly<Record<number, string>> = {
  0: 'CLASS_TYPE_PARAMETER',
  1: 'METHOD_TYPE_PARAMETER',
  16: 'CLASS_EXTENDS',
  17: 'CLASS_TYPE_PARAMETER_BOUND',
  18: 'METHOD_TYPE_PARAMETER_BOUND',
  19: 'FIELD',
  20: 'METHOD_RETURN',
  21: 'METHOD_RECEIVER',
  22: 'METHOD_FORMAL_PARAMETER',
  23: 'THROWS',
  64: 'LOCAL_VARIABLE',
  65: 'RESOURCE_VARIABLE',
  66: 'EXCEPTION_PARAMETER',
  67: 'INSTANCEOF',
  68: 'NEW',
  69: 'CONSTRUCTOR_REFERENCE',
  70: 'METHOD_REFERENCE',
  71: 'CAST',
  72: 'CONSTRUCTOR_INVOCATION_TYPE_ARGUMENT',
  73: 'METHOD_INVOCATION_TYPE_ARGUMENT',
  74: 'CONSTRUCTOR_REFERENCE_TYPE_ARGUMENT',
  75: 'METHOD_REFERENCE_TYPE_ARGUMENT',
};

function targetText({ target: { type, info } }: TypeAnnotation): string {
  const name = TARGETS[type] ?? '';
  const [first = 0, second = 0] = info;
  if (type <= 0x01) return `${name}, param_index=${first}`;
  if (type === 0x10) return `${name}, type_index=${first}`;
  if (type <= 0x12) return `${name}, param_index=${first}, bound_index=${second}`;
  if (type <= 0x15) return name;
  if (type === 0x16) return `${name}, param_index=${first}`;
  if (type === 0x17) return `${name}, type_index=${first}`;
  if (type <= 0x41) {
    const rows: string[] = [];
    for (let i = 0; i < info.length; i += 3)
      rows.push(`start_pc=${info[i]}, length=${info[i + 1]}, index=${info[i + 2]}`);
    return `${name}, {${rows.join('; ')}}`;
  }
  if (type === 0x42) return `${name}, exception_index=${first}`;
  if (type <= 0x46) return `${name}, offset=${first}`;
  return `${name}, offset=${first}, type_index=${second}`;
}

function pathText({ path }: TypeAnnotation): string[] {
  if (path.length === 0) return [];
  const steps = path.map(([kind, argument]) => {
    return ['ARRAY', 'INNER_TYPE', 'WILDCARD', `TYPE_ARGUMENT(${argument})`][kind] ?? '';
  });
  return [`location=[${steps.join(', ')}]`];
}
