/**
 * Defines views: the options of a question, its subjects, the stages with the values it needs, and the code that
 * answers.
 */
import { z } from 'zod';
import { functionsMeant } from '../analysis/identity/named-functions.js';
import type { ScopedRecording } from '../analysis/scope/scoped.js';
import { type ErrorDetails, UsageError } from '../base/errors.js';
import { usingPattern } from '../base/parsing/pattern.js';
import { joinedPhrases, phrase, theStep, theView } from '../base/phrase.js';
import type { Work } from '../base/progress.js';
import type { Get, StageUse, Subject } from '../models/open-recording.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { FunctionId, Program } from '../models/program/program.js';
import { fitting } from '../questions/refusal.js';

/** The rows of a listing to return; a limit of 0 means all. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Key of a column: numbers falling, text rising; a leading `-` reverses the order. */
  readonly sort?: string;
}

/** One side of a question: the recording within its scope, and the subject for further stages. */
export interface Side extends ScopedRecording {
  readonly subject: Subject;
}

const SELECTING = ['focus', 'ignore', 'hide', 'show', 'thread', 'process', 'origin', 'state', 'filter', 'time'];

/** The remedy for data without stacks, threads or times. */
export const WITHOUT_STEPS = {
  code: 'not-in-scope',
  advice: phrase`Omit the steps of the scope: ${joinedPhrases(
    SELECTING.map((kind) => theStep(kind)),
    ', ',
  )}, ${theStep('at')} and ${theStep('during')}.`,
  action: { omitSteps: [...SELECTING, 'at', 'during'] },
} as const satisfies ErrorDetails;

/** The input of a view. The scope is already applied. */
export interface ViewInput extends Side {
  /** The recording to compare with, within its own scope. */
  readonly base?: Side;
  /** Further runs on the side of `recording`, and of `base`. */
  readonly runs: readonly Side[];
  readonly baseRuns: readonly Side[];
  readonly page: Page;
  /**
   * A part of the answer that is made once for the question, whichever page is asked for: an order of rows, the changes of a comparison. `key`
   * names it within the view, `bytes` is its size.
   */
  readonly kept: <Value>(
    key: string,
    bytes: (value: Value) => number,
    make: (work: Work) => Value | Promise<Value>,
  ) => Promise<Value>;
  /** Class paths and source paths given with the recordings. */
  readonly library: CodeLibrary;
  readonly work: Work;
}

/** The stages that a view needs, by names of its own: a value, one for each of several subjects, or nothing. */
export type Needs = Readonly<Record<string, StageUse<unknown> | readonly StageUse<unknown>[] | undefined>>;

/** The values of the needed stages. */
export type StageValues<Of extends Needs> = { readonly [Key in keyof Of]: ValueOf<Of[Key]> };
type ValueOf<Need> =
  Need extends StageUse<infer Value>
    ? Value
    : Need extends readonly StageUse<infer Value>[]
      ? readonly Value[]
      : Need extends undefined
        ? undefined
        : never;

export interface ViewDefinition<
  Name extends string,
  Options extends z.ZodObject,
  Shape extends z.ZodRawShape,
  Of extends Needs,
> {
  readonly name: Name;
  /** Increased whenever the shape changes incompatibly. */
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  /** All fields of the result except type and version. */
  readonly shape: Shape;
  /** Page options this view rejects because its row order is fixed. */
  readonly refuses?: readonly ('sort' | 'offset')[];
  /** Whether it accepts several runs a side. */
  readonly takesRuns?: boolean;
  /** Whether it applies the scope to events that it reads itself; its input then has only the dump of the scope applied. */
  readonly scopesItself?: boolean;
  /** Whether its answers have no function, so that it does not wait for the names of native ones. */
  readonly withoutNames?: boolean;
  /** The stages that the answer is computed from; they may depend on the options and on the recording. */
  readonly needs?: (input: ViewInput, options: z.output<Options>) => Of;
  readonly answer: (input: ViewInput, options: z.output<Options>, values: StageValues<Of>) => Answer<Shape>;
}

type Answer<Shape extends z.ZodRawShape> = z.input<z.ZodObject<Shape>> | Promise<z.input<z.ZodObject<Shape>>>;

export interface View<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape> {
  readonly name: Name;
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  readonly scopesItself: boolean;
  readonly withoutNames: boolean;
  readonly result: z.ZodObject<Shape & { type: z.ZodLiteral<Name>; version: z.ZodLiteral<number> }>;
  /** The stages that the answer waits for, so that their cost is known before. Throws as `ask` does. */
  readonly needs: (input: ViewInput, options: unknown) => readonly StageUse<unknown>[];
  /** Checks the options and answers. Throws `UsageError` for a question that the recording cannot answer. */
  readonly ask: (
    input: ViewInput,
    options: unknown,
    get: Get,
  ) => Promise<{ type: Name; version: number } & z.input<z.ZodObject<Shape>>>;
}

export function defineView<
  Name extends string,
  Options extends z.ZodObject,
  Shape extends z.ZodRawShape,
  Of extends Needs,
>(definition: ViewDefinition<Name, Options, Shape, Of>): View<Name, Options, Shape> {
  const {
    name,
    version,
    title,
    options,
    shape,
    scopesItself = false,
    withoutNames = false,
    needs,
    answer,
  } = definition;
  const chosen = (input: ViewInput, data: unknown): z.output<Options> => {
    refuse(definition, input);
    return fittingOptions(options, data, `options of ${name}`);
  };
  return {
    name,
    version,
    title,
    options,
    scopesItself,
    withoutNames,
    result: z.object({ type: z.literal(name), version: z.literal(version), ...shape }),
    needs: (input, data) => Object.values(needs?.(input, chosen(input, data)) ?? {}).flatMap((need) => need ?? []),
    ask: async (input, data, get) => {
      const parsed = chosen(input, data);
      const values = await valuesOf<Of>(needs?.(input, parsed), get);
      return { type: name, version, ...(await answer(input, parsed, values)) };
    },
  };
}

/** The options, if all of them are options of the view. Only where one is not, a strict schema is made, which says so. */
function fittingOptions<Options extends z.ZodObject>(options: Options, data: unknown, subject: string) {
  const isOption = (key: string): boolean => Object.hasOwn(options.shape, key);
  if (typeof data === 'object' && data !== null && !Object.keys(data).every(isOption))
    fitting(options.strict(), data, subject);
  return fitting(options, data, subject);
}

/** Throws if the question has something that the view does not support. */
function refuse(
  {
    name,
    refuses = [],
    takesRuns = false,
  }: Pick<ViewDefinition<string, z.ZodObject, z.ZodRawShape, Needs>, 'name' | 'refuses' | 'takesRuns'>,
  { page, runs, baseRuns }: ViewInput,
): void {
  if (refuses.includes('sort') && page.sort !== undefined)
    throw new UsageError(`${name} has a fixed order and cannot be sorted`, { code: 'fixed-order' });
  if (refuses.includes('offset') && page.offset !== 0)
    throw new UsageError(`${name} is a tree: its rows cannot be paged with an offset`, {
      code: 'fixed-order',
      advice: 'Use a higher limit.',
    });
  if (!takesRuns && runs.length + baseRuns.length > 0)
    throw new UsageError(`${name} compares one recording with one base`, {
      code: 'one-base',
      advice: phrase`${theView('diff')} accepts several runs per side.`,
      action: { ask: theView('diff') },
    });
}

/** Gets one value after the other: stages share their inputs, and one at a time needs the least memory. */
async function valuesOf<Of extends Needs>(needs: Of | undefined, get: Get): Promise<StageValues<Of>> {
  const values: (readonly unknown[])[] = [];
  for (const [key, need] of Object.entries(needs ?? {})) {
    if (need === undefined || 'stage' in need) values.push([key, need && (await get(need))]);
    else {
      const several: unknown[] = [];
      for (const one of need) several.push(await get(one));
      values.push([key, several]);
    }
  }
  return Object.fromEntries(values);
}

/** The functions that `text` names, or that it is the handle of; a usage error that calls them `noun` if it is not a regular expression. */
export function functionsNamed(program: Program, text: string, noun: 'function' | 'method'): readonly FunctionId[] {
  return usingPattern(`neither a ${noun} nor a regular expression: ${text}`, () => functionsMeant(program, text));
}
