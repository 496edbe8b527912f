/** Errors about a question that does not fit its schema: they name the place, and what was probably meant. */
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import { closestName } from '../base/parsing/closest-name.js';

/** Longest part of a question that an error repeats, in characters. */
const LONGEST_QUOTE = 60;

/** The value that fits the schema. Throws `UsageError`; `subject` names what the value is. */
export function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown, subject: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined
    ? new UsageError(`${subject}: invalid`, { code: 'question-invalid' })
    : refusal(issue, schema, value, subject);
}

/** The error for a name that is none of the known ones. */
export function unknownName(noun: string, name: string, names: readonly string[]): UsageError {
  const nearest = closestName(name, names);
  return new UsageError(`unknown ${noun} ${quoted(name)}`, {
    code: 'unknown-name',
    advice: nearest === undefined ? `Expected one of: ${names.join(', ')}.` : `Did you mean ${nearest}?`,
  });
}

function refusal(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, subject: string): UsageError {
  const place = [subject, ...issue.path.map(String)].join(' › ');
  if (issue.code === 'unrecognized_keys')
    return unknownName(`field of ${place}:`, issue.keys[0] ?? '', keysAt(schema, issue.path, value));
  const wrongValue = valueAt(value, issue.path);
  if (issue.code === 'invalid_value' && typeof wrongValue === 'string')
    return unknownName(`value of ${place}:`, wrongValue, issue.values.map(String));
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined && typeof wrongValue === 'string') {
    const [key, path] = [issue.discriminator, issue.path.slice(0, -1)];
    return unknownName(`${key} of ${[subject, ...path].join(' › ')}:`, wrongValue, optionsAt(schema, path, key));
  }
  return new UsageError(`${place}: ${issue.message}; found ${quoted(wrongValue)}`, { code: 'question-invalid' });
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** The schemas of the part at a path; several where it is a union. */
function schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.core.$ZodType[] {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return schemasAt(schema.def.innerType, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => schemasAt(option, path));
  if (key === undefined) return [schema];
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, rest);
  if (schema instanceof z.ZodObject) {
    const field: unknown = schema.shape[String(key)];
    return field instanceof z.ZodType ? schemasAt(field, rest) : [];
  }
  return [];
}

/** The keys that the object at a path may have. Of a union with kinds, those of its kind. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const kind = valueAt(valueAt(value, path), ['kind']);
  const objects = schemasAt(schema, path).filter((each) => each instanceof z.ZodObject);
  const fits = (object: z.ZodObject): boolean => {
    const field: unknown = object.shape.kind;
    return !(field instanceof z.ZodType) || field.safeParse(kind).success;
  };
  return objects.filter(fits).flatMap(({ shape }) => Object.keys(shape));
}

/** The values of a key that tells the members of a union apart. */
function optionsAt(schema: z.ZodType, path: readonly PropertyKey[], key: string): string[] {
  return schemasAt(schema, path).flatMap((each) => {
    const field: unknown = each instanceof z.ZodObject ? each.shape[key] : undefined;
    if (field instanceof z.ZodLiteral) return [...field.values].map(String);
    return field instanceof z.ZodEnum ? field.options.map(String) : [];
  });
}
