/** How events of JFR become events of the house's kinds: a line or two a type, nothing else. */
import type { Metric } from '../../../models/profile/profile.js';
import type { Contract } from '../../../models/table-kind.js';
import type { MetaType } from '../chunk/metadata.js';
import type { Facts } from './facts.js';

/** An event type that becomes rows of a kind. */
export interface KindSource {
  /** Name of the type: `jdk.ExecutionSample`. */
  readonly type: string;
  /** By key of the kind's field. */
  readonly columns: Readonly<Record<string, ColumnSource>>;
}

/**
 * The field of the event, with dots for fields of fields, whose rows are -1 where an event lacks it; or a number or a text for all rows; a
 * field with the number of events that lack it, or with the numbers of its texts (0 for any other text);
 * a stack without a function of the recorder.
 */
export type ColumnSource = string | number | { readonly text: string } | OptionalNumber | Words | HookedStack;

export interface OptionalNumber {
  readonly field: string;
  readonly otherwise: number;
}

export interface Words {
  readonly field: string;
  readonly words: Readonly<Record<string, number>>;
}

/** A stack that begins in a function of the recorder, which stands in for the one that the program called. */
export interface HookedStack {
  readonly field: string;
  readonly isWithoutHook: true;
}

/** The field that a column comes from. */
export function fieldOf(source: ColumnSource): string | undefined {
  if (typeof source === 'string') return source;
  return typeof source === 'object' && 'field' in source ? source.field : undefined;
}

export interface KindOfEvents {
  readonly kind: Contract;
  /** In the order of their rows. */
  readonly sources: readonly KindSource[];
  /** Of types that are in no list: the source of one that belongs to the kind. Asked after `sources`. */
  readonly sourceOf?: (type: MetaType) => KindSource | undefined;
  readonly metrics: readonly Metric[];
  /**
   * Fills in what follows from several rows; gets all columns of the kind that the recording has, what it says of itself, and the columns
   * of threads and of kinds without `complete`.
   */
  readonly complete?: (
    columns: KindColumns,
    facts: Facts,
    others: (kind: string) => Readonly<KindColumns> | undefined,
  ) => void;
}

/** By key of the field. */
export type KindColumns = Record<string, Int32Array | Float64Array>;

/** Events that the recorder writes together have one time: the number of their moment, from 0 on. */
export function batchesOf(times: Int32Array | Float64Array): Int32Array {
  const moments = [...new Set(times)].sort((a, b) => a - b);
  const numbers = new Map(moments.map((time, number) => [time, number]));
  return Int32Array.from(times, (time) => numbers.get(time) ?? 0);
}
