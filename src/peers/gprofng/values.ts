/** Values of the rows of a list: functions, lines or places of code, exclusive and inclusive. */
import { scopedUse } from '../../analysis/scope/scoped.js';
import { exclusiveByFunction, inclusiveByFunction, inclusiveByStack } from '../../analysis/stacks/stack-values.js';
import { exclusiveUse } from '../../analysis/stacks/stages.js';
import { MACHINE_STACK } from '../../models/events/shared-fields.js';
import { type Subject, subjectOf } from '../../models/open-recording.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ScopeStep, ViewMode } from '../../models/scope.js';
import { columnOf } from '../../models/table.js';
import { type BaseMetric, isListed, type ShownMetric } from './metrics.js';
import type { Experiment } from './peer/experiment.js';

const MICROSECOND = 1000;

/** Which row of the list each location belongs to. */
export interface Grouping {
  readonly ofLocation: Int32Array;
  readonly count: number;
}

/** A metric by row; the sum is that of `<Total>`. */
export interface RowValues {
  readonly exclusive: Float64Array;
  readonly inclusive: Float64Array;
  readonly sum: number;
}

/** What is asked of: an experiment in a mode. */
export class Asked {
  readonly experiment: Experiment;
  readonly subject: Subject;
  readonly #mode: ViewMode;
  readonly #ofGroup: ((group: number) => Asked) | undefined;
  #used: Promise<Uint8Array> | undefined;

  /** `ofGroup`: the same of the events of one group of experiments, for comparisons. */
  constructor(experiment: Experiment, mode: ViewMode, ofGroup?: (group: number) => Asked) {
    this.experiment = experiment;
    this.#ofGroup = ofGroup;
    this.#mode = mode;
    const [source] = experiment.session.sources;
    if (source === undefined) throw new Error('an experiment without a recording');
    const hasModes = experiment.profile.events.some((table) => columnOf(table, MACHINE_STACK) !== undefined);
    const scope: readonly ScopeStep[] = hasModes ? [{ kind: 'view-mode', mode }] : [];
    this.subject = subjectOf(source, scope);
  }

  /** Whether places of stacks are lines, as in the user mode of OpenMP. */
  get hasLines(): boolean {
    return this.#mode === 'user' && this.experiment.hasOpenmp;
  }

  /** The profile with the stacks of the mode. */
  async profile(): Promise<Profile> {
    return (await this.experiment.get(scopedUse(this.subject))).profile ?? this.experiment.profile;
  }

  /** The exclusive value of each stack, in microseconds if it is a time. */
  async byStack(base: BaseMetric): Promise<Float64Array> {
    const { own, kind, compared } = base;
    if (compared !== undefined && this.#ofGroup !== undefined) return this.#ofGroup(compared.group).byStack(base);
    const metric = this.experiment.profile.metrics.find(({ id }) => id === own[0]);
    // Data without an event has no metric.
    if (metric === undefined) return new Float64Array((await this.profile()).stacks.length);
    const values = await this.experiment.get(exclusiveUse(this.subject, metric));
    return kind === 'time' ? values.map((value) => value / MICROSECOND) : values;
  }

  /** The values of each row, for metrics that are sums. */
  async byRow(base: BaseMetric, grouping: Grouping): Promise<RowValues> {
    if (base.kind === 'ratio') return this.#ratio(base, grouping);
    const { stacks } = await this.profile();
    const byStack = await this.byStack(base);
    const groups = stacks.location.map((location) => grouping.ofLocation[location]);
    const { values: exclusive, sum } = exclusiveByFunction(groups, byStack, grouping.count);
    const inclusive = inclusiveByFunction(stacks, groups, inclusiveByStack(stacks, byStack), grouping.count);
    return { exclusive, inclusive, sum };
  }

  async #ratio(base: BaseMetric, grouping: Grouping): Promise<RowValues> {
    const [over = '', under = ''] = base.own;
    const counter = (id: string): BaseMetric => ({ ...base, kind: 'count', own: [id] });
    const [a, b] = [await this.byRow(counter(over), grouping), await this.byRow(counter(under), grouping)];
    const divided = (x: number, y: number): number => (y === 0 ? 0 : x / y);
    return {
      exclusive: a.exclusive.map((value, i) => divided(value, b.exclusive[i])),
      inclusive: a.inclusive.map((value, i) => divided(value, b.inclusive[i])),
      sum: divided(a.sum, b.sum),
    };
  }

  /** 1 for each stack that has a value of any metric, or is above one that does. */
  async used(): Promise<Uint8Array> {
    this.#used ??= this.#findUsed();
    return this.#used;
  }

  async #findUsed(): Promise<Uint8Array> {
    const { stacks } = await this.profile();
    const used = new Uint8Array(stacks.length);
    for (const metric of this.experiment.profile.metrics.filter(isListed)) {
      const values = await this.experiment.get(exclusiveUse(this.subject, metric));
      for (let id = 0; id < used.length; id++) if (values[id] !== 0) used[id] = 1;
    }
    for (let id = stacks.length - 1; id >= 0; id--) {
      const parent = stacks.parent[id];
      if (used[id] === 1 && parent >= 0) used[parent] = 1;
    }
    return used;
  }

  /** 1 for each row that an event has. */
  async usedRows({ ofLocation, count }: Grouping): Promise<Uint8Array> {
    const { stacks } = await this.profile();
    const used = await this.used();
    const rows = new Uint8Array(count);
    for (let id = 0; id < stacks.length; id++) if (used[id] === 1) rows[ofLocation[stacks.location[id]]] = 1;
    return rows;
  }
}

/** The value that a column shows of a row. */
export function shownValue({ flavour }: ShownMetric, values: RowValues, row: number): number {
  return (flavour === 'e' ? values.exclusive[row] : values.inclusive[row]) ?? 0;
}
