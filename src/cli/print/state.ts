/** What commands change for the ones after them. */
import type { ViewMode } from '../../models/scope.js';
import type { BaseMetric, ShownMetric, Sorting } from './metrics.js';

export interface PrintState {
  readonly bases: readonly BaseMetric[];
  metrics: readonly ShownMetric[];
  sorting: Sorting;
  /** Rows of lists; 0 is all. */
  limit: number;
  mode: ViewMode;
  names: { readonly long: boolean; readonly library: boolean };
}
