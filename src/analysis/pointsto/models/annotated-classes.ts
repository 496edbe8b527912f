/** The classes that the annotations of a class and its members name. */
import type { Annotation, ElementValue } from '../../../code/java/class-file/annotations.js';
import { decodeAttribute } from '../../../code/java/class-file/attributes.js';
import type { ClassFile } from '../../../code/java/class-file/class-file.js';
import { attempt } from '../../../code/java/class-file/cursor.js';
import { referenceIn } from '../types.js';

/** Internal names: of the annotations, of classes that are values, and of enumerations whose constants are values. */
export interface AnnotatedClasses {
  readonly annotations: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  readonly enums: ReadonlySet<string>;
}

const NAMES: ReadonlySet<string> = new Set(['RuntimeVisibleAnnotations', 'AnnotationDefault']);

/** Also of the defaults of an annotation's own elements. Damaged annotations name none. */
export function annotatedClasses(file: ClassFile | undefined): AnnotatedClasses {
  const names = { annotations: new Set<string>(), classes: new Set<string>(), enums: new Set<string>() };
  if (file === undefined) return names;
  for (const { attributes } of [file, ...file.methods, ...file.fields])
    for (const raw of attributes) {
      if (!NAMES.has(raw.name)) continue;
      const attribute = attempt(() => decodeAttribute(file.pool, raw));
      if (attribute instanceof Error) continue;
      if (attribute.kind === 'AnnotationDefault') addValue(attribute.value, names);
      else if (attribute.kind === 'RuntimeVisibleAnnotations')
        for (const annotation of attribute.annotations) addAnnotation(annotation, names);
    }
  return names;
}

type Names = { readonly [Kind in keyof AnnotatedClasses]: Set<string> };

function addAnnotation({ type, elements }: Annotation, names: Names): void {
  addName(names.annotations, type.text);
  for (const { value } of elements) addValue(value, names);
}

function addValue(value: ElementValue, names: Names): void {
  if (value.kind === 'class') addName(names.classes, value.type.text);
  else if (value.kind === 'enum') addName(names.enums, value.type.text);
  else if (value.kind === 'annotation') addAnnotation(value.annotation, names);
  else if (value.kind === 'array') for (const each of value.values) addValue(each, names);
}

function addName(names: Set<string>, descriptor: string): void {
  const name = referenceIn(descriptor);
  if (name !== undefined) names.add(name);
}
