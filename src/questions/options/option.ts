/**
 * How an option of a question is defined: once, as a field of a zod schema with its title, meaning and unit. Commands, their help, the man page, forms,
 * tables of the documentation and the schemas for other programs are made of this definition.
 */
import { z } from 'zod';

// A question is checked once or twice in a process: zod would take longer to compile each schema than to walk it.
z.config({ jitless: true });

/** What is said of an option beside the type of its values. */
export interface OptionMeta {
  /** Name in a form. */
  readonly title: string;
  /** What the option does, as the rest of the sentence "With this option: …". */
  readonly description: string;
  /** What its value is, in a word, such as `levels`. */
  readonly value?: string;
  /** The unit of a number: a ratio is given in percent. */
  readonly unit?: 'ratio';
  /** What holds without the option, where the schema has no default that says so. */
  readonly usual?: string;
  /** Of a list: each value is an option of its own, since values may contain commas. */
  readonly repeats?: boolean;
  /** Of a flag that is usually set: what the question does without it. */
  readonly cleared?: string;
}

/** The definition of an option, as fronts need it. */
export interface OptionDefinition extends OptionMeta {
  readonly key: string;
  readonly type: 'flag' | 'number' | 'text' | 'list';
  /** Of numbers. */
  readonly isWhole: boolean;
  readonly least: number;
  readonly most: number;
  /** The values that there are; undefined if any is allowed. */
  readonly choices?: readonly string[];
  /** The value without the option; undefined if it has none. */
  readonly default?: unknown;
  readonly isRequired: boolean;
}

/** A switch, which is off. */
export function flag(title: string, description: string) {
  return z.boolean().default(false).meta({ title, description });
}

/** A switch that is usually on; `cleared` is what happens without it. */
export function clearedFlag(title: string, description: string, cleared: string) {
  return z.boolean().default(true).meta({ title, description, cleared });
}

/** One of several values; `usual` if none is given. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  usual: Values[number],
  title: string,
  description: string,
  value = 'group',
) {
  return z.enum(values).default(usual).meta({ title, description, value });
}

/** One of several values, or none. `usual` says what holds then. */
export function optionalChoice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  title: string,
  description: string,
  details: Pick<OptionMeta, 'value' | 'usual'> = {},
) {
  return z
    .enum(values)
    .optional()
    .meta({ title, description, value: 'group', ...details });
}

/** A text that the question needs. */
export function text(title: string, description: string, value: string) {
  return z.string().meta({ title, description, value });
}

export function optionalText(title: string, description: string, details: Pick<OptionMeta, 'value' | 'usual'> = {}) {
  return z
    .string()
    .optional()
    .meta({ title, description, value: 'text', ...details });
}

/** A number of things from `least` to `most`; 0 often means all. */
export function count(
  usual: number,
  title: string,
  description: string,
  value: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER } = {},
) {
  return z.number().int().min(least).max(most).default(usual).meta({ title, description, value });
}

/** Several texts. */
export function texts(title: string, description: string, value: string) {
  return z.array(z.string()).default([]).meta({ title, description, value });
}

/** Several texts that may contain commas. */
export function repeatedTexts(title: string, description: string, value: string) {
  return z.array(z.string()).default([]).meta({ title, description, value, repeats: true });
}

/** The definitions of the options of a schema, in its order. A field without a title is for programs only. */
export function optionDefinitions({ shape }: z.ZodObject): OptionDefinition[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const meta = field instanceof z.ZodType ? field.meta() : undefined;
    if (!(field instanceof z.ZodType) || typeof meta?.title !== 'string') return [];
    return [{ key, ...typeOf(field), ...metaOf(meta) }];
  });
}

function metaOf(meta: Readonly<Record<string, unknown>>): OptionMeta {
  const texts = ['title', 'description', 'value', 'usual', 'cleared'].flatMap((key) =>
    typeof meta[key] === 'string' ? [[key, meta[key]] as const] : [],
  );
  return {
    title: '',
    description: '',
    ...Object.fromEntries(texts),
    ...(meta.unit === 'ratio' && { unit: meta.unit }),
    ...(meta.repeats === true && { repeats: true }),
  };
}

type ValueType = Omit<OptionDefinition, 'key' | keyof OptionMeta>;

function typeOf(field: z.ZodType): ValueType {
  // Parsing would say so, too, but costs each start a compilation of the schema.
  const isRequired = !(field instanceof z.ZodDefault || field instanceof z.ZodOptional);
  const usual = field instanceof z.ZodDefault ? { default: field.def.defaultValue } : {};
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.def.innerType : field;
  const number = { isWhole: false, least: -Infinity, most: Infinity };
  const common = { isRequired, ...number, ...usual };
  if (inner instanceof z.ZodBoolean) return { ...common, type: 'flag' };
  if (inner instanceof z.ZodEnum) return { ...common, type: 'text', choices: inner.options.map(String) };
  if (inner instanceof z.ZodArray) {
    const { element } = inner;
    return { ...common, type: 'list', ...(element instanceof z.ZodEnum && { choices: element.options.map(String) }) };
  }
  if (inner instanceof z.ZodNumber) {
    const [least, most] = [inner.minValue ?? -Infinity, inner.maxValue ?? Infinity];
    return { ...common, type: 'number', isWhole: inner.isInt, least, most };
  }
  return { ...common, type: 'text' };
}
