/** How events of JFR become events of the house's kinds: a line or two a type, nothing else. */
import type { Metric } from '../../../models/profile/profile.js';
import type { Contract } from '../../../models/table-kind.js';

/** An event type that becomes rows of a kind. */
export interface KindSource {
  /** Name of the type: `jdk.ExecutionSample`. */
  readonly type: string;
  /**
   * By key of the kind's field: the field of the event, with dots for fields of fields; or a number or a text for all rows. Rows have -1
   * where an event lacks the field.
   */
  readonly columns: Readonly<Record<string, string | number | { readonly text: string }>>;
}

export interface KindOfEvents {
  readonly kind: Contract;
  /** In the order of their rows. */
  readonly sources: readonly KindSource[];
  readonly metrics: readonly Metric[];
  /** Fills in what follows from several rows; gets all columns of the kind that the recording has. */
  readonly complete?: (columns: Record<string, Int32Array | Float64Array>) => void;
}
