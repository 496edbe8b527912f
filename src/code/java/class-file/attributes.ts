/**
 * Contents of attributes (JVMS 4.7), all attributes of version 69; others are kept by name and extent. Sizes are
 * checked against the attribute before use.
 */
import type { FormatError } from '../../../base/errors.js';
import { decodeUtf8 } from '../../../base/text.js';
import {
  type Annotation,
  annotation,
  type ElementValue,
  elementValue,
  type TypeAnnotation,
  typeAnnotation,
} from './annotations.js';
import { Code } from './code.js';
import type { ConstantPool } from './constant-pool.js';
import { attempt, Cursor } from './cursor.js';
import { type LineEntry, type LocalVariable, lineEntries, localVariables } from './debug-tables.js';
import { type ModuleAttribute, moduleAttribute, packageNamed } from './module-attribute.js';
import { classNamed, classOrNone, type Named, named, namedOrNone } from './named.js';
import { listAttributes, type RawAttribute, walkAttributes } from './raw-attributes.js';
import { type StackMapFrame, stackMapFrames } from './stack-map.js';

export interface InnerClass {
  readonly inner: Named;
  /** undefined: not a member (local, anonymous). */
  readonly outer: Named | undefined;
  /** Simple name; undefined: anonymous. */
  readonly name: Named | undefined;
  readonly access: number;
}

/** A row of BootstrapMethods: a method handle and its static arguments, pool indexes. */
export interface BootstrapMethod {
  readonly handle: number;
  readonly arguments: readonly number[];
}

export interface RecordComponent {
  readonly name: Named;
  readonly descriptor: Named;
  readonly attributes: readonly RawAttribute[];
}

type Visibility = 'Visible' | 'Invisible';

export type Attribute =
  | { readonly kind: 'Code'; readonly code: Code }
  | { readonly kind: 'ConstantValue'; readonly index: number }
  | { readonly kind: 'StackMapTable'; readonly frames: readonly StackMapFrame[] }
  | { readonly kind: 'Exceptions'; readonly classes: readonly Named[] }
  | { readonly kind: 'InnerClasses'; readonly classes: readonly InnerClass[] }
  | {
      readonly kind: 'EnclosingMethod';
      readonly class: Named;
      /** Pool index of the method's name and type; 0: not in a method. */
      readonly method: number;
    }
  | { readonly kind: 'Synthetic' | 'Deprecated' }
  | { readonly kind: 'Signature' | 'SourceFile'; readonly value: Named }
  | { readonly kind: 'SourceDebugExtension'; readonly text: string }
  | { readonly kind: 'LineNumberTable'; readonly lines: readonly LineEntry[] }
  | { readonly kind: 'LocalVariableTable' | 'LocalVariableTypeTable'; readonly variables: readonly LocalVariable[] }
  | { readonly kind: `Runtime${Visibility}Annotations`; readonly annotations: readonly Annotation[] }
  | {
      readonly kind: `Runtime${Visibility}ParameterAnnotations`;
      readonly parameters: readonly (readonly Annotation[])[];
    }
  | { readonly kind: `Runtime${Visibility}TypeAnnotations`; readonly annotations: readonly TypeAnnotation[] }
  | { readonly kind: 'AnnotationDefault'; readonly value: ElementValue }
  | { readonly kind: 'BootstrapMethods'; readonly methods: readonly BootstrapMethod[] }
  | {
      readonly kind: 'MethodParameters';
      readonly parameters: readonly { readonly name: Named | undefined; readonly access: number }[];
    }
  | { readonly kind: 'Module'; readonly module: ModuleAttribute }
  | { readonly kind: 'ModulePackages'; readonly packages: readonly Named[] }
  | { readonly kind: 'ModuleMainClass' | 'NestHost'; readonly class: Named }
  | { readonly kind: 'NestMembers' | 'PermittedSubclasses'; readonly classes: readonly Named[] }
  | { readonly kind: 'Record'; readonly components: readonly RecordComponent[] }
  /** Not in JVMS: name and extent only. */
  | { readonly kind: 'unknown'; readonly name: string };

export type AttributeKind = Attribute['kind'];
export type AttributeOf<K extends AttributeKind> = Extract<Attribute, { readonly kind: K }>;

type Reader = (cursor: Cursor) => Attribute;

const READERS = new Map<string, Reader>([
  ['ConstantValue', (cursor) => ({ kind: 'ConstantValue', index: cursor.u2() })],
  ['StackMapTable', (cursor) => ({ kind: 'StackMapTable', frames: stackMapFrames(cursor) })],
  ['Exceptions', (cursor) => ({ kind: 'Exceptions', classes: classes(cursor) })],
  ['InnerClasses', (cursor) => ({ kind: 'InnerClasses', classes: cursor.list(cursor.count(8), () => inner(cursor)) })],
  ['EnclosingMethod', (cursor) => ({ kind: 'EnclosingMethod', class: classNamed(cursor), method: cursor.u2() })],
  ['Synthetic', () => ({ kind: 'Synthetic' })],
  ['Deprecated', () => ({ kind: 'Deprecated' })],
  ['Signature', (cursor) => ({ kind: 'Signature', value: named(cursor) })],
  ['SourceFile', (cursor) => ({ kind: 'SourceFile', value: named(cursor) })],
  ['SourceDebugExtension', (cursor) => ({ kind: 'SourceDebugExtension', text: restAsText(cursor) })],
  ['LineNumberTable', (cursor) => ({ kind: 'LineNumberTable', lines: lineEntries(cursor) })],
  ['LocalVariableTable', (cursor) => ({ kind: 'LocalVariableTable', variables: localVariables(cursor) })],
  ['LocalVariableTypeTable', (cursor) => ({ kind: 'LocalVariableTypeTable', variables: localVariables(cursor) })],
  ['AnnotationDefault', (cursor) => ({ kind: 'AnnotationDefault', value: elementValue(cursor) })],
  ['BootstrapMethods', (cursor) => ({ kind: 'BootstrapMethods', methods: bootstraps(cursor) })],
  ['MethodParameters', (cursor) => ({ kind: 'MethodParameters', parameters: parameters(cursor) })],
  ['Module', (cursor) => ({ kind: 'Module', module: moduleAttribute(cursor) })],
  ['ModulePackages', (cursor) => ({ kind: 'ModulePackages', packages: packages(cursor) })],
  ['ModuleMainClass', (cursor) => ({ kind: 'ModuleMainClass', class: classNamed(cursor) })],
  ['NestHost', (cursor) => ({ kind: 'NestHost', class: classNamed(cursor) })],
  ['NestMembers', (cursor) => ({ kind: 'NestMembers', classes: classes(cursor) })],
  ['PermittedSubclasses', (cursor) => ({ kind: 'PermittedSubclasses', classes: classes(cursor) })],
  ['Record', (cursor) => ({ kind: 'Record', components: cursor.list(cursor.count(6), () => component(cursor)) })],
  ...(['Visible', 'Invisible'] as const).flatMap((visibility): [string, Reader][] => [
    [
      `Runtime${visibility}Annotations`,
      (cursor) => ({ kind: `Runtime${visibility}Annotations`, annotations: annotations(cursor) }),
    ],
    [
      `Runtime${visibility}ParameterAnnotations`,
      (cursor) => ({
        kind: `Runtime${visibility}ParameterAnnotations`,
        parameters: cursor.list(cursor.count(2, 1), () => annotations(cursor)),
      }),
    ],
    [
      `Runtime${visibility}TypeAnnotations`,
      (cursor) => ({
        kind: `Runtime${visibility}TypeAnnotations`,
        annotations: cursor.list(cursor.count(4), () => typeAnnotation(cursor)),
      }),
    ],
  ]),
]);

/** Decodes an attribute. Throws FormatError with the offset if its contents are invalid. */
export function decodeAttribute(pool: ConstantPool, raw: RawAttribute): Attribute {
  if (raw.name === 'Code') return { kind: 'Code', code: new Code(pool, raw) };
  const read = READERS.get(raw.name);
  if (read === undefined) return { kind: 'unknown', name: raw.name };
  const cursor = new Cursor(pool, raw.name, raw.offset, raw.offset + raw.length);
  const attribute = read(cursor);
  cursor.finish();
  return attribute;
}

/** The first attribute of a kind, decoded; undefined if there is none, the error if it is damaged. */
export function attributeOf<K extends AttributeKind>(
  holder: { readonly attributes: readonly RawAttribute[] },
  pool: ConstantPool,
  kind: K,
): AttributeOf<K> | FormatError | undefined {
  const raw = holder.attributes.find(({ name }) => name === kind);
  if (raw === undefined) return undefined;
  const decoded = attempt(() => decodeAttribute(pool, raw));
  if (decoded instanceof Error) return decoded;
  return isKind(decoded, kind) ? decoded : undefined;
}

function isKind<K extends AttributeKind>(attribute: Attribute, kind: K): attribute is AttributeOf<K> {
  return attribute.kind === kind;
}

function classes(cursor: Cursor): Named[] {
  return cursor.list(cursor.count(2), () => classNamed(cursor));
}

function packages(cursor: Cursor): Named[] {
  return cursor.list(cursor.count(2), () => packageNamed(cursor));
}

function inner(cursor: Cursor): InnerClass {
  return { inner: classNamed(cursor), outer: classOrNone(cursor), name: namedOrNone(cursor), access: cursor.u2() };
}

function restAsText(cursor: Cursor): string {
  const from = cursor.at;
  cursor.at = cursor.end;
  return decodeUtf8(cursor.pool.bytes, from, cursor.end);
}

function annotations(cursor: Cursor): Annotation[] {
  return cursor.list(cursor.count(4), () => annotation(cursor));
}

function bootstraps(cursor: Cursor): BootstrapMethod[] {
  return cursor.list(cursor.count(4), () => {
    return { handle: cursor.u2(), arguments: cursor.list(cursor.count(2), () => cursor.u2()) };
  });
}

function parameters(cursor: Cursor): { name: Named | undefined; access: number }[] {
  return cursor.list(cursor.count(4, 1), () => ({ name: namedOrNone(cursor), access: cursor.u2() }));
}

function component(cursor: Cursor): RecordComponent {
  const [name, descriptor] = [named(cursor), named(cursor)];
  const table = walkAttributes(cursor.pool, cursor.at, cursor.end);
  if (table.damage !== undefined) throw table.damage;
  cursor.at = table.end;
  return { name, descriptor, attributes: listAttributes(cursor.pool, table) };
}
