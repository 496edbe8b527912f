/** `summary`: one page about a recording: format, contents, hottest code, problems. */
import { z } from 'zod';
import { checkedUse } from '../../analysis/checked.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { threadAllocationsUse } from '../../analysis/threads/stages.js';
import { type Note, note } from '../../base/note.js';
import { plainText, theView } from '../../base/phrase.js';
import type { Problems } from '../../base/problems.js';
import { share } from '../../base/share.js';
import { OTHER_EVENTS } from '../../models/events/exception.js';
import { SAMPLE_KINDS } from '../../models/events/thread-samples.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { heapShape, heapSummary, heapSummaryNeeds } from '../heap/dump-summary.js';
import { COMMON, common, HANDLE, handleField, number, text } from '../listing.js';
import { dumpsOf, fewNotes, otherEventNotes, ownRemarks } from '../metric-choice.js';
import { defineView } from '../question.js';
import { counterNotes } from '../threads/counter-check.js';
import { cpuLoad, cpuLoadShape } from './cpu-load.js';
import { findingsOf, findingsShape, waitFindingUse } from './findings.js';
import { cutWords } from './function-values.js';
import { type Hottest, overviewUse } from './overview.js';
import {
  callsShape,
  callsSummaryUse,
  classesShape,
  classesSummary,
  cutShape,
  gcShape,
  gcSummary,
  gcSummaryUse,
  levelDumps,
  locksShape,
  locksSummary,
} from './summary-parts.js';

/** The hottest functions, without the profiler's own. */
const hottest = z.object({
  value: number('Value', 'count', 'value of the metric'),
  share: z.number().nullable().meta({ title: 'Share', unit: 'ratio' }),
  function: text('Function', 'class, method and parameter types'),
  handle: HANDLE,
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
  version: 2,
  title: 'Summary',
  options: NO_OPTIONS,
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
        cut: z
          .array(z.object({ frames: z.number(), value: z.number() }))
          .describe('value in stacks that the recorder truncated, by the number of frames left'),
      }),
    ),
    findings: findingsShape,
    gc: gcShape.nullable(),
    cpu_load: cpuLoadShape.nullable(),
    classes: classesShape.nullable(),
    calls: callsShape.nullable(),
    heap: heapShape.nullable(),
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
  needs: (input) => ({
    problems: checkedUse(input.subject),
    overview: overviewUse(input.subject),
    gc: gcSummaryUse(input),
    waits: waitFindingUse(input),
    counted: threadAllocationsUse(input.subject),
    calls: input.recording.callGraph && callsSummaryUse(input.subject),
    ...heapSummaryNeeds(input),
  }),
  answer: (input, _, { problems, overview, gc, waits, counted, calls, outside }) => {
    const { recording, profile } = input;
    const { program } = recording;
    return {
      ...common(input, [
        ...metricRemarks(profile, overview.metrics),
        ...uncountedNotes(profile, program),
        ...counterNotes(input, counted),
      ]),
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
          : profile.metrics
              .filter(hasStacks)
              .map((metric, i) => ({ metric, part: metricSummary(profile, program, metric, overview.metrics[i]) }))
              // Their types have a field for a stack, which may be empty in all events.
              .filter(({ metric, part }) => metric.table !== OTHER_EVENTS.kind || part.sum !== 0)
              .map(({ part }) => part),
      findings: findingsOf(profile, program, overview.metrics, waits),
      gc: gcSummary(gc),
      cpu_load: cpuLoad(profile, program),
      classes: classesSummary(input),
      calls: calls ?? null,
      heap: heapSummary(input, outside),
      locks: locksSummary(input),
      cut_stacks: overview.cut,
      branches: overview.branches,
      receivers: overview.receivers === null ? null : [...overview.receivers],
      profiler: overview.profiler,
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

/** The recorders' remarks on the visible metrics, each once, and what of their samples is in stacks that were cut. */
function metricRemarks(profile: Profile | undefined, overview: readonly Hottest[]): Note[] {
  if (profile === undefined) return [];
  const cut = profile.metrics.filter(hasStacks).flatMap((metric, i) => cutNotes(metric, overview[i]));
  const metricNotes = profile.metrics.flatMap((metric) => [
    ...fewNotes(metric, profile),
    ...ownRemarks(metric, profile),
  ]);
  const each = [...new Map([...cut, ...metricNotes].map((one) => [plainText(one.text), outside(one)])).values()];
  const lacking = each.filter(({ code }) => LACKING.has(code));
  return [...lacking, ...each.filter(({ code }) => !LACKING.has(code))];
}

/** Notes on what no number has come before those on how exact numbers are. */
const LACKING: ReadonlySet<string> = new Set(['before-recording', 'virtual-waits']);

function uncountedNotes(profile: Profile | undefined, program: Program): Note[] {
  return profile === undefined ? [] : otherEventNotes(profile, program).map(outside);
}

/** A summary has no options: what another metric shows, functions do. */
function outside(each: Note): Note {
  const { set } = each.action ?? {};
  return set === undefined ? each : { ...each, action: { ask: theView('functions', { options: set }) } };
}

function cutNotes({ table, title, unit }: Metric, { cut, sum }: Hottest): Note[] {
  // Samples are counted; their times are in the same stacks.
  const words = SAMPLE_KINDS.has(table) && unit === 'samples' ? cutWords(cut, sum ?? 0) : undefined;
  return words === undefined ? [] : [note('truncated', `${title}: ${words}.`)];
}

function metricSummary(profile: Profile, program: Program, metric: Metric, { sum, functions, cut }: Hottest) {
  return {
    id: metric.id,
    title: metric.title,
    unit: metric.unit,
    ...(metric.resolution === undefined ? {} : { resolution: metric.resolution }),
    nature: metric.nature,
    dumps: metric.nature === 'level' ? levelDumps(profile, metric.table) : dumpsOf(metric, profile),
    sum,
    hottest: functions.map(({ id, value }) => ({
      value,
      share: sum === null ? null : share(value, sum),
      function: functionSignature(program, id),
      ...handleField(functionHandle(program, id)),
    })),
    cut: [...cut],
  };
}

function problemSummary(problems: Problems) {
  const severity = new Map(problems.list.map((problem) => [problem.code, problem.severity]));
  const count = (level: string): number =>
    Object.entries(problems.counts).reduce(
      (sum, [code, number]) => sum + (severity.get(code) === level ? number : 0),
      0,
    );
  return { errors: count('error'), warnings: count('warning'), infos: count('info'), codes: { ...problems.counts } };
}
