/**
 * The packages with the most frames in the events of whole recordings, whatever the scope, the metric or the direction of a graph: what
 * pictures give colours of their own, so that a package has the same colour in all graphs of a recording. Cost: one pass over the events and
 * one over the stacks.
 */
import { sumOf } from '../../base/columns/columns.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { eventTable, type Metric, type Profile } from '../../models/profile/profile.js';
import { FEW, usualMetric } from '../../models/profile/usual-metric.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { packagePart } from '../packages.js';
import { scopedUse } from '../scope/scoped.js';
import { exclusiveByStack, functionByStack } from '../stacks/stack-values.js';

/** As many as pictures have colours. */
export const MAIN_PACKAGES = 24;

const mainPackagesStage: Stage<readonly string[], undefined> = {
  name: 'main packages',
  version: 1,
  key: () => '',
  needs: (subjects) => subjects.map((subject) => scopedUse(whole(subject))),
  run: async (subjects, _, get) => {
    const framesOf = new Map<string, number>();
    for (const subject of subjects) {
      const { recording, profile } = await get(scopedUse(whole(subject)));
      if (profile === undefined) continue;
      for (const [name, frames] of framesByPackage(recording.program, profile))
        framesOf.set(name, (framesOf.get(name) ?? 0) + frames);
    }
    const ranked = [...framesOf].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    return ranked.slice(0, MAIN_PACKAGES).map(([name]) => name);
  },
  bytes: (names) => names.reduce((sum, { length }) => sum + 2 * length, 0),
};

/** Of a recording, and of the base that it is compared with; most frames first. */
export function mainPackagesUse(subjects: readonly Subject[]): StageUse<readonly string[]> {
  return use(mainPackagesStage, subjects, undefined);
}

function whole(subject: Subject): Subject {
  return { ...subject, scope: [] };
}

/** By package the frames of all stacks, by the values of each metric that belongs to stacks; of functions that have a package. */
export function framesByPackage(program: Program, profile: Profile): Map<string, number> {
  const { stacks } = profile;
  const counts = stackWeights(profile);
  const frames = new Float64Array(program.functions.length);
  const functions = functionByStack(stacks, program);
  for (let id = stacks.length - 1; id >= 0; id--) {
    if (functions[id] >= 0) frames[functions[id]] += counts[id];
    if (stacks.parent[id] >= 0) counts[stacks.parent[id]] += counts[id];
  }
  const byPackage = new Map<string, number>();
  for (const [id, count] of frames.entries()) {
    const owner = program.functions.class[id];
    const name = count === 0 || owner < 0 ? '' : packagePart(className(program, owner));
    if (name !== '') byPackage.set(name, (byPackage.get(name) ?? 0) + count);
  }
  return byPackage;
}

/** Each kind of events has the weight 1, less if it has few; what is shown without a choice has as much as all others together. */
function stackWeights(profile: Profile): Float64Array {
  const usual = usualMetric(profile.metrics, profile);
  const ofKinds = new Map<string, Metric>();
  for (const metric of profile.metrics) if (!ofKinds.has(metric.table)) ofKinds.set(metric.table, metric);
  if (usual !== undefined) ofKinds.set(usual.table, usual);
  const weights = new Float64Array(profile.stacks.length);
  for (const metric of ofKinds.values()) {
    const values = exclusiveByStack(profile, metric).map(Math.abs);
    const sum = sumOf(values);
    const events = eventTable(profile, metric.table)?.length ?? 0;
    const weight = metric === usual ? ofKinds.size : Math.min(1, events / FEW);
    for (let id = 0; sum > 0 && id < values.length; id++) weights[id] += (values[id] / sum) * weight;
  }
  return weights;
}
