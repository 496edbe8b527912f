/** The summary of a recording as a page of text. */
import type { z } from 'zod';
import { formatCount, formatValue, plural } from '../base/units.js';
import { summaryView } from '../views/summary.js';
import { type AnyResult, readable } from './render.js';

type Summary = z.output<typeof summaryView.result>;

export function summaryPage(result: AnyResult): string {
  const summary = summaryView.result.parse(result);
  const sections = Object.entries(summary.sections).map(([name, entries]) => [readable(name), entries] as const);
  const width = sections.reduce((most, [name]) => Math.max(most, name.length), 10);
  const lines = [
    `${readable(summary.recording)}: ${summary.format} ${readable(summary.metadata.version ?? '')}`.trimEnd(),
    '',
    ...sections.map(([name, entries]) => `  ${name.padEnd(width)}  ${formatCount(entries).padStart(12)}`),
    '',
    `  ${plural(summary.stacks, 'context frame')}, ${plural(summary.program.locations, 'place')} in ${plural(summary.program.functions, 'method')} of ${plural(summary.program.classes, 'type')}`,
    ...summary.metrics.flatMap(metricLines),
    ...branchLines(summary),
    ...receiverLines(summary),
    '',
    problemLine(summary),
  ];
  return `${lines.join('\n')}\n`;
}

function metricLines(metric: Summary['metrics'][number]): string[] {
  const head = `${metric.title}: ${formatCount(metric.sum)}${metric.hottest.length === 0 ? '' : ', most of them in'}`;
  const rows = metric.hottest.map((one) => {
    const share = one.share === null ? '' : formatValue(one.share, 'ratio');
    return `  ${formatCount(one.value).padStart(16)}  ${share.padStart(8)}  ${readable(one.function)}`;
  });
  return ['', head, ...rows];
}

function branchLines(summary: Summary): string[] {
  const branches = summary.branches;
  if (branches === null) return [];
  const sided = branches.sites === 0 ? '' : ` (${formatValue(branches.one_sided / branches.sites, 'ratio')})`;
  return [
    '',
    `Branch sites: ${formatCount(branches.sites)}; ${formatCount(branches.one_sided)} only ever went one way${sided}, ${formatCount(branches.never)} were never reached`,
  ];
}

function receiverLines(summary: Summary): string[] {
  if (summary.receivers === null) return [];
  const parts = summary.receivers
    .filter((one) => one.sites > 0)
    .map((one) => {
      const share = one.share === null ? '' : ` with ${formatValue(one.share, 'ratio')} of the calls`;
      return `${formatCount(one.sites)} ${one.shape}${share}`;
    });
  return [`Virtual call sites: ${parts.length === 0 ? 'none' : parts.join(', ')}`];
}

function problemLine(summary: Summary): string {
  const { errors, warnings, infos, codes } = summary.problems;
  if (errors + warnings + infos === 0) return 'Sound: no problems found.';
  const list = Object.entries(codes).map(([code, count]) => `${code} × ${formatCount(count)}`);
  return `${errors === 0 ? 'Sound' : 'NOT SOUND'}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${plural(infos, 'remark')} (${list.join(', ')}); \`check\` tells more.`;
}
