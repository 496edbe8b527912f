/** `summary`: one page about a recording: what it is, what is in it, what is hot, and whether it is sound. */
import { z } from 'zod';
import { checkedUse } from '../../analysis/checked.js';
import { originOf } from '../../analysis/origin.js';
import { EntryCounts, siteGroups } from '../../analysis/places/sites.js';
import type { Problems } from '../../base/problems.js';
import { share } from '../../base/share.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { COMMON, common, number, text } from '../listing.js';
import { dumpsOf, hasStacks, ownRemarks } from '../metric-choice.js';
import { branchSite } from '../pgo/branches.js';
import { receiversSummary } from '../pgo/receivers.js';
import { defineView } from '../question.js';
import { type FunctionValues, functionValuesUse } from './functions.js';
import {
  classesShape,
  classesSummary,
  cutShape,
  cutSummary,
  levelDumps,
  locksShape,
  locksSummary,
} from './summary-parts.js';

/** The hottest functions, without the profiler's own. */
const hottest = z.object({
  value: number('Value', 'count', 'of the metric'),
  share: z.number().nullable().meta({ title: 'Share', unit: 'ratio' }),
  function: text('Function', 'class, method and parameter types'),
});

const branchShape = z.object({
  sites: z.number(),
  one_sided: z.number().describe('sites that only ever went one way'),
  never: z.number().describe('sites that were never reached'),
});

const receiverShape = z.array(
  z.object({ shape: z.string(), sites: z.number(), calls: z.number(), share: z.number().nullable() }),
);

export const summaryView = defineView({
  name: 'summary',
  version: 1,
  title: 'Summary',
  options: z.object({}),
  refuses: ['sort', 'offset'],
  shape: {
    ...COMMON,
    format: z.string(),
    metadata: z.record(z.string(), z.string()),
    sections: z
      .record(z.string(), z.number())
      .describe("entries of each section of the file under the section's own name"),
    program: z.object({ classes: z.number(), functions: z.number(), locations: z.number() }),
    stacks: z.number(),
    metrics: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        unit: z.string(),
        nature: z.string(),
        dumps: z
          .number()
          .describe('that the events are of; the sum of a level is that of the last, of others that of all'),
        sum: z.number().nullable().describe('null where the recording does not tell the whole'),
        hottest: z.array(hottest),
      }),
    ),
    classes: classesShape.nullable(),
    locks: locksShape.nullable(),
    cut_stacks: cutShape.nullable(),
    branches: branchShape.nullable(),
    receivers: receiverShape.nullable(),
    problems: z.object({
      errors: z.number(),
      warnings: z.number(),
      infos: z.number(),
      codes: z.record(z.string(), z.number()),
    }),
  },
  needs: ({ subject, profile }) => ({
    problems: checkedUse(subject),
    values: profile?.metrics.filter(hasStacks).map((metric) => functionValuesUse(subject, metric)) ?? [],
  }),
  answer: (input, _, { problems, values }) => {
    const { recording, profile } = input;
    const { program } = recording;
    return {
      ...common(input, metricRemarks(profile)),
      format: recording.format,
      metadata: Object.fromEntries(recording.metadata.map((entry) => [entry.key, entry.value])),
      sections: sectionCounts(recording),
      program: {
        classes: program.classes.length,
        functions: program.functions.length,
        locations: program.locations.length,
      },
      stacks: profile?.stacks.length ?? 0,
      metrics:
        profile === undefined
          ? []
          : profile.metrics.filter(hasStacks).map((metric, i) => metricSummary(profile, program, metric, values[i])),
      classes: classesSummary(input),
      locks: locksSummary(input),
      cut_stacks: profile === undefined ? null : cutSummary(profile),
      branches: profile === undefined ? null : branchSummary(profile, program),
      receivers: profile === undefined ? null : receiversSummary(profile),
      problems: problemSummary(problems),
    };
  },
});

/** A name that comes twice (a fault of the file) counts all its entries. */
function sectionCounts(recording: Recording): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name, entries } of recording.sections) counts.set(name, (counts.get(name) ?? 0) + entries);
  return Object.fromEntries(counts);
}

/** What recorders did to the metrics that are shown, each remark once. */
function metricRemarks(profile: Profile | undefined): string[] {
  if (profile === undefined) return [];
  return [...new Set(profile.metrics.flatMap((metric) => ownRemarks(metric, profile)))];
}

const HOTTEST = 3;

function metricSummary(profile: Profile, program: Program, metric: Metric, found: FunctionValues) {
  const values = found.exclusive ?? found.inclusive ?? new Float64Array();
  const sum = found.exclusive === undefined ? null : found.sum;
  // The instrumentation counts itself, often before all others: nobody asks for that.
  const used = [...values.keys()]
    .filter((id) => values[id] > 0 && originOf(program, id) !== 'profiler')
    .sort((a, b) => values[b] - values[a] || a - b);
  // Where a part of it is a metric, too, that one says where.
  const isWhole = profile.metrics.some(({ whole }) => whole?.metric === metric.id);
  return {
    id: metric.id,
    title: metric.title,
    unit: metric.unit,
    nature: metric.nature,
    dumps: metric.nature === 'level' ? levelDumps(profile, metric.table) : dumpsOf(metric, profile),
    sum,
    hottest: (isWhole ? [] : used.slice(0, HOTTEST)).map((id) => ({
      value: values[id],
      share: sum === null ? null : share(values[id], sum),
      function: functionSignature(program, id),
    })),
  };
}

function branchSummary(profile: Profile, program: Program) {
  const events = BRANCH_EVENTS.of(profile);
  if (events === undefined) return null;
  const entries = new EntryCounts(profile, program);
  const sites = siteGroups(profile, events, true).map((group) => branchSite(events, group, entries));
  return {
    sites: sites.length,
    one_sided: sites.filter((site) => site.bias === 1).length,
    never: sites.filter((site) => site.executed === 0).length,
  };
}

function problemSummary(problems: Problems) {
  const severity = new Map(problems.list.map((problem) => [problem.code, problem.severity]));
  const count = (wanted: string): number =>
    Object.entries(problems.counts).reduce(
      (sum, [code, number]) => sum + (severity.get(code) === wanted ? number : 0),
      0,
    );
  return { errors: count('error'), warnings: count('warning'), infos: count('info'), codes: { ...problems.counts } };
}
