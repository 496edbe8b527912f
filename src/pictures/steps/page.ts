/** The picture of steps as a page without scripts: the chart, and its numbers as a table. */
import { printable } from '../../base/text.js';
import { formatValue } from '../../base/units.js';
import { escapeMarkup, htmlFile } from '../markup.js';
import { type StepsResult, startText, stepsChart } from './chart.js';
import { stepsSvg } from './svg.js';

const STYLE =
  'body{font:13px sans-serif;margin:16px;color:#1a1a1a;background:#fff}svg{max-width:100%;height:auto}table{border-collapse:collapse;margin-top:12px}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #e2e4e8}th{position:sticky;top:0;background:#fff}';

/** The page; `policyOf` gives its content-security policy for the text of its style. */
export function stepsPage(
  result: StepsResult,
  noteTexts: readonly string[],
  policyOf: (style: string) => string,
): string {
  const chart = stepsChart(result);
  const series = [chart.bars, ...chart.lines];
  const cell = (name: 'td' | 'th', text: string): string => `<${name}>${escapeMarkup(printable(text))}</${name}>`;
  const picture = stepsSvg(result, noteTexts).replace(/^<\?xml.*\n/, '');
  const rows = chart.starts.map((_, i) => {
    const numbers = series.map(({ unit, values }) => {
      const value = values[i] ?? null;
      return cell('td', value === null ? '' : formatValue(value, unit));
    });
    return `<tr>${cell('td', startText(chart, i))}${numbers.join('')}</tr>`;
  });
  const title = printable(`${result.types.join(', ')}: ${result.recording}`);
  return htmlFile({ title, policy: policyOf(STYLE), style: STYLE }, [
    picture,
    `<table><thead><tr>${cell('th', chart.axis.title)}${series.map(({ title }) => cell('th', title)).join('')}</tr></thead><tbody>`,
    ...rows,
    '</tbody></table>',
  ]);
}
