/** A timeline result as a page. */
import { packageFile } from '../../base/package.node.js';
import type { ResultOf } from '../../views/index.js';
import { type PageKind, pageHtml } from './page-html.js';

const PAGE: PageKind = {
  id: 'timeline',
  what: 'timeline',
  script: packageFile('dist/bundle/web/timeline.js'),
  style: packageFile('dist/bundle/web/timeline.css'),
};

/** The page of a result with rows; `scopeWords` are the options of its scope, for the command that the page shows. */
export function timelineHtml(result: ResultOf<'timeline'>, scopeWords: readonly string[] = []): string {
  return pageHtml(PAGE, result.recording, { ...result, scopeWords });
}
