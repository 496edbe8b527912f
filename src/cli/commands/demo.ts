/** `demo`: the main answers for the recordings that come with Kansoku, and commands to try next. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { packageFile } from '../../base/package.node.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { ask } from '../../session/session.js';
import { type Host, type Invocation, print } from '../host.js';
import { withSession } from '../invocation/open.js';

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

/** A PGO profile in a few lines. */
async function pgoLines(invocation: Invocation, file: string): Promise<string[]> {
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const page = { limit: 1 };
    const summary = await ask(session, { view: 'summary' });
    const hot = (await ask(session, { view: 'pgo-hot', page })).rows[0];
    const branch = (await ask(session, { view: 'pgo-branches', page })).rows[0];
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
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const functions = await ask(session, { view: 'functions', page: { limit: 1 } });
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
  return withSession(invocation, [before, after], { cache: false }, async (session) => {
    const page = { limit: 1 };
    const tree = (await ask(session, { view: 'summary', recording: 'r2' })).sections;
    const cut = (await ask(session, { view: 'calls-cut', recording: 'r2', page })).rows[0];
    const diff = await ask(session, { view: 'calls-diff', recording: 'r2', base: 'r1', page });
    return [
      `${after}: a call tree of GraalVM, ${plural(tree.methods ?? 0, 'method')} behind ${plural(tree.entries ?? 0, 'entry', 'entries')}`,
      `  holds most      ${cut?.name ?? ''}: ${plural(cut?.methods ?? 0, 'method')} would go without it`,
      `  since before    ${plural(diff.methods.new, 'new method')}, ${plural(diff.methods.gone, 'gone')}; first cause ${diff.rows[0]?.name ?? ''}`,
    ];
  });
}

/** A recording of a JVM in a few lines: processor, memory, waiting, collections. */
async function jfrLines(invocation: Invocation, file: string): Promise<string[]> {
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const { findings, sections } = await ask(session, { view: 'summary' });
    const { pauses } = await ask(session, { view: 'gc', page: { limit: 1 } });
    const events = Object.values(sections).reduce((sum, count) => sum + count, 0);
    const words = (metric: string, of: string): string => {
      const found = findings.find((one) => one.metric === metric);
      return `${formatValue(found?.share ?? 0, 'ratio')} of ${of}: ${found?.function ?? ''}`;
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
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const { sections } = await ask(session, { view: 'summary' });
    const events = Object.values(sections).reduce((sum, count) => sum + count, 0);
    const [wait] = (await ask(session, { view: 'monitors', page: { limit: 1 } })).rows;
    return [
      `${file}: a recording of the JVM Profiler Interface, ${plural(events, 'event')}, ${plural(sections.THREAD_START ?? 0, 'thread')}`,
      `  waits most      for a monitor: ${formatValue(wait?.time ?? 0, 'ns')} at ${wait?.site ?? ''}`,
    ];
  });
}

/** An experiment: the hottest function and line, and why not to trust their times. */
async function experimentLines(invocation: Invocation, file: string): Promise<string[]> {
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const page = { limit: 1 };
    const functions = await ask(session, { view: 'functions', page });
    const [line] = (await ask(session, { view: 'functions', options: { by: 'line' }, page })).rows;
    const [around] = (await ask(session, { view: 'callers', options: { function: 'sell -> price_all' }, page })).rows;
    const low = (await ask(session, { view: 'check' })).rows.find(({ code }) => code === 'experiment-clock-low');
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
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const histogram = await ask(session, { view: 'heap-histogram', page: { limit: 1 } });
    const dominators = await ask(session, { view: 'heap-dominators', page: { limit: 1 } });
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
  return withSession(invocation, [file], { cache: false }, async (session) => {
    const { locks } = await ask(session, { view: 'summary' });
    const deadlocks = locks?.deadlocks.map((words) => `  ${words}`) ?? [];
    return [`${file}: a thread dump of ${plural(locks?.threads ?? 0, 'thread')}`, ...deadlocks];
  });
}

/** The growth between two class histograms. */
async function growthLines(invocation: Invocation, folder: string): Promise<string[]> {
  const files = [join(folder, 'after.txt'), join(folder, 'before.txt')];
  return withSession(invocation, files, { cache: false }, async (session) => {
    const page = { limit: 1 };
    const own = (await ask(session, { view: 'diff', base: 'r2', options: { match: '^Growing' }, page })).rows[0];
    const from = formatValue(own?.base ?? 0, 'bytes');
    return [
      `${files.join(' and ')}: two class histograms`,
      `  grew most of ours  ${own?.name ?? ''}, from ${from} to ${formatValue(own?.value ?? 0, 'bytes')}`,
    ];
  });
}

/** A branch with its code. */
async function loopLines(invocation: Invocation, folder: string): Promise<string[]> {
  const file = join(folder, 'loops.iprof');
  return withSession(invocation, [file], { cache: false, classes: [folder] }, async (session) => {
    const branch = (await ask(session, { view: 'pgo-branches', page: { limit: 1 } })).rows[0];
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
  return withSession(invocation, [file], { cache: false, classes: [now], oldClasses: [old] }, async (session) => {
    const { stale_share, rows } = await ask(session, { view: 'pgo-stale', page: { limit: 1 } });
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
  return withSession(invocation, files, { cache: false }, async (session) => {
    const result = await ask(session, { view: 'diff', base: 'r2', options: { by: 'branch' }, page: { limit: 1 } });
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
    `  ${kansoku} heap dominators ${join(examples, 'heap', 'graph.hprof.gz')}`,
    `  ${kansoku} jvmpi replay ${join(examples, 'jvmpi', 'class-loads.ts')} ${join(examples, 'jvmpi', 'contended.jvmpi')}`,
    `  ${kansoku} timeline ${join(examples, 'jfr', 'shop.jfr.gz')} -o timeline.html`,
    `  jstack PID | ${kansoku} monitors -`,
    `  ${kansoku} check ${file}`,
    `  ${kansoku} --help`,
  ];
}
