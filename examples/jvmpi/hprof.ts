/**
 * The HPROF agent of the JVMPI document (§7, §8.2). Options as those of `-Xrunhprof`: `cpu=samples|times|old`, `heap=dump|sites|all`,
 * `monitor=y|n`, `format=a|b`, `file=…`, `depth=4`, `interval=10` (ms), `cutoff=0.0001`, `lineno=y|n`, `thread=y|n`, `doe=y|n`. The end of the
 * VM writes the profile (`doe`), and so does SIGQUIT, each time with the times and samples since the time before. `help` lists them.
 */
import { type AgentSetup, agent } from 'kansoku/jvmpi';
import { Allocations } from './hprof/allocations.ts';
import { BinaryOutput } from './hprof/binary.ts';
import { Calls } from './hprof/calls.ts';
import { HeapDump } from './hprof/heap.ts';
import { Monitors } from './hprof/monitors.ts';
import { helpText, optionsOf } from './hprof/options.ts';
import type { Output } from './hprof/output.ts';
import { Profile } from './hprof/profile.ts';
import { Samples } from './hprof/samples.ts';
import { TextOutput } from './hprof/text.ts';

/** Threads, in the order of their events. */
function followThreads(profile: Profile, { on }: AgentSetup, out: Output): void {
  on(
    'THREAD_START',
    ({ thread_env_id, thread_id: object, thread_name: name, group_name: group, parent_name: parent }) => {
      const thread = { serial: profile.nextThread(), object, name, group, parent, ended: false };
      profile.threads.set(thread_env_id, thread);
      out.threadStart(thread);
    },
  );
  on('THREAD_END', (_, { env_id }) => {
    const thread = profile.threads.get(env_id);
    if (thread === undefined) return;
    thread.ended = true;
    out.threadEnd(thread);
  });
}

/** Prints the options in place of running the program: it is held until the VM has ended. */
function printHelp({ on, jvmpi }: AgentSetup): void {
  process.stdout.write(helpText());
  on(
    'JVM_INIT_DONE',
    () => {
      jvmpi.ProfilerExit(0);
      return new Promise((resolve) => on('JVM_SHUT_DOWN', () => resolve()));
    },
    { blocking: true },
  );
}

export const { JVM_OnLoad } = agent((setup) => {
  const { on, jvmpi } = setup;
  if (setup.options === 'help') return printHelp(setup);
  const options = optionsOf(setup.options);
  const profile = new Profile(options, setup);
  const out = options.binary ? new BinaryOutput(profile) : new TextOutput(profile);
  followThreads(profile, setup, out);
  const calls = options.cpu === 'times' || options.cpu === 'old' ? new Calls(profile, setup) : undefined;
  const samples = options.cpu === 'samples' ? new Samples(profile, setup) : undefined;
  const monitors = options.monitor ? new Monitors(profile, setup, out) : undefined;
  const allocations = options.dump || options.sites ? new Allocations(profile, setup) : undefined;
  const heap = options.dump && allocations !== undefined ? new HeapDump(profile, setup, allocations) : undefined;

  const write = (): void => {
    jvmpi.DisableGC();
    monitors?.write(out);
    if (monitors !== undefined) out.contended(monitors.rows());
    const dumped = heap?.read();
    if (dumped !== undefined) out.heap(dumped);
    if (options.sites && allocations !== undefined) out.sites(allocations.sites);
    jvmpi.EnableGC();
    if (samples !== undefined) out.samples(samples.rows());
    if (options.cpu === 'times' && calls !== undefined) out.times(calls.rows());
    if (options.cpu === 'old' && calls !== undefined) out.arcs(calls.arcs());
    for (const part of [monitors, samples, calls]) part?.clear();
    out.flush();
  };
  on('DATA_DUMP_REQUEST', write);
  on('JVM_SHUT_DOWN', () => {
    if (samples !== undefined) samples.isOver = true;
    if (options.doe) write();
    out.flush();
  });
});
