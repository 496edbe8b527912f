/** The values that a difference compares row by row: functions and classes, with a number for each run. */
import { joinedClassHandles } from '../../analysis/identity/named-classes.js';
import { joinedHandles } from '../../analysis/identity/named-functions.js';
import type { United } from '../../analysis/identity/unite.js';
import {
  exclusiveByFunction,
  inclusiveByFunction,
  inclusiveByStack,
  squaresByStack,
} from '../../analysis/stacks/stack-values.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { CLASS_OBJECTS } from '../../models/heap/heap.js';
import type { Metric } from '../../models/profile/profile.js';
import { className, functionSignature } from '../../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import { requireLevels } from '../heap/classes.js';
import { metricOf } from '../metric-choice.js';
import {
  commonMetrics,
  JOINS,
  type Join,
  joinsOf,
  metricDifferences,
  momentNotes,
  noCommon,
  type Sides,
  sideNotes,
  stepOf,
} from './runs.js';

/** What a difference compares: a metric of the recordings, or a count of its own kind. */
export type DiffMetric = Pick<Metric, 'id' | 'title' | 'unit' | 'nature' | 'resolution'>;

/** Rows with a number for each run; rows that are 0 in all runs are skipped. */
export interface ValueRows {
  readonly metric: DiffMetric;
  readonly length: number;
  /** By run, then row. */
  readonly values: readonly Float64Array[];
  /** Inclusive values, if all runs have them. */
  readonly totals: readonly Float64Array[] | undefined;
  /** By run: the sum; 0 if rows overlap and the total is not in the recording. */
  readonly sums: readonly number[];
  /** By run: the weight of one event, 0 if unknown. */
  readonly steps: readonly number[];
  /** By run: variances of counting by row, of values and totals, where single events have weights; in place of `steps`. */
  readonly counting?: readonly Counting[];
  readonly name: (row: number) => string;
  readonly join: (row: number) => Join;
  /** How many names of one recording share the row. */
  readonly names: (row: number) => number;
  readonly handle?: (row: number) => string | undefined;
  readonly notes: readonly Note[];
}

export function functionRows(sides: Sides, id: string | undefined): ValueRows {
  const { runs, bases } = sides;
  const united = sides.united.functions;
  const metrics = commonMetrics(runs, id);
  const spellings = new Spellings(functionSignature, united.length);
  const read = runs.map((_, i) => functionValues(sides, i, metrics[i], united.length));
  runs.forEach(({ recording }, i) => {
    spellings.add(recording.program, read[i].used, united.rows[i]);
  });
  const totals = read.flatMap((run) => run.totals ?? []);
  return {
    metric: metricOf(metrics[bases]),
    length: united.length,
    values: read.map((run) => run.values),
    totals: totals.length === runs.length ? totals : undefined,
    sums: read.map((run) => run.sum),
    steps: metrics.map(stepOf),
    ...countingOf(read.map(({ counting }) => counting)),
    ...named(united, sides.functionJoins, spellings),
    handle: joinedHandles(runs[bases].recording.program, united, bases),
    notes: [
      ...momentNotes(sides),
      ...metricDifferences(metrics[bases], metrics[0]),
      ...sideNotes(read[0].notes, read[bases].notes),
    ],
  };
}

/** Of all runs, or of none. */
export function countingOf(runCountings: readonly (Counting | undefined)[]): Pick<ValueRows, 'counting'> {
  const counting = runCountings.filter((one) => one !== undefined);
  return counting.length === runCountings.length ? { counting } : {};
}

export interface Counting {
  readonly values: Float64Array;
  readonly totals: Float64Array | undefined;
}

interface RunValues {
  readonly values: Float64Array;
  readonly totals: Float64Array | undefined;
  readonly sum: number;
  readonly used: readonly number[];
  readonly notes: readonly Note[];
  readonly counting?: Counting;
}

/**
 * Values by joined function. Functions of one row count as one function: a stack counts once for them, at the outermost
 * one. Without exclusive values, the inclusive ones are used.
 */
function functionValues({ runs, united, along }: Sides, run: number, metric: Metric, length: number): RunValues {
  const { profile } = runs[run];
  const rows = united.functions.rows[run];
  const values = new Float64Array(length);
  if (profile === undefined) return { values, totals: undefined, sum: 0, used: [], notes: [] };
  const { exclusive, inclusive, used, sum, notes } = along.values[run];
  const first = exclusive ?? inclusive;
  for (const id of used) values[rows[id]] += first?.[id] ?? 0;
  if (metric.nature !== 'flow' || exclusive === undefined || inclusive === undefined)
    return { values, totals: undefined, sum, used, notes };
  const { stacks } = profile;
  const ofStack = along.functions[run].map((id) => rows[id]);
  const totalsOf = (byStack: Float64Array): Float64Array =>
    inclusiveByFunction(stacks, ofStack, inclusiveByStack(stacks, byStack), length);
  const squares = squaresByStack(profile, metric);
  return {
    values,
    totals: totalsOf(along.exclusive[run]),
    sum,
    used,
    notes,
    ...(squares && {
      counting: { values: exclusiveByFunction(ofStack, squares, length).values, totals: totalsOf(squares) },
    }),
  };
}

/** The names of one recording that share a row. */
class Spellings {
  readonly #nameOf: (program: Program, id: number) => string;
  /** Number of rows. */
  readonly #length: number;
  /** By row: the first name of each run; all names of rows that have several. */
  readonly #several = new Map<number, Set<string>>();
  readonly #counts = new Map<number, number>();

  constructor(nameOf: (program: Program, id: number) => string, length: number) {
    this.#nameOf = nameOf;
    this.#length = length;
  }

  add(program: Program, used: Iterable<ClassId | FunctionId>, rows: Int32Array): void {
    const first = new Int32Array(this.#length).fill(NONE);
    this.#several.clear();
    for (const id of used) {
      const row = rows[id];
      const firstId = first[row];
      if (firstId < 0) {
        first[row] = id;
        continue;
      }
      const names = this.#several.get(row) ?? new Set([this.#nameOf(program, firstId)]);
      this.#several.set(row, names.add(this.#nameOf(program, id)));
    }
    for (const [row, names] of this.#several) this.#counts.set(row, Math.max(this.#counts.get(row) ?? 1, names.size));
  }

  of(row: number): number {
    return this.#counts.get(row) ?? 1;
  }
}

function named(united: United, joins: Uint8Array, spellings: Spellings) {
  return {
    name: (row: number) => united.name(row),
    join: (row: number) => JOINS[joins[row]] ?? 'exact',
    names: (row: number) => spellings.of(row),
  };
}

const CLASS_METRICS = [
  { id: 'live-bytes', title: 'Bytes', nature: 'level', unit: 'bytes', key: 'bytes' },
  { id: 'live-objects', title: 'Objects', nature: 'level', unit: 'count', key: 'objects' },
] as const;

/** The class name that histograms use for the class objects of a heap dump. */
const CLASS_OF_CLASSES = 'java.lang.Class';

/** The row of a name; -1 if there is none. */
function rowNamed({ length, name }: United, rowName: string): number {
  for (let row = 0; row < length; row++) if (name(row) === rowName) return row;
  return -1;
}

export function classRows(sides: Sides, id: string | undefined): ValueRows {
  const { runs, bases } = sides;
  const united = sides.united.classes;
  const levels = runs.map(requireLevels);
  const common = CLASS_METRICS.filter(({ key }) =>
    levels.every(({ classes }) => classes.every((level) => level[key] !== null)),
  );
  const chosen = id === undefined ? common[0] : common.find((candidate) => candidate.id === id);
  if (chosen === undefined) throw noCommon(id, common);
  // After the joined classes: class objects, if no class has that name, and objects of unknown class.
  const classOfClasses = rowNamed(united, CLASS_OF_CLASSES);
  const extra = classOfClasses < 0 ? [CLASS_OF_CLASSES, '<unknown>'] : ['<unknown>'];
  const ofClasses = classOfClasses < 0 ? united.length : classOfClasses;
  const length = united.length + extra.length;
  const spellings = new Spellings(className, united.length);
  const values = levels.map(({ classes }, i) => {
    const rows = united.rows[i];
    const sums = new Float64Array(length);
    for (const { class: classId, [chosen.key]: value } of classes)
      sums[classId === CLASS_OBJECTS ? ofClasses : classId < 0 ? length - 1 : rows[classId]] += value ?? 0;
    const ids = classes.map((level) => level.class).filter((classId) => classId >= 0);
    spellings.add(runs[i].recording.program, ids, rows);
    return sums;
  });
  const { key: _key, ...metric } = chosen;
  const [base, now] = [levels[0], levels[bases]];
  const several = levels.some(({ dumps }) => dumps > 1);
  const which = `Dump ${base.dump} of ${base.dumps} of the base, dump ${now.dump} of ${now.dumps} of this.`;
  const names = named(united, joinsOf(united, bases), spellings);
  const handle = joinedClassHandles(runs[bases].recording.program, united, bases);
  return {
    ...names,
    metric,
    length,
    values,
    totals: undefined,
    sums: values.map((column) => column.reduce((sum, value) => sum + value, 0)),
    steps: runs.map(() => 0),
    name: (row) => extra[row - united.length] ?? names.name(row),
    handle: (row) => (row < united.length ? handle(row) : undefined),
    notes: several ? [note('dump', which)] : [],
  };
}
