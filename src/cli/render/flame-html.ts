/** Flame results as a page. */
import { packageFile } from '../../base/package.node.js';
import type { ResultOf } from '../../views/index.js';
import { type PageKind, pageHtml } from './page-html.js';

const PAGE: PageKind = {
  id: 'flame',
  what: 'flame graph',
  script: packageFile('dist/bundle/web/flame.js'),
  style: packageFile('dist/bundle/web/flame.css'),
};

export interface PageOptions {
  /** Whether the page opens with the inverted graph; default: as the first result is. */
  readonly inverted?: boolean;
  /** Notes of what is not in the page. */
  readonly omitted?: readonly string[];
  /** Options that the scope was given with, for the command that the page copies. */
  readonly scopeWords?: readonly string[];
}

/** The page shows the first result, and offers the others and what can be derived from them. */
export function flameHtml(results: readonly ResultOf<'flame'>[], options: PageOptions = {}): string {
  return pageHtml(PAGE, results[0]?.recording ?? '', { results, ...options });
}
