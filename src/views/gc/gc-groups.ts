/** `gc --by`: pauses by cause, collector or phase, also beside those of another recording. */
import { z } from 'zod';
import { type GcSpans, type TimeSums, timeSums } from '../../analysis/gc/pauses.js';
import { type GcFacts, gcFactsUse } from '../../analysis/gc/stages.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import { GC_GROUPS, GC_GROUPS_OPTIONS, type GcGroupsBy } from '../../questions/options/recording.js';
import { columnsOf, common, detail, HEADLINES, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { gcHeadlines, pauseNotes } from './facts.js';

const row = z.object({
  name: text('Name', 'cause, collector or phase'),
  count: number('Count', 'count', 'number of pauses or phases'),
  base_count: detail(1, number('Base count', 'count', 'in the base')),
  sum: number('Sum', 'ns', 'of their times'),
  base_sum: number('Base sum', 'ns', 'in the base'),
  change: maybe('Change', 'ns', 'sum less that of the base'),
  share: maybe('Time %', 'ratio', 'share of the time of the recording that they cover'),
  base_share: maybe('Base time %', 'ratio', 'of the base'),
  mean: detail(2, maybe('Mean', 'ns', 'of their times')),
  base_mean: detail(2, maybe('Base mean', 'ns', 'in the base')),
  p50: maybe('p50', 'ns', 'half of them are not longer'),
  base_p50: detail(1, maybe('Base p50', 'ns', 'in the base')),
  p90: detail(1, maybe('p90', 'ns', 'nine of ten are not longer')),
  base_p90: detail(2, maybe('Base p90', 'ns', 'in the base')),
  p99: maybe('p99', 'ns', '99 of 100 are not longer'),
  base_p99: detail(1, maybe('Base p99', 'ns', 'in the base')),
  p999: detail(1, maybe('p99.9', 'ns', '999 of 1,000 are not longer')),
  base_p999: detail(2, maybe('Base p99.9', 'ns', 'in the base')),
  max: maybe('Longest', 'ns', 'the longest'),
  base_max: maybe('Base longest', 'ns', 'in the base'),
});

export const gcGroupsView = defineView({
  name: 'gc-groups',
  version: 1,
  title: 'Pauses of garbage collection',
  withoutNames: true,
  options: GC_GROUPS_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    by: z.enum(GC_GROUPS),
    span: z.number().describe('time of the recording within the scope, in ns'),
    base_span: z.number().nullable().describe('of the base'),
  },
  needs: ({ subject, base }) => ({ facts: gcFactsUse(subject), base: base && gcFactsUse(base.subject) }),
  answer: async (input, { by }, { facts, base }) => {
    const [nowGroups, other] = await input.kept(
      'groups',
      (sides) => sides.reduce((sum, groups) => sum + (groups?.size ?? 0) * 200, 0),
      () => [groupsOf(facts, by), base && groupsOf(base, by)] as const,
    );
    const names = [...new Set([...nowGroups.keys(), ...(other?.keys() ?? [])])];
    const nothing = { time: new Float64Array(), duration: new Float64Array() };
    const mine = names.map((name) => nowGroups.get(name) ?? timeSums(nothing, facts.time));
    const theirs = names.map((name) => other?.get(name) ?? timeSums(nothing, base?.time));
    const cells = {
      name: (i: number) => names[i] ?? '',
      count: (i: number) => mine[i].count,
      base_count: (i: number) => theirs[i].count,
      sum: (i: number) => mine[i].sum,
      base_sum: (i: number) => theirs[i].sum,
      change: (i: number) => (base === undefined ? null : mine[i].sum - theirs[i].sum),
      share: (i: number) => mine[i].share,
      base_share: (i: number) => theirs[i].share,
      mean: (i: number) => mine[i].mean,
      base_mean: (i: number) => theirs[i].mean,
      p50: (i: number) => mine[i].p50,
      base_p50: (i: number) => theirs[i].p50,
      p90: (i: number) => mine[i].p90,
      base_p90: (i: number) => theirs[i].p90,
      p99: (i: number) => mine[i].p99,
      base_p99: (i: number) => theirs[i].p99,
      p999: (i: number) => mine[i].p999,
      base_p999: (i: number) => theirs[i].p999,
      max: (i: number) => mine[i].max,
      base_max: (i: number) => theirs[i].max,
    };
    const isShown = (key: string): boolean => base !== undefined || !(key.startsWith('base_') || key === 'change');
    return {
      ...common(input, [...pauseNotes(facts), ...emptyNotes(facts, by, names.length), ...shareNotes(facts, mine)]),
      headlines: base === undefined ? gcHeadlines(facts) : comparison(facts, base),
      by,
      span: facts.span,
      base_span: base?.span ?? null,
      ...(await listed(cells, {
        columns: columnsOf(row).filter(({ key }) => isShown(key)),
        count: names.length,
        input,
        usual: 'sum',
      })),
    };
  },
});

/** Why there is no row, where the recording has pauses. */
function emptyNotes({ pauses, concurrent }: GcFacts, by: GcGroupsBy, count: number): Note[] {
  if (count > 0 || (pauses.count === 0 && concurrent.count === 0)) return [];
  if (by === 'concurrent') return [note('no-such-phases', 'No concurrent phase of a collection is in scope.')];
  if (by !== 'phase') return [];
  return [
    note(
      'no-such-phases',
      phrase`No phase within a pause is in scope; ${theView('gc', { options: { by: 'pause' } })} has the pauses by their names.`,
    ),
  ];
}

/** Spans count in full in sums; rounding is less than this share. */
const CLOSE = 1e-9;

function shareNotes({ span }: GcFacts, sums: readonly TimeSums[]): Note[] {
  const isLess = ({ share, sum }: TimeSums): boolean => share !== null && share * span < sum * (1 - CLOSE);
  if (!sums.some(isLess)) return [];
  return [
    note(
      'time-once',
      'Shares of time count each moment once, and only within the scope: some are less than sum / time.',
    ),
  ];
}

function comparison(facts: GcFacts, base: GcFacts): string[] {
  const lines = (side: GcFacts, name: string): string[] => gcHeadlines(side).map((line) => `${name}: ${line}`);
  return [...lines(base, 'base'), ...lines(facts, 'this')];
}

function groupsOf(facts: GcFacts, by: GcGroupsBy): ReadonlyMap<string, TimeSums> {
  const { times, nameOf, causeOf, text: nameText } = facts;
  const { pauses, parts, concurrent } = times;
  const ofCollection = (spans: GcSpans, textOf: (row: number) => string | null) => (i: number) =>
    spans.collection[i] < 0 ? null : textOf(spans.collection[i]);
  const phase = (spans: GcSpans) => (i: number) => nameText(spans.name[i]);
  switch (by) {
    case 'all':
      return grouped(facts, pauses, () => 'all pauses');
    case 'collector':
      return grouped(facts, pauses, ofCollection(pauses, nameOf));
    case 'cause':
      return grouped(facts, pauses, ofCollection(pauses, causeOf));
    case 'pause':
      return grouped(facts, pauses, phase(pauses));
    case 'phase':
      return grouped(facts, parts, phase(parts));
    case 'concurrent':
      return grouped(facts, concurrent, phase(concurrent));
  }
}

/** The sums of the spans of each text. */
function grouped(
  { time: within }: GcFacts,
  spans: GcSpans,
  textOf: (i: number) => string | null,
): Map<string, TimeSums> {
  const order = new Map<string, number>();
  const group = new Int32Array(spans.length);
  for (let i = 0; i < spans.length; i++) {
    const text = textOf(i) ?? 'unknown';
    const groupId = order.get(text) ?? order.size;
    order.set(text, groupId);
    group[i] = groupId;
  }
  const sums = new Map<string, TimeSums>();
  const valuesOfGroup = (values: Float64Array, id: number): Float64Array => values.filter((_, i) => group[i] === id);
  for (const [text, id] of order)
    sums.set(
      text,
      timeSums({ time: valuesOfGroup(spans.time, id), duration: valuesOfGroup(spans.duration, id) }, within),
    );
  return sums;
}
