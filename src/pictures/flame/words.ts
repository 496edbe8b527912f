/** The texts about a node of a flame graph, shared by details, tooltips and speech. */
import { intervalOf } from '../../analysis/interval.js';
import { formatCount, formatValue } from '../../base/units.js';
import { kindName } from './categories.js';
import { differenceText } from './difference.js';
import { ALL, depthOf, type FlamePicture, nameOf, valueText } from './picture.js';

export interface Fact {
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** All facts about a node; `zoomed` is the node that fills the width. */
export function facts(picture: FlamePicture, node: number, zoomed: number): Fact[] {
  const { base, metric } = picture;
  const value = (amount: number): string => valueText(picture, amount);
  const total = picture.total[node];
  const list: Fact[] = [{ key: 'name', title: 'Function', text: nameOf(picture, node) }];
  // Inverted, the self value of a path is a part of its total: that number would only mislead (as in `tree`).
  if (!picture.inverted) list.push({ key: 'self', title: 'Self', text: value(picture.self[node]) });
  list.push({ key: 'total', title: 'Total', text: value(total) });
  list.push({ key: 'share', title: 'Of all', text: percent(total, metric.sum) });
  list.push(...intervalFacts(picture, total));
  if (zoomed > 0) list.push({ key: 'zoomed', title: 'Of zoomed', text: percent(total, picture.total[zoomed]) });
  // As in `tree`, which has no node above the roots.
  if (node > 0) list.push({ key: 'depth', title: 'Depth', text: formatCount(depthOf(picture, node) - 1) });
  if (base !== undefined) {
    if (!picture.inverted) list.push({ key: 'base-self', title: 'Base self', text: value(base.self[node]) });
    list.push({ key: 'base-total', title: 'Base total', text: value(base.total[node]) });
    list.push({ key: 'difference', title: 'Difference', text: differenceText(picture, node) });
  }
  return [...list, ...origins(picture, node)];
}

/** The 95 % interval of the share, as in `tree --error`. */
function intervalFacts({ metric }: FlamePicture, total: number): Fact[] {
  const { samples, sum } = metric;
  const found = samples === null ? undefined : intervalOf(total, { samples, total: sum });
  if (found === undefined) return [];
  return [
    { key: 'interval', title: '95 % interval', text: `${percent(found.low, sum)} – ${percent(found.high, sum)}` },
  ];
}

/**
 * Facts about boxes of one level that are too narrow to draw separately; `heaviest` is one of them. `matching`: 1 for each
 * function that matches a search.
 */
export function stretchFacts(
  picture: FlamePicture,
  nodes: Int32Array,
  heaviest: number,
  matching?: Uint8Array,
): Fact[] {
  const { metric, base } = picture;
  const sum = (column: Float64Array, of = nodes): number => of.reduce((all, node) => all + column[node], 0);
  const total = sum(picture.total);
  const list: Fact[] = [
    { key: 'frames', title: 'Frames', text: formatCount(nodes.length) },
    { key: 'total', title: 'Total', text: valueText(picture, total) },
    { key: 'share', title: 'Of all', text: percent(total, metric.sum) },
  ];
  if (base !== undefined)
    list.push({ key: 'base-total', title: 'Base total', text: valueText(picture, sum(base.total)) });
  if (matching !== undefined) {
    const matches = nodes.filter((node) => matching[picture.function[node]] === 1);
    const text = `${formatCount(matches.length)} (${valueText(picture, sum(picture.total, matches))})`;
    list.push({ key: 'matches', title: 'Matches', text });
  }
  const name = nameOf(picture, heaviest);
  return [
    ...list,
    { key: 'heaviest', title: 'Heaviest', text: `${name} (${valueText(picture, picture.total[heaviest])})` },
  ];
}

function origins(picture: FlamePicture, node: number): Fact[] {
  const id = picture.function[node];
  if (id < 0) return [];
  const list: Fact[] = [{ key: 'kind', title: 'Kind', text: kindName(picture, id) }];
  const mode = picture.modes[picture.mode?.[node] ?? 0] ?? 'unknown';
  if (mode !== 'unknown') list.push({ key: 'mode', title: 'Ran', text: mode });
  const name = picture.packages[picture.packageOf[id]] ?? '';
  if (name !== '') list.push({ key: 'package', title: 'Package', text: name });
  const begins = picture.endings[picture.begins[node]];
  if (begins !== undefined && begins !== 'whole') list.push({ key: 'begins', title: 'Stacks begin', text: begins });
  return list;
}

export function percent(value: number, sum: number): string {
  return sum === 0 ? '–' : formatValue(value / sum, 'ratio');
}

/** A node in one sentence, for speech and tooltips. */
export function sentence(picture: FlamePicture, node: number, zoomed: number): string {
  const { metric, base } = picture;
  const value = (amount: number): string => valueText(picture, amount);
  const name = nameOf(picture, node);
  const total = picture.total[node];
  const parts = [
    name === ALL && node === 0 ? `${ALL} ${metric.title.toLowerCase()}` : name,
    ...(picture.inverted ? [] : [`self ${value(picture.self[node])}`]),
    `total ${value(total)}`,
    `${percent(total, metric.sum)} of all`,
    ...(zoomed > 0 ? [`${percent(total, picture.total[zoomed])} of zoomed`] : []),
    ...(base === undefined ? [] : [`base ${value(base.total[node])}`, differenceText(picture, node)]),
  ];
  return parts.join(', ');
}
