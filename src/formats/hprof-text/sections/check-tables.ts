/**
 * Checks whether the rows of a table agree with each other and with its heading: ranks, shares, sums of shares, totals.
 * This finds flipped digits and lost rows. docs/formats/hprof-text.md lists the codes.
 */
import { formatCount } from '../../../base/units.js';
import { type EventContext as AnyContext, totalOf } from '../../shared/hprof/events.js';
import { tableOf } from '../../shared/hprof/residue.js';
import { SECTION_NAMES, type TextSection } from '../../shared/hprof/sections.js';
import { isPossible, siteTotal } from '../../shared/hprof/site-total.js';
import { type TableColumns, WHOLE } from '../../shared/hprof/tables.js';
import type { HprofLines } from '../reader.js';

type EventContext = AnyContext<HprofLines>;

/** The difference that rounding may cause, in hundredths of a percent: in a sum of three shares, and in one share. */
const SUM_SLACK = 1;
const SHARE_SLACK = 0.51;

export function checkTables(context: EventContext): void {
  const { lines } = context;
  nameTimes(context);
  for (const section of lines.sections) {
    const kind = tableOf(section);
    if (kind === undefined) continue;
    const rows = lines.tables[kind];
    checkRanks(context, section, rows);
    if (section.kind === 'cpu-samples' || section.kind === 'call-counts') checkSamples(context, section, rows);
    if (section.kind === 'sites') checkSites(context, section, rows);
    if (totalOf(section) !== section.total && !Number.isNaN(section.total))
      note(context, 'hprof-negative-total', 'info', section.offset, `the total is ${section.total}: a 32-bit overflow`);
    if (section.kind === 'monitor-time' && context.waitScale > 1 && section.to > section.from)
      note(
        context,
        'hprof-monitor-unit',
        'info',
        section.offset,
        `${section.total} ms are about ${formatCount(section.total * 1000)} s: the agent divides by a million`,
      );
  }
}

function note(
  context: EventContext,
  code: string,
  severity: 'info' | 'warning' | 'error',
  offset: number,
  message: string,
): void {
  context.lines.problems.add({ code, severity, offset, message });
}

/**
 * With both cpu=samples and cpu=times, the JVMTI agent calls both tables CPU SAMPLES. The second one has times if its
 * shares do not fit its counts, and those of the first do.
 */
function nameTimes(context: EventContext): void {
  const { sections } = context.lines;
  if (!context.jvmti) return;
  for (let i = 1; i < sections.length; i++) {
    const [first, second] = [sections[i - 1], sections[i]];
    if (first.kind !== 'cpu-samples' || second.kind !== 'cpu-samples' || second.to === second.from) continue;
    const rows = context.lines.tables['cpu-samples'];
    const counts = rows.count.values;
    const [some, others] = [misfits(first, rows, counts), misfits(second, rows, counts)];
    if (some * 2 > first.to - first.from || others * 2 <= second.to - second.from) continue;
    // If one total fits all rows, they are counts, and the total of the heading is damaged.
    if (isPossible(siteTotal(rows, second))) continue;
    second.kind = 'cpu-time';
    for (let later = i; later < sections.length; later++) sections[later].dump--;
    note(
      context,
      'hprof-two-samples',
      'info',
      second.offset,
      'a second CPU SAMPLES table: its shares do not match its counts, so it is CPU TIME',
    );
  }
}

function fitsShare(section: TextSection, rows: TableColumns, counts: Float64Array, row: number): boolean {
  return Math.abs((counts[row] / totalOf(section)) * WHOLE - rows.share.values[row]) <= SHARE_SLACK;
}

function misfits(section: TextSection, rows: TableColumns, counts: Float64Array): number {
  let count = 0;
  for (let row = section.from; row < section.to; row++) if (!fitsShare(section, rows, counts, row)) count++;
  return count;
}

function checkRanks(context: EventContext, section: TextSection, rows: TableColumns): void {
  const name = SECTION_NAMES[section.named];
  let sum = 0;
  for (let row = section.from; row < section.to; row++) {
    const rank = rows.rank.values[row];
    const expected = row === section.from ? 1 : rows.rank.values[row - 1] + 1;
    const offset = rows.offset.values[row];
    if (rank !== expected)
      note(context, 'hprof-rank', 'warning', offset, `rank ${rank} in ${name}, expected ${expected}`);
    const accumulated = rows.accumulated.values[row];
    if (rank === expected && Math.abs(accumulated - (sum + rows.share.values[row])) > SUM_SLACK)
      note(
        context,
        'hprof-share',
        'warning',
        offset,
        `the shares of ${name} sum to ${(sum + rows.share.values[row]) / 100} % here, not ${accumulated / 100} %`,
      );
    sum = accumulated;
  }
}

function checkSamples(context: EventContext, section: TextSection, rows: TableColumns): void {
  const total = totalOf(section);
  const counts = context.counts(rows.kind);
  const unit = rows.kind === 'call-counts' ? 'calls' : 'samples';
  let sum = 0;
  for (let row = section.from; row < section.to; row++) {
    sum += counts[row];
    if (!fitsShare(section, rows, counts, row))
      note(
        context,
        'hprof-share',
        'warning',
        rows.offset.values[row],
        `${formatCount(counts[row])} of ${formatCount(total)} ${unit} are not ${rows.share.values[row] / 100} %`,
      );
  }
  if (sum > total)
    note(
      context,
      'hprof-total',
      'error',
      section.offset,
      `the total is ${formatCount(total)} ${unit}, but the rows have ${formatCount(sum)}`,
    );
}

/** Each row bounds the total; a row that contradicts most others is damaged. */
function checkSites(context: EventContext, section: TextSection, rows: TableColumns): void {
  if (isPossible(siteTotal(rows, section))) return;
  const middles: number[] = [];
  for (let row = section.from; row < section.to; row++)
    if (rows.share.values[row] > 0) middles.push((rows.count.values[row] * WHOLE) / rows.share.values[row]);
  const total = middles.sort((a, b) => a - b)[middles.length >> 1] ?? 0;
  let found = false;
  for (let row = section.from; row < section.to; row++) {
    const share = (rows.count.values[row] / total) * WHOLE;
    // The median itself is known only to the rounding of a share.
    const fits = Math.abs(share - rows.share.values[row]) <= 1 + share / 50;
    if (!fits) found = true;
    if (!fits)
      note(
        context,
        'hprof-share',
        'warning',
        rows.offset.values[row],
        `${formatCount(rows.count.values[row])} bytes are not ${rows.share.values[row] / 100} % where the other sites fit`,
      );
  }
  if (!found)
    note(context, 'hprof-share', 'warning', section.offset, 'no total of live bytes fits the shares of all sites');
}
