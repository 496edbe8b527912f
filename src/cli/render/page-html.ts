/**
 * Results as one self-contained HTML file: no server, no network, no second file. The page's policy allows only its own script and
 * style, by their hashes, and no connections.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../../base/digest.node.js';
import { htmlFile } from '../../pictures/markup.js';

/** A page that scripts/bundle.mjs makes. */
export interface PageKind {
  /** Its data is in the element `ID-data`. */
  readonly id: string;
  /** Its picture in words: `flame graph`. */
  readonly what: string;
  /** Paths of the bundled files. */
  readonly script: string;
  readonly style: string;
  /** Whether it asks the server that it comes from. */
  readonly asksServer?: boolean;
}

/** The page of a kind with its data, which becomes JSON; `recording` names what it shows. */
export function pageHtml(
  { id, what: subject, asksServer = false, ...files }: PageKind,
  recording: string,
  data: unknown,
): string {
  const script = carried(readFileSync(files.script, 'utf8'), 'script');
  const style = carried(readFileSync(files.style, 'utf8'), 'style');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Its own script, to make large pictures beside the page.
    'worker-src blob:',
    `connect-src ${asksServer ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Compressed, the columns take a tenth; higher levels take longer and gain nothing. Base64 has no character that could end the element.
  const packed = gzipSync(JSON.stringify(data), { level: 4 }).toString('base64');
  return htmlFile({ title: `${subject[0]?.toUpperCase() ?? ''}${subject.slice(1)}: ${recording}`, policy, style }, [
    `<noscript>This ${subject} is drawn by a script that the file carries; scripts are switched off here.</noscript>`,
    `<script type="application/gzip" id="${id}-data">${packed}</script>`,
    `<script>${script}</script>`,
  ]);
}

/** The policy of a page without scripts. */
export function stylePolicy(style: string): string {
  return `default-src 'none'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
}

function carried(text: string, name: 'script' | 'style'): string {
  if (text.toLowerCase().includes(`</${name}`)) throw new Error(`the bundled ${name} would end its own element`);
  return text;
}

function hashOf(text: string): string {
  return `sha256-${sha256().update(text).digest('base64')}`;
}
