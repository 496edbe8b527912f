/** Attributes as `javap -v` of JDK 17 and 25 prints them; each gives its lines without the indent of its holder. */
import { ACCESS } from '../class-file/access.js';
import { type Attribute, decodeAttribute, type InnerClass } from '../class-file/attributes.js';
import type { ClassFile, MethodInfo } from '../class-file/class-file.js';
import type { Code } from '../class-file/code.js';
import { constantLabel, constantText, quotedName } from '../class-file/constant-text.js';
import type { LocalVariable } from '../class-file/debug-tables.js';
import { binaryName, methodTypes, parameterSlots } from '../class-file/descriptor.js';
import { exceptionLines, instructionLines, listCode, withComment } from '../class-file/listing.js';
import type { ModuleAttribute, ModuleOpening } from '../class-file/module-attribute.js';
import type { RawAttribute } from '../class-file/raw-attributes.js';
import type { StackMapFrame, VerificationType } from '../class-file/stack-map.js';
import { annotationLines, typeAnnotationLines, valueInNumbers, valueInWords } from './javap-annotations.js';
import { classModifiers, parameterFlags } from './javap-flags.js';

/** What a list of attributes stands on: the class, the method of a Code, and the indent of its lines. */
export interface Holder {
  readonly file: ClassFile;
  readonly method?: MethodInfo;
  readonly indent: string;
}

export function attributeLines(attributes: readonly RawAttribute[], holder: Holder): string[] {
  return attributes.flatMap((raw) => linesOf(decodeAttribute(holder.file.pool, raw), holder));
}

function linesOf(attribute: Attribute, holder: Holder): string[] {
  const { indent, file } = holder;
  return printed(attribute, holder, file)
    .flatMap((line) => line.split('\n'))
    .map((line) => `${indent}${line}`.trimEnd());
}

function printed(attribute: Attribute, holder: Holder, file: ClassFile): string[] {
  const { pool } = file;
  switch (attribute.kind) {
    case 'Code':
      return holder.method === undefined ? [] : codeLines(attribute.code, holder.method);
    case 'ConstantValue':
      return [`ConstantValue: ${constantLabel(pool, attribute.index, 0)}`];
    case 'Synthetic':
    case 'Deprecated':
      return [`${attribute.kind}: true`];
    case 'Signature':
      return [withComment(`Signature: #${attribute.value.index}`, attribute.value.text)];
    case 'SourceFile':
      return [`SourceFile: "${attribute.value.text}"`];
    case 'Exceptions':
      return ['Exceptions:', `  throws ${attribute.classes.map(({ text }) => binaryName(text)).join(', ')}`];
    case 'LineNumberTable':
      return ['LineNumberTable:', ...attribute.lines.map(({ line, bci }) => `  line ${line}: ${bci}`)];
    case 'LocalVariableTable':
    case 'LocalVariableTypeTable':
      return [
        `${attribute.kind}:`,
        '  Start  Length  Slot  Name   Signature',
        ...attribute.variables.map(variableLine),
      ];
    case 'StackMapTable':
      return [`StackMapTable: number_of_entries = ${attribute.frames.length}`, ...attribute.frames.flatMap(frameLines)];
    case 'AnnotationDefault':
      return [
        'AnnotationDefault:',
        `  default_value: ${valueInNumbers(attribute.value)}`,
        ...`    ${valueInWords(pool, attribute.value, '    ')}`.split('\n'),
      ];
    case 'RuntimeVisibleAnnotations':
    case 'RuntimeInvisibleAnnotations':
      return [`${attribute.kind}:`, ...annotationLines(pool, attribute.annotations, '  ')];
    case 'RuntimeVisibleTypeAnnotations':
    case 'RuntimeInvisibleTypeAnnotations':
      return [`${attribute.kind}:`, ...typeAnnotationLines(pool, attribute.annotations, '  ')];
    case 'RuntimeVisibleParameterAnnotations':
    case 'RuntimeInvisibleParameterAnnotations':
      return [
        `${attribute.kind}:`,
        ...attribute.parameters.flatMap((each, i) => [`  parameter ${i}:`, ...annotationLines(pool, each, '    ')]),
      ];
    case 'MethodParameters':
      return [
        'MethodParameters:',
        '  Name                           Flags',
        ...attribute.parameters.map(
          ({ name, access }) => `  ${(name?.text ?? '<no name>').padEnd(31)}${parameterFlags(access)}`,
        ),
      ];
    default:
      return printedOfClass(attribute, holder, file);
  }
}

function printedOfClass(attribute: Attribute, holder: Holder, file: ClassFile): string[] {
  const { pool } = file;
  switch (attribute.kind) {
    case 'InnerClasses':
      return ['InnerClasses:', ...attribute.classes.map((each) => innerLine(each))];
    case 'EnclosingMethod': {
      const { class: enclosing, method } = attribute;
      const name = method === 0 ? '' : `.${pool.nameAndType(method).name}`;
      return [withComment(`EnclosingMethod: #${enclosing.index}.#${method}`, `${binaryName(enclosing.text)}${name}`)];
    }
    case 'NestHost':
      return [`NestHost: class ${quotedName(attribute.class.text)}`];
    case 'NestMembers':
    case 'PermittedSubclasses':
      return [`${attribute.kind}:`, ...attribute.classes.map(({ text }) => `  ${quotedName(text)}`)];
    case 'BootstrapMethods':
      return [
        'BootstrapMethods:',
        ...attribute.methods.flatMap(({ handle, arguments: constants }, i) => [
          `  ${i}: #${handle} ${constantText(pool, handle)}`,
          '    Method arguments:',
          ...constants.map((index) => `      #${index} ${constantText(pool, index)}`),
        ]),
      ];
    case 'Record':
      return [
        'Record:',
        ...attribute.components.flatMap(({ descriptor, attributes }) => [
          '  MEMBER',
          `    descriptor: ${descriptor.text}`,
          ...attributeLines(attributes, { file, indent: '    ' }),
          '',
        ]),
      ];
    case 'Module':
      return ['Module:', ...moduleLines(attribute.module)];
    case 'ModulePackages':
      return [
        'ModulePackages:',
        ...attribute.packages.map(({ index, text }) => withComment(`  #${index}`, binaryName(text), 42)),
      ];
    case 'ModuleMainClass':
      return [withComment(`ModuleMainClass: #${attribute.class.index}`, binaryName(attribute.class.text))];
    case 'unknown':
      return [`${attribute.name}:`];
    default:
      throw new Error(`${attribute.kind} in ${holder.file.name}`);
  }
}

function codeLines(code: Code, method: MethodInfo): string[] {
  const types = methodTypes(method.descriptor);
  const slots = types === undefined ? 0 : types.parameters.length;
  const args = slots + ((method.access & ACCESS.static) === 0 ? 1 : 0);
  const { instructions, problem } = listCode(method, code);
  if (problem !== undefined) throw new Error(problem.message);
  // `javap` counts a long or double once, or twice: parameterSlots is what the virtual machine counts.
  if (types !== undefined && parameterSlots(types) < slots) throw new Error('slots');
  return [
    'Code:',
    `  stack=${code.maxStack}, locals=${code.maxLocals}, args_size=${args}`,
    ...instructions.flatMap((each) => instructionLines(each)).map((line) => `  ${line}`),
    ...exceptionLines(code).map((line) => `  ${line}`),
    ...attributeLines(code.attributes, { file: method.owner, method, indent: '  ' }),
  ];
}

function variableLine({ start, length, slot, name, type }: LocalVariable): string {
  const numbers = `${String(start).padStart(7)} ${String(length).padStart(7)} ${String(slot).padStart(5)}`;
  return `${numbers} ${name.text.padStart(5)}   ${type.text}`;
}

const FRAMES: Readonly<Record<StackMapFrame['kind'], string>> = {
  same: 'same',
  'same-one-stack': 'same_locals_1_stack_item',
  'same-one-stack-extended': 'same_locals_1_stack_item_frame_extended',
  chop: 'chop',
  'same-extended': 'same_frame_extended',
  append: 'append',
  full: 'full_frame',
};

function frameLines(frame: StackMapFrame): string[] {
  const { kind, type, delta, locals, stack } = frame;
  const lines = [`  frame_type = ${type} /* ${FRAMES[kind]} */`];
  if (type >= 247) lines.push(`    offset_delta = ${delta}`);
  if (kind === 'append' || kind === 'full') lines.push(`    locals = ${typeList(locals)}`);
  if (kind === 'full' || kind === 'same-one-stack' || kind === 'same-one-stack-extended')
    lines.push(`    stack = ${typeList(stack)}`);
  return lines;
}

function typeList(types: readonly VerificationType[]): string {
  const words = types.map((type) => {
    if (type.kind === 'object') return `class ${quotedName(type.type.text)}`;
    if (type.kind === 'uninitialized') return `uninitialized ${type.bci}`;
    return type.kind === 'uninitializedThis' ? 'this' : type.kind;
  });
  return words.length === 0 ? '[]' : `[ ${words.join(', ')} ]`;
}

function innerLine({ inner, outer, name, access }: InnerClass): string {
  const words = classModifiers(access);
  let line = `  ${words}`;
  let comment = '';
  if (name !== undefined) {
    line += `#${name.index}= `;
    comment += `${name.text}=`;
  }
  line += `#${inner.index}`;
  comment += `class ${quotedName(inner.text)}`;
  if (outer !== undefined) {
    line += ` of #${outer.index}`;
    comment += ` of class ${quotedName(outer.text)}`;
  }
  return withComment(`${line};`, comment, 42);
}

function moduleLines(module: ModuleAttribute): string[] {
  const { name, flags, version, requires, exports, opens, uses, provides } = module;
  const inner = (line: string, comment: string): string => withComment(`    ${line}`, comment, 44);
  const head = (count: number, what: string): string => withComment(`  ${count}`, what, 42);
  return [
    withComment(
      `  #${name.index},${flags.toString(16)}`,
      `${quotedName(name.text)}${moduleFlags(flags, 'ACC_OPEN')}`,
      42,
    ),
    version === undefined ? '  #0' : withComment(`  #${version.index}`, version.text, 42),
    head(requires.length, 'requires'),
    ...requires.flatMap((each) => [
      inner(
        `#${each.module.index},${each.flags.toString(16)}`,
        `${quotedName(each.module.text)}${moduleFlags(each.flags)}`,
      ),
      each.version === undefined ? '    #0' : inner(`#${each.version.index}`, each.version.text),
    ]),
    head(exports.length, 'exports'),
    ...exports.flatMap(openingLines),
    head(opens.length, 'opens'),
    ...opens.flatMap(openingLines),
    head(uses.length, 'uses'),
    ...uses.map(({ index, text }) => inner(`#${index}`, quotedName(text))),
    head(provides.length, 'provides'),
    ...provides.flatMap(({ service, providers }) => [
      inner(`#${service.index}`, `${quotedName(service.text)} with ... ${providers.length}`),
      ...providers.map(({ index, text }) => withComment(`      #${index}`, `... with ${quotedName(text)}`, 46)),
    ]),
  ];
}

function openingLines({ package: opened, flags, to }: ModuleOpening): string[] {
  const words = `${quotedName(opened.text)}${moduleFlags(flags)}`;
  const all = to.length === 0 ? words : `${words} to ... ${to.length}`;
  return [
    withComment(`    #${opened.index},${flags.toString(16)}`, all, 44),
    ...to.map(({ index, text }) => withComment(`      #${index}`, `... to ${quotedName(text)}`, 46)),
  ];
}

/** What bit 0x20 means depends on the place. */
function moduleFlags(flags: number, first = 'ACC_TRANSITIVE'): string {
  const words: string[] = [];
  for (const [bit, word] of [
    [0x20, first],
    [0x40, 'ACC_STATIC_PHASE'],
    [0x1000, 'ACC_SYNTHETIC'],
    [0x8000, 'ACC_MANDATED'],
  ] as const)
    if ((flags & bit) !== 0) words.push(word);
  return words.length === 0 ? '' : ` ${words.join(' ')}`;
}
