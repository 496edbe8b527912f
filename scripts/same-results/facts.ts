/** Facts about an input, found by asking and filled into the lines of the templates. */
import { z } from 'zod';
import type { Input } from './inputs.js';

/** The used parts of the answers; docs/schema describes their shapes. */
const Answer = z.object({
  type: z.string(),
  format: z.string().optional(),
  metrics: z.array(z.object({ id: z.string() })).optional(),
  columns: z.array(z.object({ key: z.string() })).optional(),
  rows: z.array(z.record(z.string(), z.unknown())).optional(),
});
const Answers = z.union([Answer, z.array(Answer).min(1)]);

export class Facts {
  /** The id of the format; `several` recordings, or `none` that is read. */
  format: string;
  metrics: readonly string[];
  /** Command → keys of the columns of its answer. */
  readonly columns: Map<string, readonly string[]>;
  /** Commands that answered their plain line. */
  readonly answered = new Set<string>();
  readonly #names: Map<string, string>;

  /** Begins with what `known` holds. */
  constructor(known?: Facts) {
    this.format = known?.format ?? 'none';
    this.metrics = known?.metrics ?? [];
    this.columns = new Map(known?.columns);
    this.#names = known === undefined ? new Map() : new Map(known.#names);
  }

  /** Takes from the JSON answer of `command` what later lines can use. */
  learn(command: string, json: string): void {
    const answers = Answers.safeParse(parsed(json));
    if (!answers.success) return;
    const first = Array.isArray(answers.data) ? answers.data[0] : answers.data;
    if (first === undefined) return;
    if (command === 'summary') this.format = Array.isArray(answers.data) ? 'several' : (first.format ?? 'none');
    if (first.metrics !== undefined) this.metrics = first.metrics.map(({ id }) => id);
    if (first.columns !== undefined)
      this.columns.set(
        command,
        first.columns.map(({ key }) => key),
      );
    // The second row: patterns of the first would often match all there is.
    const row = first.rows?.[1] ?? first.rows?.[0];
    this.#name('function', row?.method ?? row?.function);
    this.#name('class', row?.class);
    if (command === 'threads') this.#name('thread', row?.name);
  }

  name(kind: string): string {
    return this.#names.get(kind) ?? `no.such.${kind}`;
  }

  #name(kind: string, value: unknown): void {
    if (typeof value === 'string' && value !== '' && !this.#names.has(kind)) this.#names.set(kind, value);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A refusal, or rows as lines: nothing to learn.
    return undefined;
  }
}

/** What stands for itself in the lines: folders. */
export interface Places {
  readonly examples: string;
  /** Home of a JDK. */
  readonly jdk: string | undefined;
}

export interface Neighbours {
  readonly next: Input;
  readonly other: Input | undefined;
}

/** The lines that `line` stands for, with columns and metrics filled in. */
export function expand(line: string, command: string, facts: Facts): string[] {
  if (line.includes('{column}'))
    return (facts.columns.get(command) ?? []).map((column) => line.replaceAll('{column}', column));
  if (line.includes('{metric}')) return facts.metrics.map((metric) => line.replaceAll('{metric}', metric));
  return [line];
}

/** The words of an expanded line, undefined if this input has no value for it. */
export function wordsOf(
  line: string,
  input: Input,
  facts: Facts,
  { next, other }: Neighbours,
  { examples, jdk }: Places,
): string[] | undefined {
  const values: Readonly<Record<string, string | undefined>> = {
    file: input.path,
    next: next.path,
    other: other?.path,
    own: input.own ? input.path : undefined,
    examples,
    jdk,
    empty: '',
  };
  let missing = false;
  const words = line.split(' ').filter((word) => word !== '');
  const filled = words.map((word) =>
    word.replace(/\{(\w+?)(Pattern)?\}/g, (_, name: string, pattern: string | undefined) => {
      const value = name in values ? values[name] : facts.name(name);
      missing ||= value === undefined;
      return pattern === undefined ? (value ?? '') : (value ?? '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    }),
  );
  return missing ? undefined : filled;
}
