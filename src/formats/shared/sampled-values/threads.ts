/** Threads of profiles whose recorders label each sample with one: Parca, Datadog, async-profiler, OpenTelemetry. The labels stay fields, too. */
import { IntTable } from '../../../base/columns/hash.js';
import { decodeUtf8 } from '../../../base/text.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { LabelField } from './labels.js';

const NAMES = ['thread_name', 'thread name', 'thread.name', 'thread'];
const NUMBERS = ['thread_id', 'thread id', 'thread.id', 'tid', 'thread native id'];

export interface LabelledThreads {
  /** By row: a thread, -1 of none. */
  readonly column: Int32Array;
  readonly rows: { readonly name: Int32Array; readonly native?: Float64Array };
}

/** The threads that labels name; undefined if none does. */
export function threadsOf(labels: readonly LabelField[], program: ProgramBuilder): LabelledThreads | undefined {
  const find = (names: readonly string[], holds: 'string' | 'number') =>
    labels.find(({ name, field }) => names.includes(name) && field.holds === holds);
  const names = find(NAMES, 'string');
  const numbers = find(NUMBERS, 'number');
  const digits = find(NUMBERS, 'string');
  const first = names ?? numbers ?? digits;
  if (first === undefined) return undefined;
  const threads = new IntTable(16);
  const native: number[] = [];
  const nameIds: number[] = [];
  const column = Int32Array.from(first.column, (_, row) => {
    const name = names?.column[row] ?? -1;
    const number = numbers?.column[row] ?? numberOf(program, digits?.column[row] ?? -1);
    if (name < 0 && !(number >= 0)) return -1;
    const id = Number.isSafeInteger(number) ? number : -1;
    const thread = threads.add(name, id < 0 ? -1 : Math.floor(id / 2 ** 32), id | 0);
    if (thread === native.length) {
      native.push(id);
      nameIds.push(name < 0 ? program.name(`thread ${id}`) : name);
    }
    return thread;
  });
  const hasNumbers = native.some((id) => id >= 0);
  return {
    column,
    rows: { name: Int32Array.from(nameIds), ...(hasNumbers ? { native: Float64Array.from(native) } : {}) },
  };
}

function numberOf({ names }: ProgramBuilder, id: number): number {
  if (id < 0) return Number.NaN;
  const text = decodeUtf8(names.bytes.bytes, names.offsets.values[id], names.offsets.values[id + 1]);
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
