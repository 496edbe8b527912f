/** What pictures and pages have in common: texts, and the frames of SVG and HTML files. Pure. */
import { printable } from '../base/text.js';

/** Text between tags or in a quoted attribute, of HTML as of XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A text of an SVG picture; `attributes` begin with a blank. */
export function svgText(x: number, y: number, text: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes}>${escapeMarkup(printable(text))}</text>`;
}

/** What the frame of a picture needs. */
interface SvgFrame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
  readonly font: 'monospace' | 'sans-serif';
  /** Colours of texts, and of the ground. */
  readonly fill?: string;
  readonly background?: string;
  /** Further attributes of the root; they begin with a blank. */
  readonly attributes?: string;
  /** Elements that others refer to. */
  readonly definitions?: readonly string[];
}

/** An SVG 1.1 file with these elements. */
export function svgFile(frame: SvgFrame, elements: readonly string[]): string {
  const { width, height, title, description, font } = frame;
  const { fill = '#1a1a1a', background = '#ffffff', attributes = '', definitions = [] } = frame;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" font-family="${font}" font-size="11" fill="${fill}"${attributes}>`,
    `<title id="title">${escapeMarkup(printable(title))}</title>`,
    `<desc id="description">${escapeMarkup(printable(description))}</desc>`,
    ...definitions,
    `<rect width="100%" height="100%" fill="${background}"/>`,
    ...elements,
    '</svg>\n',
  ].join('\n');
}

/** A self-contained HTML file; `policy` is its content-security policy, `body` lines of markup. */
export function htmlFile(
  head: { readonly title: string; readonly policy: string; readonly style: string },
  body: readonly string[],
): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${head.policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="generator" content="Kansoku">',
    `<title>${escapeMarkup(head.title)}</title>`,
    `<style>${head.style}</style>`,
    '</head>',
    '<body>',
    ...body,
    '</body>',
    '</html>\n',
  ].join('\n');
}
