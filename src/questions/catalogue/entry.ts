/**
 * How a question of the catalogue is defined: what a person can ask, of which recordings, with which options, and the view that answers it of recordings
 * with these traits. Fronts make their commands, forms and tools of these definitions, and choose no view themselves.
 */
import type { z } from 'zod';
import type { ScopeStep } from '../../models/scope.js';
import type { ViewQuestion } from '../options/index.js';
import type { Traits } from './traits.js';

/** Recordings beside those that are asked: what they are compared with. */
export interface ComparedInput {
  /** The option that names them. */
  readonly key: 'base' | 'counts' | 'observed';
  /** What its value is, in a word. */
  readonly value: string;
  readonly description: string;
  readonly several?: boolean;
}

/** Paths of the recorded program that an answer can use. */
export interface CodeInput {
  /** The option that names them. */
  readonly key: 'classes' | 'oldClasses' | 'sourcePath';
  readonly description: string;
}

/**
 * Which parts of a page can be chosen: any rows in any order, rows in a fixed order, all from the first on in any order, or the number of rows only; of
 * code the same as of `rows`, with all of them as the usual number.
 */
export type PageChoice = 'sorted-rows' | 'rows' | 'sorted' | 'limit' | 'code' | 'none';

/** What is known beside the options when the view is chosen. */
export interface AskedWith {
  /** Of the recordings that are asked and those that they are compared with, in this order. */
  readonly traits: Traits;
  /** The option that named what they are compared with, if there is any. */
  readonly compared?: ComparedInput['key'];
}

export interface CatalogueEntry<Options extends z.ZodObject = z.ZodObject> {
  /** The words of its command, such as `heap dominators`; the name of the question for all fronts. */
  readonly id: string;
  /** What it answers, as the title of its help. */
  readonly title: string;
  /** The recordings it is asked of, in the words of its help. */
  readonly recordings: { readonly description: string; readonly several: boolean };
  /** The option that is given without its name, behind the recordings. */
  readonly subject?: string;
  /** What a person can choose; the keys are those of the options' views where they mean the same. */
  readonly options: Options;
  readonly compared: readonly ComparedInput[];
  /** Whether all recordings of a side are runs of one program, with one answer. */
  readonly takesRuns: boolean;
  readonly code: readonly CodeInput[];
  /** Whether class files may take the place of a recording: options of the analysis are beside those of the question. */
  readonly analyses: boolean;
  /** Whether answers name native functions, whose debug files may lie elsewhere. */
  readonly namesNative: boolean;
  readonly page: PageChoice;
  readonly hasScope: boolean;
  /** The kinds of scope steps that can mean something to it; all if not given. Questions refuse others, where their data have nothing to select by. */
  readonly steps?: readonly ScopeStep['kind'][];
  /** The view that answers, and its options. Throws `UsageError` if none does. */
  readonly view: (options: z.output<Options>, asked: AskedWith) => ViewQuestion;
  /** Command lines that can be tried in a clone. */
  readonly examples: readonly string[];
}

type Given<Options extends z.ZodObject> = Pick<
  CatalogueEntry<Options>,
  'id' | 'title' | 'options' | 'view' | 'examples'
> &
  Partial<CatalogueEntry<Options>>;

/** A question with a scope about the rows of several recordings, but where `entry` says otherwise. */
export function defineQuestion<Options extends z.ZodObject>(entry: Given<Options>): CatalogueEntry<Options> {
  return {
    recordings: ANY_RECORDINGS,
    compared: [],
    takesRuns: false,
    code: [],
    analyses: false,
    namesNative: false,
    page: 'sorted-rows',
    hasScope: true,
    ...entry,
  };
}

/** Steps for graphs of heaps: their objects have a dump, and no stack, thread or time. */
export const HEAP_STEPS = ['dump'] as const;
/** Steps for counts of PGO profiles, which have stacks, and no thread, time or dump. */
export const COUNT_STEPS = ['focus', 'ignore', 'hide', 'show', 'origin', 'filter'] as const;
/** Steps for collections and their pauses: they have a time, and belong to no thread. */
export const COLLECTION_STEPS = ['filter', 'time', 'at', 'during'] as const;
/** Steps for calls of files: they have stacks, threads and times. */
export const IO_STEPS = [
  'focus',
  'ignore',
  'hide',
  'show',
  'thread',
  'process',
  'origin',
  'filter',
  'time',
  'at',
  'during',
] as const;

export const ANY_RECORDINGS = { description: 'recordings', several: true };
export const ONE_RECORDING = { description: 'recording', several: false };

export const CLASSES: CodeInput = {
  key: 'classes',
  description: 'class path: directories, jars, JDKs, joined by : or repeated',
};
export const OLD_CLASSES: CodeInput = {
  key: 'oldClasses',
  description: 'classes that the profile was recorded with, for an exact answer; same syntax as --classes',
};
export const SOURCES: CodeInput = {
  key: 'sourcePath',
  description: 'source path: directories, jars, src.zip, JDKs, joined by : or repeated',
};

export const BASE: ComparedInput = { key: 'base', value: 'file', description: 'compare with this recording' };
