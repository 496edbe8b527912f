/** What a view is: the options of a question, the subjects it is asked of, and the code that answers. */
import { z } from 'zod';
import type { ExecutedGroups } from '../analysis/coverage/executed.js';
import type { ProfiledClasses } from '../analysis/places/sites.js';
import { UsageError } from '../base/errors.js';
import { usingPattern } from '../base/pattern.js';
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ClassPath } from '../code/java/class-path/class-path.js';
import type { ClassSet } from '../code/java/class-path/class-set.js';
import type { Locks } from '../models/locks/locks.js';
import type { Profile } from '../models/profile/profile.js';
import type { SourceFinder, SourceText } from '../models/program/code.js';
import { findFunctions } from '../models/program/names.js';
import type { FunctionId, Program } from '../models/program/program.js';
import type { Recording } from '../models/recording.js';

/** Which rows of a listing are wanted; a limit of 0 means all. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Key of a column: numbers fall, text rises; with a leading `-` the other way round. */
  readonly sort?: string;
}

/** What lies beside the recordings of a session and tells of their code. */
export interface CodeLibrary {
  readonly classes?: ClassPath;
  /** Of the program that was recorded, where `classes` are those of a newer one. */
  readonly oldClasses?: ClassPath;
  readonly sources?: SourceFinder;
}

/** The part of the library that a question needs, in memory. */
export interface Code {
  readonly classes?: ClassSet;
  readonly oldClasses?: ClassSet;
  /** Packages that the class path has anything of, and the old one. */
  readonly packages?: ReadonlySet<string>;
  readonly oldPackages?: ReadonlySet<string>;
  readonly source?: SourceText;
  /** What ran, counted while the classes were read. */
  readonly executed?: ExecutedGroups;
}

/** A recording and what of it the scope left. */
export interface Subject {
  readonly recording: Recording;
  readonly profile: Profile | undefined;
  /** Number of the dump that the scope asks for, from 1 on; undefined where it does not. */
  readonly dump: number | undefined;
}

/** Everything a view may look at. The scope is already applied to `profile` and `locks`. */
export interface ViewInput extends Subject {
  /** Of the dumps in the scope. */
  readonly locks: Locks | undefined;
  /** What the recording is compared with, under its own scope. */
  readonly base?: Subject;
  /** Further runs of what `recording` and `base` are one run of. */
  readonly runs: readonly Subject[];
  readonly baseRuns: readonly Subject[];
  readonly page: Page;
  /** Tables of events that the scope could not be applied to; `locks` where that is so of the locks. */
  readonly unscoped: ReadonlySet<string>;
  /** What the scope did, in words for the notes of the result. */
  readonly scopeNotes: readonly string[];
  /** All problems of the recording, those that only a check finds included. Made once. */
  readonly problems: () => Problems;
  /** What `prepare` of the view took from the library. */
  readonly code: Code;
  readonly work: Work;
}

export interface ViewDefinition<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape> {
  readonly name: Name;
  /** Raised whenever the shape changes incompatibly. */
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  /** Everything of the result but its type and version. */
  readonly shape: Shape;
  /** Parts of a page that the order of the rows leaves no room for; asking for one is a usage error. */
  readonly refuses?: readonly ('sort' | 'offset')[];
  /** Takes from the library what the answer needs of it. Absent where the view needs no code. */
  readonly prepare?: (
    input: Omit<ViewInput, 'code'>,
    options: z.output<Options>,
    library: CodeLibrary,
  ) => Promise<Code>;
  /** Whether it can be asked of several runs a side. */
  readonly takesRuns?: boolean;
  readonly answer: (input: ViewInput, options: z.output<Options>) => z.input<z.ZodObject<Shape>>;
}

export interface View<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape> {
  readonly name: Name;
  readonly version: number;
  readonly title: string;
  readonly options: Options;
  readonly result: z.ZodObject<Shape & { type: z.ZodLiteral<Name>; version: z.ZodLiteral<number> }>;
  /** Checks the options and answers. Throws `UsageError` for a question that the recording cannot answer. */
  readonly ask: (
    input: Omit<ViewInput, 'code'>,
    options: unknown,
    library: CodeLibrary,
  ) => Promise<{ type: Name; version: number } & z.input<z.ZodObject<Shape>>>;
}

export function defineView<Name extends string, Options extends z.ZodObject, Shape extends z.ZodRawShape>(
  definition: ViewDefinition<Name, Options, Shape>,
): View<Name, Options, Shape> {
  const { name, version, title, options, shape, refuses = [], takesRuns = false, prepare, answer } = definition;
  return {
    name,
    version,
    title,
    options,
    result: z.object({ type: z.literal(name), version: z.literal(version), ...shape }),
    ask: async (input, asked, library) => {
      if (refuses.includes('sort') && input.page.sort !== undefined)
        throw new UsageError(`the rows of ${name} have an order of their own and cannot be sorted`);
      if (refuses.includes('offset') && input.page.offset !== 0)
        throw new UsageError(`the rows of ${name} hang together and cannot be paged by an offset`, 'Raise the limit.');
      if (!takesRuns && input.runs.length + input.baseRuns.length > 0)
        throw new UsageError(`${name} compares one recording with one base`, '`diff` takes several runs a side.');
      const chosen = parseOptions(options, asked);
      const code = prepare === undefined ? {} : await prepare(input, chosen, library);
      return { type: name, version, ...answer({ ...input, code }, chosen) };
    },
  };
}

function parseOptions<Options extends z.ZodObject>(options: Options, asked: unknown): z.output<Options> {
  const parsed = options.safeParse(asked);
  if (parsed.success) return parsed.data;
  throw new UsageError(z.prettifyError(parsed.error));
}

/** The profile of a recording, or a usage error where it has none. */
export function requireProfile(input: Pick<ViewInput, 'profile' | 'recording'>): Profile {
  if (input.profile === undefined) throw new UsageError(`${input.recording.name} has no profile to answer this from`);
  return input.profile;
}

/** The functions that a person means by `text`; a usage error that calls them `noun` where it is no regular expression. */
export function functionsNamed(program: Program, text: string, noun: 'function' | 'method'): FunctionId[] {
  return usingPattern(`neither a ${noun} nor a regular expression: ${text}`, () => findFunctions(program, text));
}

/** The code that `load` takes of the class path; none where no classes or no profile were given. */
export async function codeOf(
  { profile, recording }: Omit<ViewInput, 'code'>,
  { classes }: CodeLibrary,
  load: (of: ProfiledClasses) => Promise<ClassSet>,
): Promise<Code> {
  if (classes === undefined || profile === undefined) return {};
  return { classes: await load({ profile, program: recording.program, classes }) };
}
