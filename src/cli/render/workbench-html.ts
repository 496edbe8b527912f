/** The workbench as a page that asks a server for what it shows. */
import { packageFile } from '../../base/package.node.js';
import { type PageKind, pageHtml } from './page-html.js';

const PAGE: PageKind = {
  id: 'workbench',
  what: 'workbench',
  script: packageFile('dist/bundle/web/app.js'),
  style: packageFile('dist/bundle/web/app.css'),
  asksServer: true,
};

export function workbenchHtml(files: readonly string[]): string {
  return pageHtml(PAGE, files.join(' '), { carrier: 'http' });
}
