/**
 * Checks a whole class file: structure, constant pool, contents of all attributes, code. Reading checks only the
 * structure and the rest on demand. The type rules of the verifier are not checked.
 */
import { FormatError } from '../../../../base/errors.js';
import { ProblemLog, type Problems } from '../../../../base/problems.js';
import { ACCESS } from '../../class-file/access.js';
import type { Annotation, ElementValue } from '../../class-file/annotations.js';
import { type Attribute, attributeOf, decodeAttribute } from '../../class-file/attributes.js';
import type { ClassFile, FieldInfo, MethodInfo } from '../../class-file/class-file.js';
import { TAG } from '../../class-file/constant-pool.js';
import { attempt, damageOf } from '../../class-file/cursor.js';
import { ATTRIBUTE_HEAD, type RawAttribute } from '../../class-file/raw-attributes.js';
import { checkCode, LOADABLE } from './check-code.js';
import { checkPool, notDescriptor } from './check-pool.js';

/** All problems of a class file, with offsets in it. Cost: decodes all of it once. */
export function checkClassFile(file: ClassFile): Problems {
  const check = new ClassCheck(file);
  check.run();
  return check.log.finish();
}

const CONSTANT_VALUES: readonly number[] = [TAG.integer, TAG.float, TAG.long, TAG.double, TAG.string];

class ClassCheck {
  readonly log = new ProblemLog();
  readonly #file: ClassFile;
  /** The member being checked. */
  #path: string | undefined;

  constructor(file: ClassFile) {
    this.#file = file;
  }

  run(): void {
    const { pool, problems, fields, methods, attributes } = this.#file;
    for (const problem of problems) this.log.add(problem);
    const bootstraps = attributeOf(this.#file, pool, 'BootstrapMethods');
    const rows = bootstraps === undefined || bootstraps instanceof FormatError ? 0 : bootstraps.methods.length;
    for (const problem of checkPool(pool, rows)) this.log.add(problem);
    for (const field of fields) this.#checkMember(field, 'field');
    for (const method of methods) {
      this.#checkMember(method, 'method');
      this.#checkMethod(method);
    }
    this.#path = undefined;
    for (const attribute of attributes) this.#checkAttribute(attribute);
  }

  #bad(code: string, offset: number, message: string): void {
    this.log.add({ code, severity: 'error', message, offset, ...this.#place() });
  }

  #place(): { path?: string } {
    return this.#path === undefined ? {} : { path: this.#path };
  }

  #checkMember(member: FieldInfo | MethodInfo, what: 'field' | 'method'): void {
    this.#path = `${member.name}${what === 'field' ? ' ' : ''}${member.descriptor}`;
    const wrong = notDescriptor(member.descriptor, what);
    if (wrong !== undefined) this.#bad('class-file-bad-reference', member.offset + 4, wrong);
    for (const attribute of member.attributes) this.#checkAttribute(attribute);
  }

  #checkMethod(method: MethodInfo): void {
    const without = (method.access & (ACCESS.abstract | ACCESS.native)) !== 0;
    if ((method.attribute('Code') === undefined) !== without)
      this.#bad(
        'class-file-damaged',
        method.offset,
        `expected ${without ? 'no code in' : 'code in'} ${this.#path}, found ${without ? 'code' : 'none'}`,
      );
  }

  #checkAttribute(raw: RawAttribute): void {
    if (raw.name === '') {
      const message = `expected the name of an attribute, found #${raw.nameIndex}`;
      this.#bad('class-file-bad-reference', raw.offset - ATTRIBUTE_HEAD, message);
      return;
    }
    const attribute = attempt(() => decodeAttribute(this.#file.pool, raw));
    if (attribute instanceof FormatError) {
      this.log.add({ ...damageOf(attribute), ...this.#place() });
      return;
    }
    this.#checkContents(attribute, raw);
  }

  #checkContents(attribute: Attribute, raw: RawAttribute): void {
    switch (attribute.kind) {
      case 'Code': {
        const { code } = attribute;
        for (const each of code.attributes) this.#checkAttribute(each);
        for (const problem of checkCode(code)) this.log.add({ ...problem, ...this.#place() });
        return;
      }
      case 'Record':
        for (const { attributes } of attribute.components) for (const each of attributes) this.#checkAttribute(each);
        return;
      case 'ConstantValue':
        this.#checkTag(attribute.index, CONSTANT_VALUES, raw.offset);
        return;
      case 'EnclosingMethod':
        if (attribute.method !== 0) this.#checkTag(attribute.method, [TAG.nameAndType], raw.offset + 2);
        return;
      case 'BootstrapMethods':
        for (const { handle, arguments: constants } of attribute.methods) {
          this.#checkTag(handle, [TAG.methodHandle], raw.offset);
          for (const index of constants) this.#checkTag(index, LOADABLE, raw.offset);
        }
        return;
      case 'AnnotationDefault':
        this.#checkValue(attribute.value, raw.offset);
        return;
      case 'RuntimeVisibleAnnotations':
      case 'RuntimeInvisibleAnnotations':
      case 'RuntimeVisibleTypeAnnotations':
      case 'RuntimeInvisibleTypeAnnotations':
        this.#checkAnnotations(attribute.annotations, raw.offset);
        return;
      case 'RuntimeVisibleParameterAnnotations':
      case 'RuntimeInvisibleParameterAnnotations':
        this.#checkAnnotations(attribute.parameters.flat(), raw.offset);
        return;
      default:
    }
  }

  #checkTag(index: number, tags: readonly number[], offset: number): void {
    const tag = this.#file.pool.tag(index);
    if (tags.includes(tag)) return;
    const expected = `expected a constant pool entry of tag ${tags.join(' or ')}`;
    this.#bad('class-file-bad-reference', offset, `${expected}, found #${index}, tag ${tag}`);
  }

  #checkAnnotations(annotations: readonly Annotation[], offset: number): void {
    for (const { elements } of annotations) for (const { value } of elements) this.#checkValue(value, offset);
  }

  /** The decoder limits how deep values nest. */
  #checkValue(value: ElementValue, offset: number): void {
    if (value.kind === 'constant') this.#checkTag(value.index, [CONSTANT_TAGS[value.tag] ?? TAG.integer], offset);
    else if (value.kind === 'annotation') this.#checkAnnotations([value.annotation], offset);
    else if (value.kind === 'array') for (const each of value.values) this.#checkValue(each, offset);
  }
}

const CONSTANT_TAGS: Readonly<Record<string, number>> = { D: TAG.double, F: TAG.float, J: TAG.long, s: TAG.utf8 };
