/** `summary`: one page about a recording: format, contents, hottest code, problems. */
import { z } from 'zod';
import { checkedUse } from '../../analysis/checked.js';
import { functionsOf, originOf } from '../../analysis/origin.js';
import { EntryCounts, siteGroups } from '../../analysis/places/sites.js';
import type { Problems } from '../../base/problems.js';
import { share } from '../../base/share.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { COMMON, common, number, text } from '../listing.js';
import { dumpsOf, fewNotes, ownRemarks } from '../metric-choice.js';
import { branchSite } from '../pgo/branches.js';
import { receiversSummary } from '../pgo/receivers.js';
import { withoutProfiler } from '../pgo/site-listing.js';
import { defineView, type ViewInput } from '../question.js';
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
  value: number('Value', 'count', 'value of the metric'),
  share: z.number().nullable().meta({ title: 'Share', unit: 'ratio' }),
  function: text('Function', 'class, method and parameter types'),
});

const branchShape = z.object({
  sites: z.number(),
  one_sided: z.number().describe('sites with one outcome only'),
  never: z.number().describe('sites never reached'),
});

const receiverShape = z.array(
  z.object({ shape: z.string(), sites: z.number(), calls: z.number(), share: z.number().nullable() }),
);

const profilerShape = z.object({
  calls: z.number().describe('share of all counted calls'),
  calls_share: z.number().nullable(),
  branch_sites: z.number(),
  receiver_sites: z.number(),
  receiver_calls: z.number(),
  receiver_share: z.number().nullable().describe('share of all virtual calls'),
});

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
      .describe("number of entries of each section of the file, by the section's name"),
    program: z.object({ classes: z.number(), functions: z.number(), locations: z.number() }),
    stacks: z.number(),
    metrics: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        unit: z.string(),
        resolution: z.number().optional(),
        nature: z.string(),
        dumps: z
          .number()
          .describe('number of dumps with events; a level is that of the last dump, other metrics are summed over all'),
        sum: z.number().nullable().describe('null if the recording does not have the total'),
        hottest: z.array(hottest),
      }),
    ),
    classes: classesShape.nullable(),
    locks: locksShape.nullable(),
    cut_stacks: cutShape.nullable(),
    branches: branchShape.nullable(),
    receivers: receiverShape.nullable(),
    profiler: profilerShape
      .nullable()
      .describe("the profiler's own code: included in the sums of metrics, excluded elsewhere; null if none"),
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
    const branches = profile === undefined ? null : branchSummary(input, profile, program);
    const receivers = profile === undefined ? null : receiversSummary(input, profile);
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
      branches: branches?.summary ?? null,
      receivers: receivers?.shapes ?? null,
      profiler: profile === undefined ? null : profilerPart(branches, receivers, profile, program),
      problems: problemSummary(problems),
    };
  },
});

/** A name that occurs twice (an error of the file) counts all its entries. */
function sectionCounts(recording: Recording): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name, entries } of recording.sections) counts.set(name, (counts.get(name) ?? 0) + entries);
  return Object.fromEntries(counts);
}

/** The recorders' remarks on the visible metrics, each once. */
function metricRemarks(profile: Profile | undefined): string[] {
  const all = profile?.metrics.flatMap((metric) => [...fewNotes(metric, profile), ...ownRemarks(metric, profile)]);
  return [...new Set(all)];
}

const HOTTEST = 3;

function metricSummary(profile: Profile, program: Program, metric: Metric, found: FunctionValues) {
  const values = found.exclusive ?? found.inclusive ?? new Float64Array();
  const sum = found.exclusive === undefined ? null : found.sum;
  // If a part of it is a metric, too, the remark belongs to that one.
  const isWhole = profile.metrics.some(({ whole }) => whole?.metric === metric.id);
  return {
    id: metric.id,
    title: metric.title,
    unit: metric.unit,
    ...(metric.resolution === undefined ? {} : { resolution: metric.resolution }),
    nature: metric.nature,
    dumps: metric.nature === 'level' ? levelDumps(profile, metric.table) : dumpsOf(metric, profile),
    sum,
    hottest: (isWhole ? [] : hottestOf(values, program)).map((id) => ({
      value: values[id],
      share: sum === null ? null : share(values[id], sum),
      function: functionSignature(program, id),
    })),
  };
}

/**
 * The functions with the largest values, largest first. Without the instrumentation, which counts itself, often more than
 * anything else: users are not interested in that.
 */
function hottestOf(values: Float64Array, program: Program): number[] {
  const found: number[] = [];
  for (let id = 0; id < values.length; id++) {
    const value = values[id];
    if (value <= (found.length < HOTTEST ? 0 : values[found[HOTTEST - 1]])) continue;
    if (originOf(program, id) === 'profiler') continue;
    const place = found.findIndex((other) => values[other] < value);
    found.splice(place < 0 ? found.length : place, 0, id);
    found.length = Math.min(found.length, HOTTEST);
  }
  return found;
}

/** The share of the profiler's own code in counted calls, branches and virtual calls; null if there is none. */
function profilerPart(
  branches: ReturnType<typeof branchSummary>,
  receivers: ReturnType<typeof receiversSummary>,
  profile: Profile,
  program: Program,
): z.input<typeof profilerShape> | null {
  const counted = CALL_EVENTS.of(profile);
  const own = functionsOf(program, ['profiler']);
  const functions = program.locations.function;
  let calls = 0;
  let all = 0;
  for (let row = 0; row < (counted?.length ?? 0); row++) {
    const count = counted?.count[row] ?? 0;
    const stack = counted?.stack[row] ?? -1;
    all += count;
    if (stack >= 0 && own[functions[profile.stacks.location[stack]]] === 1) calls += count;
  }
  const apart = receivers?.apart ?? { sites: 0, executed: 0 };
  const rest = receivers?.shapes.reduce((sum, shape) => sum + shape.calls, 0) ?? 0;
  const branchSites = branches?.apart.sites ?? 0;
  if (calls === 0 && branchSites === 0 && apart.sites === 0) return null;
  return {
    calls,
    calls_share: share(calls, all),
    branch_sites: branchSites,
    receiver_sites: apart.sites,
    receiver_calls: apart.executed,
    receiver_share: share(apart.executed, rest + apart.executed),
  };
}

function branchSummary(input: ViewInput, profile: Profile, program: Program) {
  const events = BRANCH_EVENTS.of(profile);
  if (events === undefined) return null;
  const entries = new EntryCounts(profile, program);
  const all = siteGroups(profile, events, true).map((group) => branchSite(events, group, entries));
  const { sites, apart } = withoutProfiler(input, all, 'executions');
  const summary = {
    sites: sites.length,
    one_sided: sites.filter((site) => site.bias === 1).length,
    never: sites.filter((site) => site.executed === 0).length,
  };
  return { summary, apart };
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
