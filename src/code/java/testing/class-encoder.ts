/**
 * Writes a class file again from the values of the reader, never from extents, except for attributes unknown to JVMS,
 * paddings and NaN bits. Equal bytes prove that nothing of a class was lost or invented.
 */
import type { Annotation, ElementValue, TypeAnnotation } from '../class-file/annotations.js';
import { type Attribute, decodeAttribute } from '../class-file/attributes.js';
import type { ClassFile } from '../class-file/class-file.js';
import type { Code } from '../class-file/code.js';
import { type ConstantPool, TAG } from '../class-file/constant-pool.js';
import type { LocalVariable } from '../class-file/debug-tables.js';
import { eachInstruction, type Instruction } from '../class-file/instructions.js';
import type { ModuleAttribute, ModuleOpening } from '../class-file/module-attribute.js';
import type { Named } from '../class-file/named.js';
import { SHAPES } from '../class-file/opcodes.js';
import type { RawAttribute } from '../class-file/raw-attributes.js';
import type { StackMapFrame, VerificationType } from '../class-file/stack-map.js';

/** Big-endian numbers, one after the other. */
class Sink {
  readonly bytes: number[] = [];

  u1(...values: number[]): void {
    for (const value of values) this.bytes.push(value & 0xff);
  }

  u2(...values: number[]): void {
    for (const value of values) this.bytes.push((value >> 8) & 0xff, value & 0xff);
  }

  u4(value: number): void {
    this.bytes.push((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.u2(items.length);
    for (const item of items) write(item);
  }
}

export function encodeClass(file: ClassFile): Uint8Array {
  const { pool } = file;
  const sink = new Sink();
  sink.u4(0xcafebabe);
  sink.u2(file.minor, file.major, pool.count);
  for (let index = 1; index < pool.count; index++) if (pool.tag(index) !== 0) encodeConstant(sink, pool, index);
  sink.u2(file.access, file.thisIndex, file.superIndex);
  sink.list(file.interfaceIndexes, (index) => sink.u2(index));
  for (const members of [file.fields, file.methods]) {
    sink.list(members, (member) => {
      sink.u2(member.access, member.nameIndex, member.descriptorIndex);
      encodeAttributes(sink, pool, member.attributes);
    });
  }
  encodeAttributes(sink, pool, file.attributes);
  return Uint8Array.from(sink.bytes);
}

function encodeConstant(sink: Sink, pool: ConstantPool, index: number): void {
  const tag = pool.tag(index);
  const [first, second] = pool.references(index);
  const view = new DataView(new ArrayBuffer(8));
  sink.u1(tag);
  if (tag === TAG.utf8) encodeText(sink, pool.utf8(index));
  else if (tag === TAG.integer) sink.u4(pool.integer(index));
  else if (tag === TAG.float) {
    view.setFloat32(0, pool.float(index));
    sink.u4(Number.isNaN(pool.float(index)) ? originalBits(pool, index, 0) : view.getUint32(0));
  } else if (tag === TAG.double) {
    const unlike = Number.isNaN(pool.double(index));
    view.setFloat64(0, pool.double(index));
    for (const at of [0, 4]) sink.u4(unlike ? originalBits(pool, index, at) : view.getUint32(at));
  } else if (tag === TAG.long) {
    view.setBigInt64(0, pool.long(index));
    for (const at of [0, 4]) sink.u4(view.getUint32(at));
  } else if (tag === TAG.methodHandle) {
    sink.u1(first);
    sink.u2(second);
  } else if (tag >= TAG.fieldref && tag <= TAG.invokeDynamic && tag !== TAG.methodType) sink.u2(first, second);
  else sink.u2(first);
}

/** There are many NaNs, which JavaScript does not distinguish. */
function originalBits(pool: ConstantPool, index: number, at: number): number {
  return new DataView(pool.bytes.buffer, pool.bytes.byteOffset).getUint32(pool.offsetOf(index) + 1 + at);
}

/** Modified UTF-8 of each UTF-16 unit (JVMS 4.4.7). */
function encodeText(sink: Sink, text: string): void {
  const encoded = new Sink();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0 && unit < 0x80) encoded.u1(unit);
    else if (unit < 0x800) encoded.u1(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else encoded.u1(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  sink.u2(encoded.bytes.length);
  sink.u1(...encoded.bytes);
}

function encodeAttributes(sink: Sink, pool: ConstantPool, attributes: readonly RawAttribute[]): void {
  sink.list(attributes, (raw) => {
    const contents = new Sink();
    encodeContents(contents, pool, decodeAttribute(pool, raw), raw);
    sink.u2(raw.nameIndex);
    sink.u4(contents.bytes.length);
    for (const byte of contents.bytes) sink.u1(byte);
  });
}

function encodeContents(sink: Sink, pool: ConstantPool, attribute: Attribute, raw: RawAttribute): void {
  const name = (named: Named): void => sink.u2(named.index);
  switch (attribute.kind) {
    case 'Code':
      encodeCode(sink, attribute.code);
      return;
    case 'ConstantValue':
      sink.u2(attribute.index);
      return;
    case 'Synthetic':
    case 'Deprecated':
      return;
    case 'Signature':
    case 'SourceFile':
      name(attribute.value);
      return;
    case 'ModuleMainClass':
    case 'NestHost':
      name(attribute.class);
      return;
    case 'Exceptions':
    case 'NestMembers':
    case 'PermittedSubclasses':
      sink.list(attribute.classes, name);
      return;
    case 'ModulePackages':
      sink.list(attribute.packages, name);
      return;
    case 'EnclosingMethod':
      sink.u2(attribute.class.index, attribute.method);
      return;
    case 'LineNumberTable':
      sink.list(attribute.lines, ({ bci, line }) => sink.u2(bci, line));
      return;
    case 'LocalVariableTable':
    case 'LocalVariableTypeTable':
      sink.list(attribute.variables, (each) => encodeVariable(sink, each));
      return;
    case 'StackMapTable':
      sink.list(attribute.frames, (frame) => encodeFrame(sink, frame));
      return;
    default:
      encodeRows(sink, pool, attribute, raw);
  }
}

function encodeRows(sink: Sink, pool: ConstantPool, attribute: Attribute, raw: RawAttribute): void {
  switch (attribute.kind) {
    case 'InnerClasses':
      sink.list(attribute.classes, (each) => {
        sink.u2(each.inner.index, each.outer?.index ?? 0, each.name?.index ?? 0, each.access);
      });
      return;
    case 'BootstrapMethods':
      sink.list(attribute.methods, ({ handle, arguments: constants }) => {
        sink.u2(handle);
        sink.list(constants, (index) => sink.u2(index));
      });
      return;
    case 'MethodParameters':
      sink.u1(attribute.parameters.length);
      for (const each of attribute.parameters) sink.u2(each.name?.index ?? 0, each.access);
      return;
    case 'Record':
      sink.list(attribute.components, (each) => {
        sink.u2(each.name.index, each.descriptor.index);
        encodeAttributes(sink, pool, each.attributes);
      });
      return;
    case 'Module':
      encodeModule(sink, attribute.module);
      return;
    case 'SourceDebugExtension':
      for (const byte of new TextEncoder().encode(attribute.text)) sink.u1(byte);
      return;
    case 'unknown':
      for (const byte of pool.bytes.subarray(raw.offset, raw.offset + raw.length)) sink.u1(byte);
      return;
    case 'AnnotationDefault':
      encodeValue(sink, attribute.value);
      return;
    default:
      encodeAnnotationAttribute(sink, attribute);
  }
}

function encodeAnnotationAttribute(sink: Sink, attribute: Attribute): void {
  switch (attribute.kind) {
    case 'RuntimeVisibleParameterAnnotations':
    case 'RuntimeInvisibleParameterAnnotations':
      sink.u1(attribute.parameters.length);
      for (const each of attribute.parameters) sink.list(each, (annotation) => encodeAnnotation(sink, annotation));
      return;
    case 'RuntimeVisibleTypeAnnotations':
    case 'RuntimeInvisibleTypeAnnotations':
      sink.list(attribute.annotations, (annotation) => encodeTypeAnnotation(sink, annotation));
      return;
    case 'RuntimeVisibleAnnotations':
    case 'RuntimeInvisibleAnnotations':
      sink.list(attribute.annotations, (annotation) => encodeAnnotation(sink, annotation));
      return;
    default:
      throw new Error(`nothing writes ${attribute.kind}`);
  }
}

function encodeAnnotation(sink: Sink, { type, elements }: Annotation): void {
  sink.u2(type.index);
  sink.list(elements, ({ name, value }) => {
    sink.u2(name.index);
    encodeValue(sink, value);
  });
}

function encodeTypeAnnotation(sink: Sink, annotation: TypeAnnotation): void {
  const { type, info } = annotation.target;
  sink.u1(type);
  if (type === 0x40 || type === 0x41) sink.u2(info.length / 3, ...info);
  else if (type >= 0x47) {
    sink.u2(info[0] ?? 0);
    sink.u1(info[1] ?? 0);
  } else if (type === 0x10 || type === 0x17 || type >= 0x42) sink.u2(...info);
  else sink.u1(...info);
  sink.u1(annotation.path.length, ...annotation.path.flat());
  encodeAnnotation(sink, annotation);
}

function encodeValue(sink: Sink, value: ElementValue): void {
  const tags = { enum: 'e', class: 'c', annotation: '@', array: '[' } as const;
  sink.u1((value.kind === 'constant' ? value.tag : tags[value.kind]).charCodeAt(0));
  if (value.kind === 'constant') sink.u2(value.index);
  else if (value.kind === 'enum') sink.u2(value.type.index, value.name.index);
  else if (value.kind === 'class') sink.u2(value.type.index);
  else if (value.kind === 'annotation') encodeAnnotation(sink, value.annotation);
  else sink.list(value.values, (each) => encodeValue(sink, each));
}

function encodeModule(sink: Sink, module: ModuleAttribute): void {
  const opening = (each: ModuleOpening): void => {
    sink.u2(each.package.index, each.flags);
    sink.list(each.to, ({ index }) => sink.u2(index));
  };
  sink.u2(module.name.index, module.flags, module.version?.index ?? 0);
  sink.list(module.requires, (each) => sink.u2(each.module.index, each.flags, each.version?.index ?? 0));
  sink.list(module.exports, opening);
  sink.list(module.opens, opening);
  sink.list(module.uses, ({ index }) => sink.u2(index));
  sink.list(module.provides, ({ service, providers }) => {
    sink.u2(service.index);
    sink.list(providers, ({ index }) => sink.u2(index));
  });
}

function encodeVariable(sink: Sink, { start, length, name, type, slot }: LocalVariable): void {
  sink.u2(start, length, name.index, type.index, slot);
}

function encodeFrame(sink: Sink, { kind, type, delta, locals, stack }: StackMapFrame): void {
  sink.u1(type);
  if (type >= 247) sink.u2(delta);
  if (kind === 'full') sink.u2(locals.length);
  for (const each of locals) encodeType(sink, each);
  if (kind === 'full') sink.u2(stack.length);
  for (const each of stack) encodeType(sink, each);
}

function encodeType(sink: Sink, type: VerificationType): void {
  sink.u1(
    ['top', 'int', 'float', 'double', 'long', 'null', 'uninitializedThis', 'object', 'uninitialized'].indexOf(
      type.kind,
    ),
  );
  if (type.kind === 'object') sink.u2(type.type.index);
  if (type.kind === 'uninitialized') sink.u2(type.bci);
}

function encodeCode(sink: Sink, code: Code): void {
  sink.u2(code.maxStack, code.maxLocals);
  sink.u4(code.length);
  const stopped = eachInstruction(code, (instruction) => encodeInstruction(sink, instruction, code));
  if (stopped !== undefined) throw new Error(stopped.message);
  sink.list(code.exceptions, ({ start, end, handler, catchIndex }) => sink.u2(start, end, handler, catchIndex));
  encodeAttributes(sink, code.pool, code.attributes);
}

function encodeInstruction(sink: Sink, instruction: Instruction, code: Code): void {
  const { opcode, wide, local, index, value, bci, targets } = instruction;
  const [target = 0] = targets;
  const shape = String.fromCharCode(SHAPES[opcode] ?? 0);
  if (wide) {
    sink.u1(0xc4, opcode);
    sink.u2(local);
    if (shape === 'i') sink.u2(value);
    return;
  }
  sink.u1(opcode);
  if (shape === 'b' || shape === 'a') sink.u1(value);
  else if (shape === 's') sink.u2(value);
  else if (shape === 'c') sink.u1(index);
  else if (shape === 'l') sink.u1(local);
  else if (shape === 'i') sink.u1(local, value);
  else if (shape === 'j') sink.u2(target - bci);
  else if (shape === 'J') sink.u4(target - bci);
  else if (shape === 't' || shape === 'k') encodeSwitch(sink, instruction, code);
  else if (shape !== '-') sink.u2(index);
  if (shape === 'm') sink.u1(value);
  if (shape === 'I') sink.u1(value, 0);
  if (shape === 'D') sink.u2(0);
}

function encodeSwitch(sink: Sink, { bci, kind, keys, targets, defaultTarget }: Instruction, code: Code): void {
  for (let at = bci + 1; at % 4 !== 0; at++) sink.u1(code.bytes[at] ?? 0);
  sink.u4(defaultTarget - bci);
  if (kind === 'tableswitch') {
    sink.u4(keys[0] ?? 0);
    sink.u4(keys.at(-1) ?? 0);
  } else sink.u4(keys.length);
  keys.forEach((key, i) => {
    if (kind === 'lookupswitch') sink.u4(key);
    sink.u4((targets[i] ?? 0) - bci);
  });
}
