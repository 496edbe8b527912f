/** Options of questions that recordings of any kind can answer. */
import { z } from 'zod';
import { choice, count, flag, optionalChoice, optionalText, text, texts } from './option.js';
import { DEPTH, DURATIONS, ERROR, IDS, INVERTED, METRIC } from './shared.js';

export const CODE_GROUPS = ['line', 'place', 'object'] as const;
export type CodeGroup = (typeof CODE_GROUPS)[number];

/** The rows of `functions`: functions, or parts of their code. */
export const FUNCTION_GROUPS = ['function', ...CODE_GROUPS] as const;
export type FunctionGroup = (typeof FUNCTION_GROUPS)[number];

export const SITE_GROUPS = ['site', 'class', 'method'] as const;
export type SiteGroup = (typeof SITE_GROUPS)[number];

export const GC_GROUPS = ['all', 'collector', 'cause', 'pause', 'phase', 'concurrent'] as const;
export type GcGroupsBy = (typeof GC_GROUPS)[number];

export const THREAD_GROUPS = ['stack', 'pool'] as const;
/** Groups of threads in questions: of dumps, of other recordings, or none. */
export const THREAD_GROUPINGS = [...THREAD_GROUPS, 'none'] as const;

/** The most parts of the time that a timeline has. */
export const MOST_BUCKETS = 10_000;

export const FUNCTIONS_OPTIONS = z.object({
  by: choice(FUNCTION_GROUPS, 'function', 'Group by', 'functions, or their lines, places or load objects', 'rows'),
  also: texts(
    'Further metrics',
    'columns of further metrics, joined by commas; IPC, CPI of hardware counters',
    'metrics',
  ),
  metric: METRIC,
  error: ERROR,
  durations: DURATIONS,
  ids: IDS,
});

export const CALLERS_OPTIONS = z.object({
  function: text(
    'Function',
    'name, Class.method, or a regular expression; a fragment of stacks as "caller -> callee"',
    'function',
  ),
  metric: METRIC,
  error: ERROR,
  ids: IDS,
});

export const TREE_OPTIONS = z.object({
  inverted: INVERTED,
  depth: DEPTH,
  metric: METRIC,
  error: ERROR,
  durations: DURATIONS,
  ids: IDS,
});

export const FLAME_OPTIONS = z.object({
  metric: METRIC,
  inverted: INVERTED,
  depth: DEPTH,
  minShare: z.number().min(0).max(1).default(0).meta({
    title: 'Least share',
    description: 'omit frames below this share of the total',
    value: 'percent',
    unit: 'ratio',
    usual: '0, for SVG 0.1',
  }),
  normalise: flag('Normalise', 'scale the base to the same total'),
  samples: z.boolean().default(false).describe('with the samples of each node over time'),
  handles: z.boolean().default(false).describe('with the handle of the path of each node'),
  mostFrames: z.number().int().min(0).optional().describe('of inverted trees: refuse more frames of all stacks'),
});

/** Which threads of a recording are one row: virtual ones by pool and first own method, all by pool, none. */
export const THREAD_ROWS = ['virtual', 'pool', 'none'] as const;
export type ThreadRowGroup = (typeof THREAD_ROWS)[number];

export const THREADS_OPTIONS = z.object({
  metric: METRIC,
  group: choice(
    THREAD_ROWS,
    'virtual',
    'Group by',
    'virtual threads by pool and first own method, all threads by pool, or none',
  ),
  order: z.enum(['time', 'given']).default('time').describe('of the dumps: by their times, or as they were given'),
});

export const THREAD_GROUPS_OPTIONS = z.object({
  by: choice(THREAD_GROUPS, 'stack', 'Group by', 'threads with the same stack and state pool by pool, or by pool'),
});

/** The rows of contention from single waits. */
export const WAIT_GROUPINGS = ['lock', 'site'] as const;
export type WaitGrouping = (typeof WAIT_GROUPINGS)[number];

export const MONITORS_OPTIONS = z.object({
  contention: flag('Contention', 'contention: where threads were blocked and for how long, if recorded'),
  by: choice(
    WAIT_GROUPINGS,
    'lock',
    'Group by',
    'rows of contention from single waits: locks, or lines that waited for locks of a class',
  ),
  ids: IDS,
});

/** What sites allocate: objects of the VM, or memory outside its heap. */
export const SITE_MEMORIES = ['objects', 'native'] as const;
export type SiteMemory = (typeof SITE_MEMORIES)[number];

export const SITES_OPTIONS = z.object({
  by: choice(SITE_GROUPS, 'site', 'Group by', 'rows: class and stack, class, or the method that allocates', 'rows'),
  memory: optionalChoice(SITE_MEMORIES, 'Memory', 'objects of the VM, or native memory', {
    value: 'kind',
    usual: 'objects, if the recording has their allocations',
  }),
});

/** What events belong to. */
export const INDEX_KINDS = [
  'process',
  'processor',
  'sample',
  'collection',
  'second',
  'size',
  'duration',
  'region',
  'task',
] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

export const INDEX_OPTIONS = z.object({
  by: z.enum(INDEX_KINDS).default('second').meta({
    title: 'Group by',
    description: 'what events belong to; one with a duration belongs to the second in which it ends',
    value: 'kind',
  }),
  metric: METRIC,
});

/** The rows of what the operating system counted. */
export const USAGE_GROUPS = ['process', 'sample'] as const;

export const USAGE_OPTIONS = z.object({
  by: choice(USAGE_GROUPS, 'process', 'Group by', 'rows: processes, or their samples'),
});

/** The rows of input and output: files, or each opening of one. */
export const FILE_GROUPS = ['file', 'opening'] as const;
export type FileGroup = (typeof FILE_GROUPS)[number];

export const IO_FILES_OPTIONS = z.object({
  by: choice(FILE_GROUPS, 'file', 'Group by', 'rows: files, or each opening of a file by its descriptor'),
});

export const GC_GROUPS_OPTIONS = z.object({
  by: choice(GC_GROUPS, 'all', 'Group by', 'sums and percentiles of pauses, or of parts of them', 'groups'),
});

export const TIMELINE_OPTIONS = z.object({
  buckets: count(100, 'Parts', 'number of equal parts of the time, a character each', 'parts', {
    least: 1,
    most: MOST_BUCKETS,
  }),
  rows: z.boolean().default(false).describe('with what the values are made of'),
});

const TYPES = z.array(z.string()).min(1).meta({
  title: 'Types',
  description: 'types, comma-separated: names, their last parts, or any unique part; * is all',
  value: 'types',
});
const SECRETS = flag('Secrets', 'show texts that look like passwords, tokens or keys');

export const EVENT_TYPES_OPTIONS = z.object({ all: flag('All', 'list the types without events, too') });

const CLOCK = flag('Time of day', 'show times of day beside times since the start, in the zone of the recording');

export const EVENTS_OPTIONS = z.object({
  types: TYPES,
  stack_depth: count(1, 'Stack depth', 'frames of each stack; 0 for all', 'frames'),
  clock: CLOCK,
  secrets: SECRETS,
  ids: IDS,
  after: z
    .record(z.string(), z.number().int().min(0))
    .optional()
    .describe('by type: only events with larger numbers, such as those that a growing recording got since'),
});

export const EVENT_GROUPS_OPTIONS = z.object({
  types: TYPES,
  by: z.array(z.string()).min(1).meta({
    title: 'Group by',
    description:
      'count the events by these fields, comma-separated; `type` is the type; a stack is its innermost frame; `time:1s` is by seconds, and so is any number by steps',
    value: 'fields',
  }),
  value: optionalText('Value', 'field to sum in groups', { value: 'field', usual: 'duration' }),
  clock: CLOCK,
  secrets: SECRETS,
});

const CODE_METRIC = optionalText('Metric', 'metric to show', {
  value: 'id',
  usual: 'calls for PGO profiles, else the usual metric',
});

export const SOURCE_OPTIONS = z.object({
  name: text('Name', 'a class or source file for the whole file, or a method or native function', 'name'),
  disasm: flag('Disassembly', 'show bytecode or machine code below each line'),
  metric: CODE_METRIC,
  error: ERROR,
});

export const DISASM_OPTIONS = z.object({
  method: text('Method', 'name, Class.method, Class.method(types), or a regular expression', 'method'),
  metric: CODE_METRIC,
  error: ERROR,
});
