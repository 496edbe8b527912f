/** `demo`: the main answers for the recordings that come with Kansoku, and commands to try next. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { packageFile } from '../../base/package.node.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import type { Workspace } from '../../session/workspace/workspace.js';
import { type Host, type Invocation, print } from '../host.js';
import { withWorkspace } from '../invocation/open.js';
import type { CodeOptions } from '../invocation/options.js';

/** The folder of examples, next to the sources of this build. */
function examplesFolder({ env }: Host): string {
  const folder = env.KANSOKU_ROOT;
  const examples = folder === undefined ? packageFile('examples') : join(folder, 'examples');
  if (!existsSync(examples)) throw new Error(`the examples are not at ${examples}`);
  return relative('', examples) || '.';
}

export function registerDemo(program: Command, invocation: Invocation): void {
  program
    .command('demo')
    .description('show answers from the recordings that come with Kansoku')
    .action(async () => {
      const examples = examplesFolder(invocation.host);
      const profile = join(examples, 'krisfoster-binary-tree.iprof');
      const lines = [
        ...(await pgoLines(invocation, profile)),
        ...(await hprofLines(invocation, join(examples, 'hprof', 'cpu-samples.txt'))),
        ...(await jfrLines(invocation, join(examples, 'jfr', 'shop.jfr.gz'))),
        ...(await jvmpiLines(invocation, join(examples, 'jvmpi', 'contended.jvmpi'))),
        ...(await experimentLines(invocation, join(examples, 'experiment', 'shop.er.tar.gz'))),
        ...(await threadLines(invocation, join(examples, 'deadlock-jstack.txt'))),
        ...(await heapLines(invocation, join(examples, 'heap', 'graph.hprof.gz'))),
        ...(await growthLines(invocation, join(examples, 'histogram'))),
        ...(await loopLines(invocation, join(examples, 'loops'))),
        ...(await staleLines(invocation, join(examples, 'stale'))),
        ...(await flipLines(invocation, join(examples, 'pgo'))),
        ...(await imageLines(invocation, join(examples, 'points-to'))),
      ];
      await print(invocation, `${[...lines, ...nextLines(examples, profile)].join('\n')}\n`);
    });
}

/** Runs with a workspace of the files. */
function withFiles<Value>(
  invocation: Invocation,
  files: readonly string[],
  code: CodeOptions,
  run: (workspace: Workspace) => Promise<Value>,
): Promise<Value> {
  return withWorkspace(invocation, { cache: false, ...code }, async ({ workspace, open }) => {
    await open(files);
    return run(workspace);
  });
}

/** A PGO profile in a few lines. */
async function pgoLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const page = { limit: 1 };
    const summary = await workspace.ask({ view: 'summary' });
    const hot = (await workspace.ask({ view: 'pgo-hot', page })).rows[0];
    const branch = (await workspace.ask({ view: 'pgo-branches', page })).rows[0];
    const { profiler } = summary;
    const calls = summary.metrics.find((metric) => metric.id === 'calls')?.sum ?? 0;
    const targets = branch?.targets
      .map((target) => `to ${target.name}: ${formatValue(target.share ?? 0, 'ratio')}`)
      .join(', ');
    const shapes = summary.receivers
      ?.filter((one) => one.sites > 0)
      .map((one) => `${one.sites} ${one.shape} sites (${formatValue(one.share ?? 0, 'ratio')} of calls)`);
    return [
      `${file}: a GraalVM PGO profile, version ${summary.metadata.version ?? '?'}, of ${formatCount(calls)} calls; ${summary.problems.errors === 0 ? 'sound' : 'not sound'}`,
      `  hottest method  ${formatValue(hot?.share ?? 0, 'ratio')} of all calls: ${hot?.method ?? ''}`,
      `  hottest branch  ${branch?.site ?? ''}, reached ${formatCount(branch?.executed ?? 0)} times (${targets ?? ''})`,
      `  virtual calls   ${shapes?.join(', ') ?? 'none counted'}`,
      ...(profiler === null
        ? []
        : [
            `  excluded        the profiler's own code: ${formatValue(profiler.calls_share ?? 0, 'ratio')} of all calls, ${formatValue(profiler.receiver_share ?? 0, 'ratio')} of virtual ones`,
          ]),
    ];
  });
}

/** The samples of an HPROF text in a line. */
async function hprofLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const functions = await workspace.ask({ view: 'functions', page: { limit: 1 } });
    const first = functions.rows[0];
    return [
      `${file}: an HPROF text of ${formatCount(functions.metric.sum)} samples`,
      `  hottest method  ${formatValue(first?.self_share ?? 0, 'ratio')} of all samples: ${first?.function ?? ''}`,
    ];
  });
}

/** What is in a native image, and why it grew. */
async function imageLines(invocation: Invocation, folder: string): Promise<string[]> {
  const before = join(folder, 'call_tree_shop-1.txt');
  const after = join(folder, 'call_tree_shop-2.txt');
  return withFiles(invocation, [before, after], {}, async (workspace) => {
    const page = { limit: 1 };
    const tree = (await workspace.ask({ view: 'summary', recording: 'r2' })).sections;
    const cut = (await workspace.ask({ view: 'calls-cut', recording: 'r2', page })).rows[0];
    const diff = await workspace.ask({ view: 'calls-diff', recording: 'r2', base: 'r1', page });
    const forbid = ['shop.tax.*'];
    const policy = await workspace.ask({ view: 'calls-check', recording: 'r2', options: { forbid, by: 'pattern' } });
    return [
      `${after}: a call tree of GraalVM, ${plural(tree.methods ?? 0, 'method')} behind ${plural(tree.entries ?? 0, 'entry', 'entries')}`,
      `  holds most      ${cut?.name ?? ''}: ${plural(cut?.methods ?? 0, 'method')} would go without it`,
      `  since before    ${plural(diff.methods.new, 'new method')}, ${plural(diff.methods.gone, 'gone')}; first cause ${diff.rows[0]?.name ?? ''}`,
      `  forbidden       ${forbid.join()}: ${plural(policy.forbidden, 'reachable method')}, behind ${policy.rows.at(-2)?.method ?? ''}`,
    ];
  });
}

/** A recording of a JVM in a few lines: processor, memory, waiting, collections. */
async function jfrLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const { findings, sections } = await workspace.ask({ view: 'summary' });
    const { pauses } = await workspace.ask({ view: 'gc', page: { limit: 1 } });
    const events = Object.values(sections).reduce((sum, count) => sum + count, 0);
    const words = (metric: string, whole: string): string => {
      const finding = findings.find((one) => one.metric === metric);
      return `${formatValue(finding?.share ?? 0, 'ratio')} of ${whole}: ${finding?.function ?? ''}`;
    };
    return [
      `${file}: a recording of JDK Flight Recorder, ${plural(events, 'event')}`,
      `  hottest method  ${words('samples', 'all samples')}`,
      `  allocates most  ${words('allocated', 'all bytes')}`,
      `  waits most      ${words('contention', 'the time blocked or parked, without idle threads')}`,
      `  pauses          ${formatCount(pauses?.count ?? 0)}, the longest of ${formatValue(pauses?.max ?? 0, 'ns')}`,
    ];
  });
}

/** A recorded run of an agent: what it saw, and where a thread waited. */
async function jvmpiLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const { sections } = await workspace.ask({ view: 'summary' });
    const events = Object.values(sections).reduce((sum, count) => sum + count, 0);
    const [wait] = (await workspace.ask({ view: 'monitors', page: { limit: 1 } })).rows;
    return [
      `${file}: a recording of the JVM Profiler Interface, ${plural(events, 'event')}, ${plural(sections.THREAD_START ?? 0, 'thread')}`,
      `  waits most      for a monitor: ${formatValue(wait?.time ?? 0, 'ns')} at ${wait?.site ?? ''}`,
    ];
  });
}

/** An experiment: the hottest function and line, and why not to trust their times. */
async function experimentLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const page = { limit: 1 };
    const functions = await workspace.ask({ view: 'functions', page });
    const [line] = (await workspace.ask({ view: 'functions', options: { by: 'line' }, page })).rows;
    const [around] = (await workspace.ask({ view: 'callers', options: { function: 'sell -> price_all' }, page })).rows;
    const low = (await workspace.ask({ view: 'check' })).rows.find(({ code }) => code === 'experiment-clock-low');
    const [first] = functions.rows;
    return [
      `${file}: an experiment of gprofng, ${formatValue(functions.metric.sum, 'ns')} of CPU time`,
      `  hottest code    ${formatValue(first?.self_share ?? 0, 'ratio')}: ${first?.function ?? ''}; its line ${line?.function ?? ''}: ${formatValue(line?.self_share ?? 0, 'ratio')}`,
      `  caller          of sell -> price_all: ${around?.function ?? ''}, ${formatValue(around?.attributed ?? 0, 'ns')}`,
      `  too few         ${low?.message.replace(/^.*\/profile: /, '') ?? ''}`,
    ];
  });
}

/** A heap dump in three lines. */
async function heapLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const histogram = await workspace.ask({ view: 'heap-histogram', page: { limit: 1 } });
    const dominators = await workspace.ask({ view: 'heap-dominators', page: { limit: 1 } });
    const [largest] = histogram.rows;
    const [top] = dominators.rows;
    const size = histogram.bytes === null ? '' : `, ${formatValue(histogram.bytes, 'bytes')}`;
    return [
      `${file}: a heap dump of ${plural(histogram.objects, 'object')}${size}`,
      `  fills the heap  ${formatValue(largest?.share ?? 0, 'ratio')}: ${largest?.class ?? ''}`,
      `  retains most    ${formatValue(top?.share ?? 0, 'ratio')}: ${top?.name ?? ''}, ${top?.address ?? ''}`,
    ];
  });
}

/** The locks of a thread dump in a line. */
async function threadLines(invocation: Invocation, file: string): Promise<string[]> {
  return withFiles(invocation, [file], {}, async (workspace) => {
    const { locks } = await workspace.ask({ view: 'summary' });
    const deadlocks = locks?.deadlocks.map((words) => `  ${words}`) ?? [];
    return [`${file}: a thread dump of ${plural(locks?.threads ?? 0, 'thread')}`, ...deadlocks];
  });
}

/** The growth between two class histograms. */
async function growthLines(invocation: Invocation, folder: string): Promise<string[]> {
  const files = [join(folder, 'after.txt'), join(folder, 'before.txt')];
  return withFiles(invocation, files, {}, async (workspace) => {
    const page = { limit: 1 };
    const grownClass = (await workspace.ask({ view: 'diff', base: 'r2', options: { match: '^Growing' }, page }))
      .rows[0];
    const before = formatValue(grownClass?.base ?? 0, 'bytes');
    return [
      `${files.join(' and ')}: two class histograms`,
      `  grew most of ours  ${grownClass?.name ?? ''}, from ${before} to ${formatValue(grownClass?.value ?? 0, 'bytes')}`,
    ];
  });
}

/** A branch with its code. */
async function loopLines(invocation: Invocation, folder: string): Promise<string[]> {
  const file = join(folder, 'loops.iprof');
  return withFiles(invocation, [file], { classes: [folder] }, async (workspace) => {
    const branch = (await workspace.ask({ view: 'pgo-branches', page: { limit: 1 } })).rows[0];
    const where = `${branch?.site ?? ''}, line ${branch?.line ?? '?'}: ${branch?.instruction ?? ''}, ${branch?.role ?? ''}`;
    return [
      `${file} with the classes it was counted in`,
      `  busiest branch  ${where}, ${branch?.iterations ?? '?'} iterations an entry`,
    ];
  });
}

/** How much of a profile fits the next version of its program. */
async function staleLines(invocation: Invocation, folder: string): Promise<string[]> {
  const file = join(folder, 'shop.iprof');
  const [old, now] = [join(folder, 'shop-1.jar'), join(folder, 'shop-2.jar')];
  return withFiles(invocation, [file], { classes: [now], oldClasses: [old] }, async (workspace) => {
    const { stale_share, rows } = await workspace.ask({ view: 'pgo-stale', page: { limit: 1 } });
    return [
      `${file} against the next version of its program: ${formatValue(1 - (stale_share ?? 0), 'ratio')} of its executions still fit`,
      `  lost most       ${rows[0]?.method ?? ''}: ${rows[0]?.why ?? ''}`,
    ];
  });
}

type Parts = readonly { readonly name: string; readonly share: number | null }[] | null | undefined;

/** The differences of two runs beyond noise. */
async function flipLines(invocation: Invocation, folder: string): Promise<string[]> {
  const files = [join(folder, 'after.iprof'), join(folder, 'before.iprof')];
  return withFiles(invocation, files, {}, async (workspace) => {
    const result = await workspace.ask({ view: 'diff', base: 'r2', options: { by: 'branch' }, page: { limit: 1 } });
    const row = result.rows[0];
    const ways = (parts: Parts) =>
      (parts ?? []).map(({ name, share }) => `to ${name}: ${formatValue(share ?? 0, 'ratio')}`).join(', ');
    return [
      `${files.join(' and ')}: two profiles of one program`,
      `  turned branch   ${row?.name ?? ''} (${ways(row?.before)}), now (${ways(row?.after)})`,
    ];
  });
}

/** How to call Kansoku from here: by the launcher of a clone, else as the installed command. */
function commandBeside(examples: string): string {
  const launcher = join(examples, '..', 'kansoku');
  if (!existsSync(launcher)) return 'kansoku';
  return launcher.includes(sep) ? launcher : `.${sep}${launcher}`;
}

function nextLines(examples: string, file: string): string[] {
  const stale = join(examples, 'stale');
  const kansoku = commandBeside(examples);
  return [
    'Type next:',
    `  ${kansoku} pgo hot ${file} --origin own`,
    `  ${kansoku} pgo inlining ${file} bottomUpTree`,
    `  ${kansoku} flame ${join(examples, 'hprof', 'cpu-samples.txt')} -o flame.html`,
    `  ${kansoku} pgo stale ${join(stale, 'shop.iprof')} --old-classes ${join(stale, 'shop-1.jar')} --classes ${join(stale, 'shop-2.jar')}`,
    `  ${kansoku} calls why ${join(examples, 'points-to', 'shop.jar')} shop.Toy.price --main shop.Main`,
    `  ${kansoku} heap dominators ${join(examples, 'heap', 'graph.hprof.gz')}`,
    `  ${kansoku} jvmpi replay ${join(examples, 'jvmpi', 'class-loads.ts')} ${join(examples, 'jvmpi', 'contended.jvmpi')}`,
    `  ${kansoku} timeline ${join(examples, 'jfr', 'shop.jfr.gz')} -o timeline.html`,
    `  jstack PID | ${kansoku} monitors -`,
    `  ${kansoku} check ${file}`,
    `  ${kansoku} --help`,
  ];
}
