/**
 * Flame results as one self-contained HTML file: no server, no network, no second file. The page's policy allows only
 * its own script and style, by their hashes, and no connections.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { packageFile } from '../../base/package.node.js';
import { escapeMarkup } from '../../views/flame/svg.js';
import type { ResultOf } from '../../views/index.js';

/** Made by scripts/bundle.mjs. */
const SCRIPT = packageFile('dist/bundle/web/flame.js');
const STYLE = packageFile('dist/bundle/web/flame.css');

export interface PageOptions {
  /** Whether the page opens with the inverted graph; default: as the first result is. */
  readonly inverted?: boolean;
  /** Notes of what is not in the page. */
  readonly omitted?: readonly string[];
}

/** The page shows the first result, and offers the others and what can be derived from them. */
export function flameHtml(results: readonly ResultOf<'flame'>[], options: PageOptions = {}): string {
  const script = carried(readFileSync(SCRIPT, 'utf8'), 'script');
  const style = carried(readFileSync(STYLE, 'utf8'), 'style');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Its own script, to make large graphs beside the page.
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Compressed, the columns take a tenth; higher levels take longer and gain nothing. Base64 has no character that could end the element.
  const packed = gzipSync(JSON.stringify({ results, ...options }), { level: 4 }).toString('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Kansoku">
<title>Flame graph: ${escapeMarkup(results[0]?.recording ?? '')}</title>
<style>${style}</style>
</head>
<body>
<noscript>This flame graph is drawn by a script that the file carries; scripts are switched off here.</noscript>
<script type="application/gzip" id="flame-data">${packed}</script>
<script>${script}</script>
</body>
</html>
`;
}

function carried(text: string, name: 'script' | 'style'): string {
  if (text.toLowerCase().includes(`</${name}`)) throw new Error(`the bundled ${name} would end its own element`);
  return text;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
