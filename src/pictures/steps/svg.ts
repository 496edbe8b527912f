/**
 * Events by equal steps as a static SVG 1.1 picture: bars of their number above, what their values amount to below, over one axis. Each step has its
 * numbers as a tooltip. A step without a value has no point, and no line leads through it.
 */
import { printable } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { escapeMarkup, svgFile, svgText } from '../markup.js';
import {
  greatestOf,
  type StepSeries,
  type StepsChart,
  type StepsResult,
  startText,
  stepsChart,
  ticksTo,
} from './chart.js';

const WIDTH = 1100;
const LEFT = 96;
const RIGHT = 20;
const HEAD = 66;
const PANEL = 190;
const GAP = 46;
const PLOT = WIDTH - LEFT - RIGHT;
/** Labels of the axis. */
const MOST_LABELS = 9;
const COLOURS: Readonly<Record<string, string>> = { p50: '#2b6cb0', p90: '#b7791f', p99: '#c53030', max: '#8a8f9b' };
const BAR = '#7aa6d8';

/** A panel of the picture: where it is, and its largest number. */
interface Panel {
  readonly top: number;
  readonly most: number;
  readonly series: readonly StepSeries[];
}

/** The text of an SVG file; `noteTexts` are the texts of the result's notes. Throws `UsageError` if the rows are no steps. Pure. */
export function stepsSvg(result: StepsResult, noteTexts: readonly string[]): string {
  const chart = stepsChart(result);
  const panels = [[chart.bars], ...(chart.lines.length > 0 ? [chart.lines] : [])].map(
    (series, i): Panel => ({ top: HEAD + i * (PANEL + GAP), most: ticksTo(greatestOf(series)).at(-1) || 1, series }),
  );
  const bottom = HEAD + panels.length * (PANEL + GAP);
  const notes = noteTexts.map(printable);
  const height = bottom + 14 + notes.length * 15;
  const title = `${result.types.join(', ')}: ${printable(result.recording)}`;
  const facts = factsOf(chart);
  const frame = { width: WIDTH, height, title, font: 'sans-serif' } as const;
  return svgFile({ ...frame, description: [facts, ...notes].join(' ') }, [
    svgText(12, 22, title, ' font-size="14" font-weight="bold"'),
    svgText(12, 40, facts),
    ...panels.flatMap((panel) => [...gridLines(panel), ...timeAxis(chart, panel)]),
    ...(panels[0] === undefined
      ? []
      : [svgText(LEFT, HEAD - 4, chart.bars.title, ' fill="#555b66"'), ...bars(chart, panels[0])]),
    ...(panels[1] === undefined ? [] : [...lines(chart, panels[1]), ...legend(panels[1])]),
    ...tooltips(chart, panels),
    ...notes.map((text, i) => svgText(12, bottom + 6 + i * 15, text)),
  ]);
}

function factsOf({ starts, width, axis, bars: counts, value }: StepsChart): string {
  const values =
    value === null ? '' : ` Below, ${value} of the events: half, 90 % and 99 % are at most so large, and the largest.`;
  return `${plural(starts.length, 'step')} of ${formatValue(width, axis.unit)} of ${axis.title}. Bars: ${counts.key === 'rate' ? 'events a second' : 'events'}.${values}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Lines at round numbers, with their texts. */
function gridLines({ top, most, series }: Panel): string[] {
  const [first] = series;
  return ticksTo(greatestOf(series)).flatMap((tick) => {
    const y = top + PANEL - (tick / most) * PANEL;
    return [
      `<path d="M${LEFT} ${round(y)}H${WIDTH - RIGHT}" stroke="#e2e4e8"/>`,
      svgText(LEFT - 8, round(y + 4), formatValue(tick, first?.unit ?? 'none'), ' text-anchor="end" fill="#555b66"'),
    ];
  });
}

function xOf({ starts }: StepsChart, i: number): number {
  return LEFT + (i / starts.length) * PLOT;
}

function timeAxis(chart: StepsChart, { top }: Panel): string[] {
  const every = Math.max(1, Math.ceil(chart.starts.length / MOST_LABELS));
  return chart.starts.flatMap((_, i) =>
    i % every === 0
      ? [
          svgText(round(xOf(chart, i)), top + PANEL + 16, startText(chart, i), ' fill="#555b66"'),
          `<path d="M${round(xOf(chart, i))} ${top + PANEL}v4" stroke="#555b66"/>`,
        ]
      : [],
  );
}

function bars(chart: StepsChart, { top, most }: Panel): string[] {
  const width = PLOT / chart.starts.length;
  return chart.bars.values.flatMap((value, i) => {
    if (value === null || value === 0) return [];
    const height = (value / most) * PANEL;
    const gap = width > 3 ? 1 : 0;
    return [
      `<rect x="${round(xOf(chart, i))}" y="${round(top + PANEL - height)}" width="${round(width - gap)}" height="${round(height)}" fill="${BAR}"/>`,
    ];
  });
}

/** A line through neighbours that both have a value; a point where a step stands alone. */
function lines(chart: StepsChart, { top, most, series }: Panel): string[] {
  const half = PLOT / chart.starts.length / 2;
  // The largest values lie below, since p99 is often equal to them.
  return series.toReversed().flatMap(({ key, values }) => {
    const colour = COLOURS[key] ?? '#1a1a1a';
    let path = '';
    const points: string[] = [];
    for (const [i, value] of values.entries()) {
      if (value === null) continue;
      const [x, y] = [round(xOf(chart, i) + half), round(top + PANEL - (value / most) * PANEL)];
      const [hasLast, hasNext] = [(values[i - 1] ?? null) !== null, (values[i + 1] ?? null) !== null];
      path += `${hasLast ? 'L' : 'M'}${x} ${y}`;
      if (!hasLast && !hasNext) points.push(`<circle cx="${x}" cy="${y}" r="2" fill="${colour}"/>`);
    }
    return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>`, ...points];
  });
}

function legend({ top, series }: Panel): string[] {
  return series.flatMap(({ key, title }, i) => {
    const x = LEFT + 8 + i * 90;
    return [
      `<path d="M${x} ${top - 8}h18" stroke="${COLOURS[key] ?? '#1a1a1a'}" stroke-width="3"/>`,
      svgText(x + 24, top - 4, title),
    ];
  });
}

/** All numbers of a step, over the height of the panels. */
function tooltips(chart: StepsChart, panels: readonly Panel[]): string[] {
  const width = PLOT / chart.starts.length;
  const height = (panels.at(-1)?.top ?? HEAD) + PANEL - HEAD;
  return chart.starts.map((_, i) => {
    const numbers = [chart.bars, ...chart.lines].map(
      ({ title, unit, values }) => `${title}: ${values[i] === null ? 'none' : formatValue(values[i] ?? 0, unit)}`,
    );
    const text = [startText(chart, i), ...numbers].map(printable).join('\n');
    return `<g><title>${escapeMarkup(text)}</title><rect x="${round(xOf(chart, i))}" y="${HEAD}" width="${round(width)}" height="${height}" fill="#000000" fill-opacity="0"/></g>`;
  });
}
