/** Which pages of events are read alone. */
import type { ScopeStep } from '../../models/scope.js';
import type { Page } from '../question.js';

/** Events of larger pages are in so many places that all are read. */
const MOST = 1000;

/**
 * How many events of each type a page needs, if those are the first ones in the order of time; else undefined. Further pages need all
 * events, which a session keeps.
 */
export function firstEvents({ limit, offset, sort }: Page, scope: readonly ScopeStep[]): number | undefined {
  const isFirst = scope.length === 0 && sort === undefined && offset === 0;
  return isFirst && limit > 0 && limit <= MOST ? limit : undefined;
}
