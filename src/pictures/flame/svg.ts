/**
 * A flame result as a static SVG 1.1 picture: for documents, and for viewers that run no scripts. Each box has its numbers
 * as a tooltip. Boxes narrower than half a pixel are drawn together, as pale as the share of the half pixel they leave free.
 */
import { printable } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { escapeMarkup, svgFile, svgText } from '../markup.js';
import { packageCategories } from './categories.js';
import { differenceColours, differenceStep, meanColour, THEME_COLOURS } from './colours.js';
import { differenceMark } from './difference.js';
import { Labels, type Measure } from './labels.js';
import { type FlameLayout, spans } from './layout.js';
import { type FlamePicture, nameOf, valueText } from './picture.js';
import { shortNames } from './short-names.js';
import { heaviestOf } from './stretch.js';
import { sentence, stretchFacts } from './words.js';

const WIDTH = 1200;
const ROW = 17;
const MARGIN = 8;
const HEAD = 44;
const LINE = 15;
/** Characters of a generic monospace font at 11 pixels are 6.6 wide; a little more, since fonts differ. */
export const CHARACTER = 6.7;
const PADDING = 3;

/** What of a picture is drawn, and how. */
export interface SvgOptions {
  readonly recording: string;
  readonly notes: readonly string[];
  /** Width of a text of 11 pixels in the font of the viewer, as far as it is known. */
  readonly measure: Measure;
  readonly layout: FlameLayout;
  /** Units of the metric at the left and the right edge. */
  readonly from: number;
  readonly to: number;
  /** Of each node. */
  readonly colour: (node: number) => string;
}

/** The colours of a picture that nobody chose: those of differences if there is a base, else those of packages. */
export function usualColours(picture: FlamePicture): (node: number) => string {
  const { colours, ofNode } = packageCategories(picture, 'light');
  const steps = differenceColours('light');
  const { root } = THEME_COLOURS.light;
  return (node) => (picture.base === undefined ? colours[ofNode[node]] : steps[differenceStep(picture, node)]) ?? root;
}

/** The picture as the text of an SVG file. Pure. */
export function drawSvg(picture: FlamePicture, options: SvgOptions): string {
  const { background, text } = THEME_COLOURS.light;
  const boxes = boxLines(picture, options);
  const notes = options.notes.map(printable);
  const height = HEAD + picture.depth * ROW + notes.length * LINE + 2 * MARGIN;
  const title = `Flame graph of ${picture.metric.title.toLowerCase()}: ${printable(options.recording)}`;
  const way = picture.inverted ? 'Functions are at the top, their callers below.' : 'Callers are above what they call.';
  const sum = `${valueText(picture, picture.metric.sum)} total, ${plural(picture.length - 1, 'box', 'boxes')}.`;
  const frame = { width: WIDTH, height, title, font: 'monospace', fill: text, background } as const;
  return svgFile({ ...frame, description: [way, sum, ...notes].join(' ') }, [
    svgText(MARGIN, MARGIN + 12, title, ' font-size="14" font-weight="bold"'),
    svgText(MARGIN, MARGIN + 28, `${way} ${sum}`),
    ...boxes,
    ...notes.map((note, i) => svgText(MARGIN, HEAD + picture.depth * ROW + MARGIN + (i + 1) * LINE - 4, note)),
  ]);
}

function boxLines(
  picture: FlamePicture,
  { layout: placed, from, to, colour: colourOf, measure }: SvgOptions,
): string[] {
  const labels = new Labels(measure);
  const { background } = THEME_COLOURS.light;
  const pixels = WIDTH - 2 * MARGIN;
  const window = { from, scale: to > from ? pixels / (to - from) : 0, pixels };
  const lines: string[] = [];
  for (let depth = 0; depth < picture.depth; depth++) {
    const y = HEAD + depth * ROW;
    spans(placed, depth, window, (first, last, from, to) => {
      const [left, right] = [Math.max(0, from), Math.min(pixels, to)];
      const x = (left + MARGIN).toFixed(2);
      const width = right - left - (right - left > 3 ? 0.6 : 0);
      const box = `<rect x="${x}" y="${y}" width="${width.toFixed(3)}" height="${ROW - 1}"`;
      if (first !== last) {
        const nodes = placed.order.subarray(first, last + 1);
        const fill = meanColour(
          Array.from(nodes, colourOf),
          placed.width.subarray(first, last + 1),
          (to - from) / window.scale,
          background,
        );
        const heaviest = placed.order[heaviestOf(placed, { first, last })];
        const words = stretchFacts(picture, nodes, heaviest).map(({ title, text }) => `${title} ${text}`);
        lines.push(`${box} fill="${fill}"><title>${escapeMarkup(words.join(', '))}</title></rect>`);
        return;
      }
      const node = placed.order[first];
      const title = `<title>${escapeMarkup(sentence(picture, node, 0))}</title>`;
      const label = labelOf(picture, labels, node, width - 2 * PADDING);
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
function labelOf(picture: FlamePicture, labels: Labels, node: number, width: number): string {
  const id = picture.function[node];
  const names = id < 0 ? [nameOf(picture, node)] : shortNames(picture, id);
  return labels.fit(names, width, picture.base === undefined ? '' : differenceMark(picture, node));
}
