/**
 * A flame result as a static SVG 1.1 picture: for documents, and for viewers that run no scripts. Each box has its numbers
 * as a tooltip. Boxes narrower than half a pixel are drawn together, as pale as the share of the half pixel they leave free.
 */
import stringWidth from 'string-width';
import { printable } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { packageCategories } from '../../views/flame/categories.js';
import { differenceColours, differenceStep, meanColour, THEME_COLOURS } from '../../views/flame/colours.js';
import { differenceMark } from '../../views/flame/difference.js';
import { Labels } from '../../views/flame/labels.js';
import { layout, spans } from '../../views/flame/layout.js';
import { type FlamePicture, type FlameResult, flamePicture, nameOf } from '../../views/flame/picture.js';
import { shortNames } from '../../views/flame/short-names.js';
import { heaviestOf } from '../../views/flame/stretch.js';
import { sentence, stretchFacts } from '../../views/flame/words.js';
import { escapeMarkup } from './flame-html.js';

const WIDTH = 1200;
const ROW = 17;
const MARGIN = 8;
const HEAD = 44;
const LINE = 15;
/** Characters of a generic monospace font at 11 pixels are 6.6 wide; a little more, since fonts differ. */
const CHARACTER = 6.7;
const PADDING = 3;

/** The picture as the text of an SVG file. Pure. */
export function flameSvg(result: FlameResult): string {
  const picture = flamePicture(result);
  const { background, text } = THEME_COLOURS.light;
  const boxes = boxLines(picture);
  const notes = result.notes.map(printable);
  const height = HEAD + picture.depth * ROW + notes.length * LINE + 2 * MARGIN;
  const title = `Flame graph of ${picture.metric.title.toLowerCase()}: ${printable(result.recording)}`;
  const way = picture.inverted ? 'Functions are at the top, their callers below.' : 'Callers are above what they call.';
  const sum = `${formatValue(picture.metric.sum, picture.metric.unit)} in all, ${plural(picture.length - 1, 'box', 'boxes')}.`;
  const line = (y: number, words: string, attributes = ''): string =>
    `<text x="${MARGIN}" y="${y}"${attributes}>${escapeMarkup(words)}</text>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description" font-family="monospace" font-size="11" fill="${text}">`,
    `<title id="title">${escapeMarkup(title)}</title>`,
    `<desc id="description">${escapeMarkup([way, sum, ...notes].join(' '))}</desc>`,
    `<rect width="100%" height="100%" fill="${background}"/>`,
    line(MARGIN + 12, title, ' font-size="14" font-weight="bold"'),
    line(MARGIN + 28, `${way} ${sum}`),
    ...boxes,
    ...notes.map((note, i) => line(HEAD + picture.depth * ROW + MARGIN + (i + 1) * LINE - 4, note)),
    '</svg>\n',
  ].join('\n');
}

function boxLines(picture: FlamePicture): string[] {
  const placed = layout(picture, 'name');
  const { colours, ofNode } = packageCategories(picture, 'light');
  const steps = differenceColours('light');
  const { root, background } = THEME_COLOURS.light;
  const pixels = WIDTH - 2 * MARGIN;
  const window = { from: 0, scale: placed.width[0] > 0 ? pixels / placed.width[0] : 0, pixels };
  const lines: string[] = [];
  const colourOf = (node: number): string =>
    (picture.base === undefined ? colours[ofNode[node]] : steps[differenceStep(picture, node)]) ?? root;
  for (let depth = 0; depth < picture.depth; depth++) {
    const y = HEAD + depth * ROW;
    spans(placed, depth, window, (first, last, left, right) => {
      const x = (left + MARGIN).toFixed(2);
      const width = right - left - (right - left > 3 ? 0.6 : 0);
      const box = `<rect x="${x}" y="${y}" width="${width.toFixed(3)}" height="${ROW - 1}"`;
      if (first !== last) {
        const nodes = placed.order.subarray(first, last + 1);
        const fill = meanColour(
          Array.from(nodes, colourOf),
          placed.width.subarray(first, last + 1),
          (right - left) / window.scale,
          background,
        );
        const heaviest = placed.order[heaviestOf(placed, { first, last })];
        const words = stretchFacts(picture, nodes, heaviest).map(({ title, text }) => `${title} ${text}`);
        lines.push(`${box} fill="${fill}"><title>${escapeMarkup(words.join(', '))}</title></rect>`);
        return;
      }
      const node = placed.order[first];
      const title = `<title>${escapeMarkup(sentence(picture, node, 0))}</title>`;
      const label = labelOf(picture, node, width - 2 * PADDING);
      if (label === '') {
        lines.push(`${box} fill="${colourOf(node)}">${title}</rect>`);
        return;
      }
      // The inner picture clips, whatever the font of the viewer is.
      lines.push(
        `<g>${title}${box} fill="${colourOf(node)}"/><svg x="${x}" y="${y}" width="${(width - PADDING).toFixed(2)}" height="${ROW}"><text x="${PADDING}" y="12">${escapeMarkup(label)}</text></svg></g>`,
      );
    });
  }
  return lines;
}

/** The name, or what of it fits, with what it differs by before it. */
function labelOf(picture: FlamePicture, node: number, width: number): string {
  const id = picture.function[node];
  const names = id < 0 ? [nameOf(picture, node)] : shortNames(picture, id);
  return labels.fit(names, width, picture.base === undefined ? '' : differenceMark(picture, node));
}

const labels = new Labels((text) => stringWidth(text) * CHARACTER);
