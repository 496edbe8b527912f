/** The summary of a recording as a page of text. Damage comes first, before the numbers that it affects. */
import type { Problem } from '../../base/problems.js';
import { formatBytes, formatCount, formatValue, plural, type Unit } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import type { ResultOf } from '../../views/index.js';

type Summary = ResultOf<'summary'>;

/** `problems`: listed on the page, where there is no file that `check` could be asked about. */
export function summaryPage(summary: Summary, problems?: readonly Problem[]): string {
  const sections = sectionsOf(summary);
  const width = sections.reduce((most, [name]) => Math.max(most, name.length), 10);
  const damaged = !summary.complete || summary.problems.errors > 0;
  const lines = [
    `${readable(summary.recording)}: ${summary.format} ${readable(summary.metadata.version ?? '')}`.trimEnd(),
    ...(summary.complete ? [] : ['Part of the input could not be read; the numbers cover the rest.']),
    ...(damaged ? problemLines(summary, problems) : []),
    ...aboutLines(summary),
    ...headerLines(summary),
    ...findingLines(summary),
    ...gcLines(summary),
    '',
    ...sections
      .slice(0, MOST_SECTIONS)
      .map(([name, entries]) => `  ${name.padEnd(width)}  ${formatCount(entries).padStart(12)}`),
    ...(sections.length > MOST_SECTIONS
      ? [`  and ${plural(sections.length - MOST_SECTIONS, 'more', 'more')} (--format json has all)`]
      : []),
    '',
    ...(isOfFigures(summary) ? factLines(summary) : [programLine(summary)]),
    ...metricsLines(summary.metrics),
    ...classLines(summary),
    ...callLines(summary),
    ...heapLines(summary),
    ...lockLines(summary),
    ...branchLines(summary),
    ...receiverLines(summary),
    ...profilerLines(summary),
    ...(damaged ? [] : ['', ...problemLines(summary, problems)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** More sections are shown by number of entries, most first. */
const MOST_SECTIONS = 20;
/** Of more metrics only the first of each unit have their functions. */
const MOST_METRICS = 6;

function sectionsOf(summary: Summary): (readonly [string, number])[] {
  const sections = Object.entries(summary.sections).map(([name, entries]) => [readable(name), entries] as const);
  return sections.length > MOST_SECTIONS ? sections.sort((a, b) => b[1] - a[1]) : sections;
}

/** What a person asks first of a recording: when, how long, of what program, where; by key of the metadata. */
const ABOUT: Readonly<Record<string, string>> = {
  started: 'Started',
  duration: 'Duration',
  jvm: 'JVM',
  vm: 'JVM',
  command: 'Command',
  'jvm-arguments': 'JVM arguments',
  os: 'System',
  cpu: 'Processor',
  cpus: 'Processors',
  collector: 'Collector',
  heap: 'Heap',
};
/** Characters of a line of these. */
const LONGEST_ABOUT = 160;

function aboutLines({ metadata, format, sections, gc, cpu_load: load }: Summary): string[] {
  const lines = Object.entries(ABOUT).flatMap(([key, title]) => {
    const value = readable(metadata[key] ?? '');
    return value === '' ? [] : [`${title}: ${value}`];
  });
  if (gc !== null && gc.used_after !== null && gc.used_most !== null)
    lines.push(
      `Used heap: ${formatBytes(gc.used_after)} after the last collection, ${formatBytes(gc.used_most)} at most when one began or ended`,
    );
  if (load !== null) {
    const [jvm, machine] = [load.jvm, load.machine].map((share) => formatValue(share, 'ratio'));
    lines.push(`CPU load: ${jvm} by this program, ${machine} by all, as means of ${plural(load.values, 'value')}`);
  }
  const ownEvents =
    format === 'jfr' ? Object.entries(sections).filter(([name, count]) => count > 0 && !OF_RECORDERS.test(name)) : [];
  const ownTexts = ownEvents.slice(0, MOST_OWN).map(([name, count]) => `${readable(name)} ${formatCount(count)}`);
  const more = ownEvents.length - ownTexts.length;
  if (ownTexts.length > 0)
    lines.push(`Own events: ${ownTexts.join(', ')}${more > 0 ? ` and ${plural(more, 'type')} more` : ''}`);
  return lines.map((line) => (line.length > LONGEST_ABOUT ? `${line.slice(0, LONGEST_ABOUT - 1)}…` : line));
}

/** Events that recorders write; others are of the program. */
const OF_RECORDERS = /^(?:jdk|profiler|datadog|one\.profiler)\./;
const MOST_OWN = 5;

/** Lines of a header that are shown; a licence is longer. */
const MOST_HEADER = 8;

/** What the recorder wrote about the file itself: options, whose it is. */
function headerLines({ metadata }: Summary): string[] {
  if (metadata.header === undefined) return [];
  const lines = metadata.header.split('\n').filter((line) => line.trim() !== '');
  const left = lines.length - MOST_HEADER;
  return [
    ...(metadata.created === undefined ? [] : [`Created ${readable(metadata.created)}`]),
    ...lines.slice(0, MOST_HEADER).map((line) => `  ${readable(line.trimEnd())}`),
    ...(left > 0
      ? [`  and ${plural(left, 'more line of the header', 'more lines of the header')} (--format json has all)`]
      : []),
  ];
}

function findingLines({ findings, metrics }: Summary): string[] {
  const lines = findings.flatMap((finding) => {
    const metric = metrics.find(({ id }) => id === finding.metric);
    if (metric === undefined || finding.share === null) return [];
    const sum = formatValue(finding.sum, unitOf(metric.unit), metric.resolution);
    const without = finding.sum === metric.sum ? '' : ', idle threads left out';
    const { low, high } = finding;
    const between =
      low === null || high === null ? '' : ` (${formatValue(low, 'ratio')} to ${formatValue(high, 'ratio')})`;
    const part = `${formatValue(finding.share, 'ratio')}${between}`;
    return [`${metric.title} ${sum}${without}: ${part} in ${readable(finding.function)}`];
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Part of the findings. */
function gcLines({ gc, findings }: Summary): string[] {
  if (gc === null || gc.share === null) return [];
  const longest = gc.longest === null ? '' : `, longest ${formatValue(gc.longest, 'ns')}`;
  const line = `Pauses of garbage collection ${formatValue(gc.paused, 'ns')}: ${formatValue(gc.share, 'ratio')} of ${formatValue(gc.span, 'ns')} in ${plural(gc.pauses, 'pause')}${longest}`;
  return findings.length === 0 ? ['', line] : [line];
}

/** On one page: of many metrics, those after the first have a line each. */
function metricsLines(metrics: Summary['metrics']): string[] {
  if (metrics.length <= MOST_METRICS) return metrics.flatMap(metricLines);
  const [first, ...others] = metrics;
  return [...metricLines(first), '', ...others.flatMap((metric) => metricLines({ ...metric, hottest: [] }).slice(1))];
}

/** Whether it has nothing but what is said of a build or a machine. */
function isOfFigures({ program, metrics, calls, heap, locks, classes }: Summary): boolean {
  const { classes: types, functions } = program;
  return (
    types + functions + metrics.length === 0 && calls === null && heap === null && locks === null && classes === null
  );
}

function factLines({ metadata }: Summary): string[] {
  return Object.entries(metadata).map(([key, value]) => `  ${readable(key)}: ${readable(value)}`);
}

function programLine(summary: Summary): string {
  const { classes, functions, locations } = summary.program;
  const types = plural(classes, 'type');
  if (functions === 0) return `  ${types}`;
  if (summary.calls !== null && locations === 0)
    return `  ${plural(functions, 'method')} of ${types}, those that calls only declare included`;
  if (summary.stacks === 0 && locations === 0) return `  ${plural(functions, 'method')} of ${types}`;
  const cut =
    summary.cut_stacks === null
      ? ''
      : `; ${formatCount(summary.cut_stacks.cut)} of ${plural(summary.cut_stacks.stacks, 'stack')} ${summary.cut_stacks.cut === 1 ? 'is' : 'are'} truncated at the depth limit`;
  return `  ${plural(summary.stacks, 'context frame')}, ${plural(locations, 'place')} in ${plural(functions, 'method')} of ${types}${cut}`;
}

function classLines(summary: Summary): string[] {
  const { classes } = summary;
  if (classes === null) return [];
  const { dump, dumps } = classes;
  const moment = dumps === 1 ? '' : `Dump ${dump} of ${dumps}${dump === dumps ? ', the last' : ''}: `;
  const head = `${moment}${plural(classes.objects, 'object')} of ${plural(classes.classes, 'class', 'classes')}${classes.bytes === null ? '' : `, ${formatBytes(classes.bytes)}`}${classes.largest.length === 0 ? '' : ', most of them in'}`;
  const rows = classes.largest.map((one) => {
    const share = one.share === null ? '' : formatValue(one.share, 'ratio');
    const amount = one.bytes === null ? formatCount(one.objects) : formatBytes(one.bytes);
    return `  ${amount.padStart(16)}  ${share.padStart(8)}  ${readable(one.class)}`;
  });
  return ['', head, ...rows];
}

function callLines({ calls }: Summary): string[] {
  if (calls === null) return [];
  const { loaders, packages, own: ownMethods, own_example: example, reasons } = calls;
  const parts = packages.map(
    (one) =>
      `  ${formatCount(one.methods).padStart(12)}  ${(one.share === null ? '' : formatValue(one.share, 'ratio')).padStart(8)}  ${readable(one.name)}`,
  );
  const why = reasons.map(({ reason, entries }) => `  ${formatCount(entries).padStart(12)}  ${readable(reason)}`);
  return [
    '',
    `${plural(calls.methods, 'method')}, most of them in`,
    ...parts,
    ...(loaders.length === 0
      ? []
      : [`By loader: ${loaders.map(({ name, methods }) => `${readable(name)} ${formatCount(methods)}`).join(', ')}`]),
    `Outside the JDK and the VM: ${plural(ownMethods, 'method')}${example === null ? '' : `${ownMethods === 1 ? ':' : ', such as'} ${readable(example)}; \`calls why\` shows what leads there`}`,
    ...(why.length === 0 ? [] : ['', 'Entries, mostly because of', ...why]),
  ];
}

function heapLines({ heap }: Summary): string[] {
  if (heap === null) return [];
  const { layout, roots, loaders, repeated, suspect, outside } = heap;
  const kinds = Object.entries(roots).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  return [
    '',
    'Unreachable objects are among these; `heap dominators` shows how many, `heap suspects` what may leak.',
    ...heap.out_of_memory.flatMap(({ stack }) => memoryErrorLines(stack)),
    ...(layout === null
      ? []
      : [
          `Layout${layout.estimated ? ', estimated' : ''}: header ${layout.header}, references ${layout.reference} bytes, aligned to ${layout.alignment}`,
        ]),
    `Roots: ${kinds.length === 0 ? 'none' : kinds.join(', ')}`,
    ...(loaders === 0
      ? []
      : [`${plural(loaders, 'class loader')}; ${plural(repeated.classes, 'class name')} with several loaders`]),
    ...repeated.shown.map(
      (one) =>
        `  ${formatBytes(one.bytes).padStart(16)}  ${formatCount(one.loaders).padStart(8)} ×  ${readable(one.class)}`,
    ),
    ...(suspect === null
      ? []
      : [
          `Class loaders may leak: ${formatCount(suspect.loaders)} have ${readable(suspect.class)}, each with at most ${plural(suspect.classes, 'class', 'classes')}; \`heap dominators --by loader\` shows what they retain.`,
        ]),
    ...(outside === null ? [] : [`Outside the heap: ${outsideText(outside)}`]),
  ];
}

/** Frames of the thread that threw an OutOfMemoryError that are shown. */
const MOST_FRAMES = 6;

/** Its name is in the graph of objects, which a summary does not read. */
function memoryErrorLines(frames: readonly string[]): string[] {
  const left = frames.length - MOST_FRAMES;
  return [
    'OutOfMemoryError was thrown here; `heap suspects` names the thread:',
    ...frames.slice(0, MOST_FRAMES).map((frame) => `  ${readable(frame)}`),
    ...(left > 0 ? [`  and ${plural(left, 'frame')} more (--format json has all)`] : []),
  ];
}

/** `6.00 MB in 4 direct buffers, 80.00 KB in 2 mapped files`. */
function outsideText({ direct, mapped, others }: NonNullable<NonNullable<Summary['heap']>['outside']>): string {
  const part = ({ buffers, bytes }: typeof direct, noun: string): string[] =>
    buffers === 0 ? [] : [`${formatBytes(bytes)} in ${plural(buffers, noun)}`];
  const owned = [...part(direct, 'direct buffer'), ...part(mapped, 'mapped buffer')];
  return [...owned, ...(others === 0 ? [] : [`${plural(others, 'direct buffer')} without memory of their own`])].join(
    ', ',
  );
}

function lockLines(summary: Summary): string[] {
  if (summary.locks === null) return [];
  const { snapshots, threads, monitors, deadlocks } = summary.locks;
  return [
    '',
    `Locks: ${plural(snapshots, 'snapshot')} of ${plural(threads, 'thread')}, ${snapshots > 1 ? 'at most ' : ''}${plural(monitors, 'monitor')}${snapshots > 1 ? ' in one' : ''}`,
    ...deadlocks.map((words) => `  ${readable(words)}`),
  ];
}

function metricLines(metric: Summary['metrics'][number]): string[] {
  const { dumps } = metric;
  const last = metric.nature === 'level' ? `dump ${dumps} of ${dumps}, the last` : `sum of ${dumps} dumps`;
  const moment = dumps === 1 ? '' : ` (${last})`;
  const value = (amount: number): string => formatValue(amount, unitOf(metric.unit), metric.resolution);
  const sum = metric.sum === null ? '' : `: ${value(metric.sum)}`;
  const head = `${metric.title} (${metric.id})${moment}${sum}${metric.hottest.length === 0 ? '' : ', most of them in'}`;
  const rows = metric.hottest.map((one) => {
    const share = one.share === null ? '' : formatValue(one.share, 'ratio');
    return `  ${value(one.value).padStart(16)}  ${share.padStart(8)}  ${readable(one.function)}`;
  });
  return ['', head, ...rows];
}

/** The unit of a metric, if it is not a count. */
export function unitOf(text: string): Unit {
  return text === 'bytes' || text === 'ns' ? text : 'count';
}

function branchLines(summary: Summary): string[] {
  const branches = summary.branches;
  if (branches === null) return [];
  const sided = branches.sites === 0 ? '' : ` (${formatValue(branches.one_sided / branches.sites, 'ratio')})`;
  return [
    '',
    `Branch sites: ${formatCount(branches.sites)}; ${formatCount(branches.one_sided)} always had the same outcome${sided}, ${plural(branches.never, 'was', 'were')} never reached`,
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

/** The share of the profiler's own code that the headlines exclude and the sums include. */
function profilerLines({ profiler }: Summary): string[] {
  if (profiler === null) return [];
  const percent = (part: number | null): string => (part === null ? '' : ` (${formatValue(part, 'ratio')})`);
  const parts = [
    ...(profiler.calls === 0
      ? []
      : [`${plural(profiler.calls, 'call')}${percent(profiler.calls_share)}, in the sum above`]),
    ...(profiler.branch_sites === 0 ? [] : [`${plural(profiler.branch_sites, 'branch site')}`]),
    ...(profiler.receiver_sites === 0
      ? []
      : [
          `${plural(profiler.receiver_sites, 'virtual call site')} with ${plural(profiler.receiver_calls, 'call')}${percent(profiler.receiver_share)}`,
        ]),
  ];
  return [`The profiler's own code, listed separately: ${parts.join('; ')}`];
}

function problemLines(summary: Summary, problems: readonly Problem[] | undefined): string[] {
  const { errors, warnings, infos, codes } = summary.problems;
  if (errors + warnings + infos === 0) return ['No problems found.'];
  const list = Object.entries(codes).map(([code, count]) => `${code} × ${formatCount(count)}`);
  const sums = `Problems: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${plural(infos, 'remark')} (${list.join(', ')})`;
  if (problems === undefined) return [`${sums}; \`check\` lists them.`];
  return [`${sums}:`, ...problems.map(({ message }) => `  ${readable(message)}`)];
}
