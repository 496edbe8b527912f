/**
 * The metrics of gprofng by its names, and its words for a choice of them: `e.%totalcpu:i.%totalcpu:name`. `e` exclusive, `i` inclusive,
 * `a` attributed; then `.` as time, `+` as a number, `%` as a share.
 */
import { dictionary } from '../../base/dictionary.js';
import type { ExperimentLog } from '../../formats/experiment/index.js';
import type { Profile } from '../../models/profile/profile.js';

export type Flavour = 'e' | 'i' | 'a';
/** `time` is microseconds. `static` metrics are facts of a row, not sums. */
export type Kind = 'time' | 'count' | 'ratio' | 'static';

/** A group of experiments in a comparison, and how its values are shown: the first one's as they are. */
export interface ComparedGroup {
  /** From 0 on. */
  readonly group: number;
  /** `c-single.er`. */
  readonly name: string;
  readonly how: 'on' | 'delta' | 'ratio';
}

export interface BaseMetric {
  readonly id: string;
  readonly title: string;
  /** As heads of columns have it. */
  readonly short: string;
  readonly kind: Kind;
  /** Ids of our metrics: one, or the dividend and the divisor of a ratio. */
  readonly own: readonly string[];
  /** Of comparisons: whose events it counts. */
  readonly compared?: ComparedGroup;
  /** What is shown by default. */
  readonly shown: readonly Flavour[];
  readonly share: boolean;
}

export interface ShownMetric {
  readonly base: BaseMetric;
  /** Undefined of static metrics. */
  readonly flavour: Flavour | undefined;
  readonly value: boolean;
  readonly share: boolean;
}

export interface Sorting {
  readonly metric: ShownMetric;
  readonly reversed: boolean;
}

type Words = readonly [id: string, title: string, kind: Kind, own: string, short?: string];
const time = (id: string, title: string, own: string, short = title): Words => [id, title, 'time', own, short];
const count = (id: string, title: string, own: string): Words => [id, title, 'count', own];

/** In the order in which gprofng lists them. */
const KNOWN: readonly Words[] = [
  time('total', 'Total Thread Time', 'total', 'Total Thread'),
  time('totalcpu', 'Total CPU Time', 'cpu', 'Total CPU'),
  time('user', 'User CPU Time', 'user', 'User CPU'),
  time('system', 'System CPU Time', 'system', 'Sys. CPU'),
  time('trap', 'Trap CPU Time', 'trap', 'Trap CPU'),
  time('datapfault', 'Data Page Fault Time', 'data-fault', 'Data Fault'),
  time('textpfault', 'Text Page Fault Time', 'text-fault', 'Text Fault'),
  time('kernelpfault', 'Kernel Page Fault Time', 'kernel-fault', 'Kernel Page Fault'),
  time('stop', 'Stopped Time', 'stopped', 'Stopped'),
  time('wait', 'Wait CPU Time', 'wait-cpu', 'Wait CPU'),
  time('sleep', 'Sleep Time', 'sleep', 'Sleep'),
  time('lock', 'User Lock Time', 'lock', 'User Lock'),
  time('sync', 'Sync Wait Time', 'sync', 'Sync Wait'),
  count('syncn', 'Sync Wait Count', 'sync-waits'),
  count('heapallocbytes', 'Bytes Allocated', 'heap-bytes'),
  count('heapalloccnt', 'Allocations', 'heap-allocations'),
  count('heapleakbytes', 'Bytes Leaked', 'heap-leaked'),
  count('heapleakcnt', 'Leaks', 'heap-leaks'),
  time('ioreadtime', 'Read Time', 'io-read-time'),
  count('ioreadbytes', 'Read Bytes', 'io-read'),
  count('ioreadcnt', 'Read Count', 'io-reads'),
  time('iowritetime', 'Write Time', 'io-write-time'),
  count('iowritebytes', 'Write Bytes', 'io-written'),
  count('iowritecnt', 'Write Count', 'io-writes'),
  time('ioothertime', 'Other I/O Time', 'io-other-time'),
  count('ioothercnt', 'Other I/O Count', 'io-others'),
  time('ioerrortime', 'I/O Error Time', 'io-error-time'),
  count('ioerrorcnt', 'I/O Error Count', 'io-errors'),
  time('mpitime', 'MPI Time', 'mpi-time'),
  count('mpisend', 'MPI Sends', 'mpi-sends'),
  count('mpibytessent', 'MPI Bytes Sent', 'mpi-sent'),
  count('mpireceive', 'MPI Receives', 'mpi-receives'),
  count('mpibytesrecv', 'MPI Bytes Received', 'mpi-received'),
  count('mpiother', 'Other MPI Calls', 'mpi-others'),
  time('ompwork', 'OpenMP Work Time', 'omp-work', 'OMP Work'),
  time('ompwait', 'OpenMP Wait Time', 'omp-wait', 'OMP Wait'),
  time('ompovhd', 'OpenMP Overhead Time', 'omp-overhead', 'OMP ovhd.'),
  time('masterthread', 'Master Thread Time', 'omp-master', 'Master Thread'),
];

/** What is shown by default, in this order: exclusive, inclusive or both, each with or without its share. */
const USUAL: readonly (readonly [id: string, flavours: readonly Flavour[], share: boolean])[] = [
  ['heapleakbytes', ['i'], false],
  ['heapleakcnt', ['i'], false],
  ['heapallocbytes', ['i'], false],
  ['heapalloccnt', ['i'], false],
  ['totalcpu', ['e', 'i'], true],
  ['sync', ['i'], false],
  ['syncn', ['i'], false],
  ['mpitime', ['i'], false],
  ['mpisend', ['i'], false],
  ['mpibytessent', ['i'], false],
  ['mpireceive', ['i'], false],
  ['mpibytesrecv', ['i'], false],
  ['ompwork', ['i'], false],
  ['ompwait', ['i'], false],
  ['ioreadtime', ['i'], false],
  ['iowritetime', ['i'], false],
  ['ioothertime', ['i'], false],
  ['ioerrortime', ['i'], false],
];

const NAME: BaseMetric = {
  id: 'name',
  title: 'Name',
  short: 'Name',
  kind: 'static',
  own: [],
  shown: [],
  share: false,
};
const STATIC: readonly BaseMetric[] = [
  { id: 'size', title: 'Size', short: 'Size', kind: 'static', own: [], shown: [], share: false },
  { id: 'address', title: 'PC Address', short: 'PC Addr.', kind: 'static', own: [], shown: [], share: false },
  NAME,
];

/** Metrics of the microstates of Solaris. */
const SOLARIS = [
  ...['total', 'user', 'system', 'trap', 'data-fault', 'text-fault', 'kernel-fault'],
  ...['stopped', 'wait-cpu', 'sleep', 'lock'],
];

/** Whether a log says that the microstates of Solaris were recorded. */
export function hasMicrostates({ data }: Pick<ExperimentLog, 'data'>): boolean {
  return data.some(({ name, attributes }) => name === 'profile' && attributes.get('numstates') === '10');
}

/** Whether gprofng has a metric for one of ours. */
export function isListed({ id, field }: Profile['metrics'][number]): boolean {
  return field?.startsWith('counter_') === true || KNOWN.some(([, , , own]) => own === id);
}

/** Metrics that gprofng shows without an event, by the data that the log names. */
const BY_DATA = dictionary<readonly string[]>({
  profile: ['cpu'],
  synctrace: ['sync', 'sync-waits'],
  heaptrace: ['heap-bytes', 'heap-allocations', 'heap-leaked', 'heap-leaks'],
  iotrace: KNOWN.flatMap(([id, , , ownMetric]) => (id.startsWith('io') ? [ownMetric] : [])),
});

/** The data of the log that a metric comes from. */
function dataOf({ id }: BaseMetric): string {
  if (id === 'sync' || id === 'syncn') return 'synctrace';
  if (id.startsWith('heap')) return 'heaptrace';
  if (id.startsWith('io')) return 'iotrace';
  // Times of OpenMP are those of clock profiling in its states.
  if (id.startsWith('omp') || id === 'masterthread') return 'profile';
  if (id.startsWith('mpi')) return 'mpview';
  return KNOWN.some(([metric]) => metric === id) ? 'profile' : 'hwcounter';
}

/** Metrics in the order in which the log names their data; those of other data stay behind them. */
function inLogOrder(bases: readonly BaseMetric[], data: readonly string[]): BaseMetric[] {
  const place = (base: BaseMetric): number => {
    const at = data.indexOf(dataOf(base));
    return at < 0 ? data.length : at;
  };
  return [...bases].sort((a, b) => place(a) - place(b));
}

/** The metrics of a profile, in the order in which gprofng lists them. `logs`: what was recorded. */
export function baseMetrics(profile: Profile, logs: readonly ExperimentLog[]): BaseMetric[] {
  const data = logs.flatMap((log) => log.data.map(({ name }) => name));
  const recorded = new Set([
    ...profile.metrics.map(({ id }) => id),
    ...data.flatMap((name) => BY_DATA[name] ?? []),
    ...(logs.some(hasMicrostates) ? SOLARIS : []),
  ]);
  const usual = new Map(USUAL.map(([id, flavours, share]) => [id, { shown: flavours, share }]));
  const found = KNOWN.flatMap(([id, title, kind, own, short = title]): BaseMetric[] => {
    if (!recorded.has(own)) return [];
    return [{ id, title, short, kind, own: [own], ...(usual.get(id) ?? { shown: [], share: false }) }];
  });
  const known = new Set(KNOWN.map(([, , , own]) => own));
  const counters = profile.metrics
    .filter(({ id, field }) => !known.has(id) && field?.startsWith('counter_') === true)
    .map(({ id }): BaseMetric => {
      const title = `${id} Events`;
      return { id, title, short: title, kind: 'count', own: [id], shown: ['e'], share: true };
    });
  return [...inLogOrder([...found, ...counters], data), ...ratios(recorded), ...STATIC];
}

/** Instructions per cycle and its inverse, where both counters are recorded. */
function ratios(recorded: ReadonlySet<string>): BaseMetric[] {
  if (!recorded.has('cycles') || !recorded.has('insts')) return [];
  const ratio = (id: string, title: string, own: readonly string[]): BaseMetric => {
    return { id, title, short: id, kind: 'ratio', own, shown: [], share: false };
  };
  return [
    ratio('IPC', 'Instructions Per Cycle', ['insts', 'cycles']),
    ratio('CPI', 'Cycles Per Instruction', ['cycles', 'insts']),
  ];
}

/** Those that gprofng shows unless told otherwise. */
export function usualMetrics(bases: readonly BaseMetric[]): ShownMetric[] {
  const order = new Map(USUAL.map(([id], i) => [id, i]));
  const usual = bases
    .filter((base) => base.shown.length > 0)
    .sort((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size))
    .flatMap((base) => base.shown.map((flavour): ShownMetric => ({ base, flavour, value: true, share: base.share })));
  return [...usual, ...nameOf(bases)];
}

function nameOf(bases: readonly BaseMetric[]): ShownMetric[] {
  return bases.filter(({ id }) => id === 'name').map((base) => fact(base));
}

function fact(base: BaseMetric): ShownMetric {
  return { base, flavour: undefined, value: true, share: false };
}

/** CPU time, else the first metric that is shown by default; by the name if there is none. */
export function usualSorting(bases: readonly BaseMetric[]): Sorting {
  const time = bases.find(({ id }) => id === 'totalcpu');
  if (time !== undefined) return { metric: { base: time, flavour: 'e', value: true, share: true }, reversed: false };
  return { metric: usualMetrics(bases)[0] ?? fact(NAME), reversed: false };
}

/** One part of a choice, `e.%totalcpu`. */
const PART = /^([eia]*)([.+%!]*)([A-Za-z_][\w-]*)$/;
/** Words for all metrics, and for those of hardware counters. */
const ALL = ['any', 'all'];
const COUNTERS = 'hwc';

/**
 * A choice of metrics: the name is the last one unless the text has it, `default` alone is what is shown unless told otherwise, hidden metrics (`!`)
 * are left out. The message of gprofng if the profile has no data for a part, a part names a metric again, or nothing is left.
 */
export function parseMetrics(text: string, bases: readonly BaseMetric[]): ShownMetric[] | string {
  if (text === 'default') return usualMetrics(bases);
  const chosen: ShownMetric[] = [];
  for (const part of text.split(':').filter((each) => each !== '')) {
    if (/^[ei]*a[eia]*[.+%!]/.test(part))
      return `Invalid metric specification: ${part} applicable for caller-callee metrics only\n`;
    const metrics = metricsOf(part, bases);
    if (metrics === undefined) return `No data recorded to support metric specification: ${part}\n`;
    const isRepeated = metrics.some((metric) =>
      chosen.some(({ base, flavour }) => base === metric.base && flavour === metric.flavour),
    );
    if (isRepeated) return `Metric specification for \`${part}' has appeared before in ${text}`;
    chosen.push(...metrics);
  }
  if (chosen.length === 0) return `No valid metrics specified in \`${text}'\n`;
  return chosen.some(({ base }) => base.id === 'name') ? chosen : [...chosen, ...nameOf(bases)];
}

/** The metrics of a part, none if they are hidden; undefined if there is no data for it. */
function metricsOf(part: string, bases: readonly BaseMetric[]): ShownMetric[] | undefined {
  const isWord = ALL.includes(part) || bases.some(({ id }) => id === part);
  // `insts` is no metric `nsts`, inclusive.
  const [, flavours = '', how = '', id = ''] = isWord ? [part, '', '', part] : (PART.exec(part) ?? []);
  const partBases = bases.filter((base) => {
    if (ALL.includes(id)) return true;
    return id === COUNTERS ? isCounter(base) : base.id === id;
  });
  // Without a flavour, only values can be meant.
  if (partBases.length === 0 || (flavours === '' && !/^\.?!?$/.test(how))) return undefined;
  // The name cannot be hidden.
  if (how.includes('!')) return partBases.filter(({ id: each }) => each === 'name').map(fact);
  const share = how.includes('%');
  const value = /[.+]/.test(how) || !share;
  return partBases.flatMap((base): ShownMetric[] => {
    if (base.kind === 'static') return [fact(base)];
    return [...new Set(flavours === '' ? 'ei' : flavours)].flatMap((flavour) =>
      isFlavour(flavour) ? [{ base, flavour, value, share }] : [],
    );
  });
}

/** Counters of the hardware have names of their own. */
export function isCounter({ id, kind }: BaseMetric): boolean {
  return kind === 'count' && !KNOWN.some(([knownId]) => knownId === id);
}

function isFlavour(letter: string): letter is Flavour {
  return Object.hasOwn(FLAVOURS, letter);
}

/** By the first exclusive metric, else by the first one with values, else by the name. */
export function sortingOf(chosen: readonly ShownMetric[]): Sorting {
  const metric =
    chosen.find(({ flavour }) => flavour === 'e') ?? chosen.find(({ flavour }) => flavour !== undefined) ?? fact(NAME);
  return { metric, reversed: false };
}

/** `e.%totalcpu`: what is shown of a metric. */
export function specOf({ base, flavour, value, share }: ShownMetric): string {
  if (flavour === undefined) return base.id;
  const how = base.kind === 'time' ? '.' : '+';
  return `${flavour}${value ? how : ''}${share ? '%' : ''}${base.id}`;
}

const FLAVOURS: Readonly<Record<Flavour, string>> = { e: 'Exclusive', i: 'Inclusive', a: 'Attributed' };
const SHORT_FLAVOURS: Readonly<Record<Flavour, string>> = { e: 'Excl.', i: 'Incl.', a: 'Attr.' };

/** What tells metrics apart, those of groups in comparisons, too. */
export function metricKey({ id, compared }: BaseMetric): string {
  return compared === undefined ? id : `${id} ${compared.group}`;
}

/** `Exclusive Total CPU Time`. */
export function titleOf({ base, flavour }: Pick<ShownMetric, 'base' | 'flavour'>): string {
  return flavour === undefined ? base.title : `${FLAVOURS[flavour]} ${base.title}`;
}

/** The title of a metric in another flavour; facts of rows have none. */
export function titleIn({ base, flavour }: ShownMetric, other: Flavour): string {
  return titleOf({ base, flavour: flavour && other });
}

/** The title of what lists are sorted by. */
export function sortTitle({ metric, reversed }: Sorting): string {
  return `${reversed ? '-' : ''}${titleOf(metric)}`;
}

/** `Excl. Total CPU`, for heads of columns. */
export function headOf({ base, flavour }: Pick<ShownMetric, 'base' | 'flavour'>): string {
  return flavour === undefined ? base.short : `${SHORT_FLAVOURS[flavour]} ${base.short}`;
}

/** Each metric once, attributed, as the first of its columns shows it; static ones stay. */
export function attributed(metrics: readonly ShownMetric[]): ShownMetric[] {
  const seen = new Set<string>();
  return metrics.flatMap((metric): ShownMetric[] => {
    if (metric.flavour === undefined) return [metric];
    if (seen.has(metricKey(metric.base))) return [];
    seen.add(metricKey(metric.base));
    return [{ ...metric, flavour: 'a' }];
  });
}
