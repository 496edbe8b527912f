/**
 * Strains the agent: no JVM may crash, hang or change its result, and no event may be lost without being counted.
 *
 *   node dist/bench/jvmpi/stress.js [--jdks 17,25] [--collectors Serial,Parallel,G1,Z] [--scale 1] [--row 'JVM killed']…
 *
 * A row is a way to strain it, a column a JDK with a collector: `ok` with seconds, else what went wrong. The exit code is 1 then.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile, jdks, type Run, runKansoku, say } from './programs.js';

const { values } = parseArgs({
  options: {
    jdks: { type: 'string', default: '17,25' },
    collectors: { type: 'string', default: 'Serial,Parallel,G1,Z' },
    scale: { type: 'string', default: '1' },
    row: { type: 'string', multiple: true },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kansoku-jvmpi-stress-'));
const scaled = (count: number): string => String(Math.max(1, Math.round(count * Number(values.scale))));

/** A JVM to run. */
interface Vm {
  readonly java: string;
  readonly flags: readonly string[];
}

/** What went wrong; empty if nothing did. */
type Check = (vm: Vm, place: string) => Promise<string>;

/** An agent: a body of `agent(({ jvmpi, on }) => { … })`, which may use `tell` for what the test reads. */
function agentFile(place: string, body: string): string {
  const file = join(place, 'agent.mts');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
    import { agent } from 'kansoku/jvmpi';
    const tell = (what) => writeFileSync(${JSON.stringify(join(place, 'told.json'))}, JSON.stringify(what));
    export const { JVM_OnLoad } = agent(({ jvmpi, on }) => { ${body} });\n`,
  );
  return file;
}

function told(place: string): Record<string, number> {
  return JSON.parse(readFileSync(join(place, 'told.json'), 'utf8'));
}

function command({ java, flags }: Vm, place: string, words: readonly string[]): string[] {
  return [java, ...flags, `-XX:ErrorFile=${join(place, 'hs_err_%p.log')}`, '-cp', folder, 'Stress', ...words];
}

/** What is wrong with a run that should have ended well. */
function whyBad({ status, stdout, stderr }: Run): string {
  if (status !== 0) return `exit ${status}: ${stderr.trim().split('\n').at(-1)}`;
  return /^done$/m.test(stdout) ? '' : 'the program printed something else';
}

const lostOf = ({ stderr }: Run): number =>
  [...stderr.matchAll(/([\d,]+) events? /g)].reduce(
    (sum, [, count = '']) => sum + Number(count.replaceAll(',', '')),
    0,
  );

const threads: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `let starts = 0, ends = 0; const workers = new Set();
    on('THREAD_START', ({ thread_name, thread_env_id }) => {
      if (thread_name.startsWith('worker-')) { starts++; workers.add(thread_env_id); }
    });
    on('THREAD_END', (_, { env_id }) => { if (workers.has(env_id)) ends++; });
    on('JVM_SHUT_DOWN', () => tell({ starts, ends }));`,
  );
  const count = scaled(10_000);
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...command(vm, place, ['threads', count])]);
  const { starts, ends } = told(place);
  const isWhole = starts === Number(count) && ends === Number(count);
  return whyBad(run) || (isWhole ? '' : `${starts} started, ${ends} ended, of ${count}`);
};

const classes: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `let loaded = 0, unloaded = 0; const victims = new Set();
    on('CLASS_LOAD', ({ class_name, class_id }) => {
      if (class_name === 'Stress$Victim') { loaded++; victims.add(class_id); }
    });
    on('CLASS_UNLOAD', ({ class_id }) => { if (victims.delete(class_id)) unloaded++; });
    on('JVM_SHUT_DOWN', () => tell({ loaded, unloaded }));`,
  );
  const count = Number(scaled(3000));
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...command(vm, place, ['classes', String(count)])]);
  const { loaded, unloaded = 0 } = told(place);
  return whyBad(run) || (loaded === count && unloaded > 0 ? '' : `${loaded} loaded, ${unloaded} unloaded, of ${count}`);
};

const memory: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `let count = 0; on('OBJECT_ALLOC', () => { count++; }); on('OBJECT_FREE', () => {}); on('GC_FINISH', () => {});
    on('JVM_SHUT_DOWN', () => tell({ count }));`,
  );
  const small = { ...vm, flags: [...vm.flags, '-Xmx48m'] };
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...command(small, place, ['memory', scaled(4)])]);
  return whyBad(run) || ((told(place).count ?? 0) > 0 ? '' : 'no event');
};

/** A handler that is slower than the program: each event arrives or is counted. */
const slow: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `let count = 0; const seen = () => { count++; if (count % 100 === 0) { const until = performance.now() + 1; while (performance.now() < until); } };
    on('METHOD_ENTRY', seen); on('METHOD_EXIT', seen); on('JVM_SHUT_DOWN', () => tell({ count }));
    process.on('exit', () => tell({ count }));`,
  );
  const count = Number(scaled(3_000_000));
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...command(vm, place, ['calls', String(count)])]);
  const all = (told(place).count ?? 0) + lostOf(run);
  return whyBad(run) || (all >= 2 * count ? '' : `${all} events and lost ones, of ${2 * count}`);
};

/** Kansoku is killed while events flow: the program ends as if alone. */
const killed: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `on('METHOD_ENTRY', () => {}); on('METHOD_EXIT', () => {}); on('JVM_INIT_DONE', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200));`,
  );
  const script = `"$@" >${place}/out 2>${place}/err; echo $? >${place}/code.part; mv ${place}/code.part ${place}/code`;
  writeFileSync(join(place, 'java'), `#!/bin/sh\nset -- ${vm.java} "$@"\n${script}\n`, { mode: 0o755 });
  const words = command({ ...vm, java: join(place, 'java') }, place, ['calls', scaled(3_000_000)]);
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...words]);
  if (run.status !== null) return `Kansoku ended with ${run.status}: ${run.stderr.trim().split('\n').at(-1)}`;
  const until = performance.now() + 120_000;
  while (!readdirSync(place).includes('code')) {
    if (performance.now() > until) return 'the program hangs';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [code, out] = ['code', 'out'].map((name) => readFileSync(join(place, name), 'utf8').trim());
  return code === '0' && out === 'done' ? '' : `exit ${code}: ${out}`;
};

/** The program is killed: Kansoku says so, and what it recorded can be read. */
const victim: Check = async (vm, place) => {
  const file = join(place, 'events.jvmpi');
  // Once events are written: a loaded machine takes its time to start.
  const grown = `[ "$(stat -c %s ${file} 2>/dev/null || echo 0)" -gt 1000000 ]`;
  const script = `${vm.java} "$@" &\nfor i in $(seq 1200); do ${grown} && break; sleep 0.1; done; kill -9 $!; wait $!`;
  writeFileSync(join(place, 'java'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const words = command({ ...vm, java: join(place, 'java') }, place, ['calls', '100000000']);
  const run = await runKansoku(['jvmpi', 'record', '-o', file, '--events', 'METHOD_ENTRY,METHOD_EXIT', '--', ...words]);
  if (run.status !== 1 || !run.stderr.includes('exit code 137')) return `exit ${run.status}: ${run.stderr.trim()}`;
  const read = await runKansoku(['jvmpi', 'events', file, '--limit', '1', '--no-cache']);
  return read.status === 0 ? '' : `the recording cannot be read: ${read.stderr.trim()}`;
};

/** jdwp has the only capability to suspend threads. */
const solo: Check = async (vm, place) => {
  const agent = agentFile(
    place,
    `const code = {}; on('JVM_INIT_DONE', (_, { env_id }) => { jvmpi.DisableGC(); code.suspend = jvmpi.SuspendThreadList([env_id])[0]; jvmpi.EnableGC(); }, { blocking: true });
    on('JVM_SHUT_DOWN', () => tell(code));`,
  );
  const jdwp = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0';
  const words = command({ ...vm, flags: [...vm.flags, jdwp] }, place, ['calls', '1000']);
  const run = await runKansoku(['jvmpi', 'run', agent, '--', ...words]);
  return whyBad(run) || (told(place).suspend !== 0 ? '' : 'a thread was suspended');
};

const CHECKS: Readonly<Record<string, Check>> = {
  '10,000 threads': threads,
  'class churn': classes,
  'out of memory': memory,
  'slow reader': slow,
  'Kansoku killed': killed,
  'JVM killed': victim,
  'second agent': solo,
};

async function tried(check: Check, vm: Vm, place: string): Promise<{ problem: string; seconds: number }> {
  const begin = performance.now();
  const problem = await check(vm, place).catch((error: unknown) => String(error));
  const crashed = readdirSync(place).some((name) => name.startsWith('hs_err'));
  return { problem: crashed ? `the JVM crashed; ${problem}` : problem, seconds: (performance.now() - begin) / 1000 };
}

const vms = [...jdks(values.jdks.split(','))].flatMap(([version, home]) =>
  values.collectors.split(',').map((collector) => ({
    name: `${version} ${collector}`,
    vm: { java: join(home, 'bin/java'), flags: [`-XX:+Use${collector}GC`] },
    home,
  })),
);
try {
  for (const { home } of vms) compile(home, 'Stress', folder);
  const widths = [16, ...vms.map(() => 11)];
  say(['', ...vms.map(({ name }) => name)], widths);
  const problems: string[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    if (values.row !== undefined && !values.row.includes(name)) continue;
    const cells: string[] = [];
    for (const { vm, name: of } of vms) {
      const place = join(folder, `${name} ${of}`.replaceAll(/\W+/g, '-'));
      mkdirSync(place);
      const { problem, seconds } = await tried(check, vm, place);
      cells.push(problem === '' ? `ok ${seconds.toFixed(1)} s` : 'FAILED');
      if (problem !== '') problems.push(`${name}, ${of}: ${problem}`);
    }
    say([name, ...cells], widths);
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
