/** An agent that counts what Facts.java does, each event enabled without those that it usually comes with, and writes that to a file. */
import { writeFileSync } from 'node:fs';
import { agent, type AgentSetup, EVENTS, readMonitors } from 'kansoku/jvmpi';

const facts: Record<string, unknown> = {};
const names = new Map<number, string>([[0, '-']]);

/** The monitors of this moment, as owner, entries, threads that enter and threads that wait. */
function monitors({ jvmpi, onRequested }: AgentSetup): () => void {
  onRequested('MONITOR_DUMP', ({ data, num_traces }) => {
    const named = (threads: readonly number[]): string => threads.map((each) => names.get(each) ?? '?').join(',');
    facts.monitors = readMonitors(data, { idSize: 8, byteOrder: 'little' })
      .map(({ owner, entries, entering, waiting }) => `${named([owner])} ${entries} [${named(entering)}] [${named(waiting)}]`)
      .sort();
    facts.traces = num_traces;
  });
  return () => {
    facts.code = jvmpi.RequestEvent(EVENTS.MONITOR_DUMP.type);
  };
}

function arrays({ jvmpi, on, onRequested }: AgentSetup): void {
  const classes = new Map<number, string>();
  const counts: Record<string, number> = {};
  onRequested('CLASS_LOAD', ({ class_id, class_name }) => void classes.set(class_id, class_name));
  on('OBJECT_ALLOC', ({ class_id, is_array }) => {
    if (is_array !== 2) return;
    if (!classes.has(class_id)) jvmpi.RequestEvent(EVENTS.CLASS_LOAD.type, class_id);
    const name = classes.get(class_id) ?? `unknown ${class_id}`;
    counts[name] = (counts[name] ?? 0) + 1;
  });
  facts.arrays = counts;
}

export const { JVM_OnLoad } = agent((setup) => {
  const { on, options } = setup;
  const isLate = options.startsWith('late:');
  const write = (): void => writeFileSync(options.replace(/^late:/, ''), JSON.stringify(facts));
  const dump = monitors(setup);
  on(
    'THREAD_START',
    ({ thread_name, thread_env_id }) => {
      names.set(thread_env_id, thread_name);
      if (thread_name === 'dump') dump();
    },
    { blocking: true },
  );
  if (isLate) {
    on('JVM_INIT_DONE', () => {
      dump();
      write();
      process.kill(process.pid, 'SIGINT');
    });
    return;
  }
  let [unloads, starts] = [0, 0];
  const heaps: string[] = [];
  const [asleep, slept]: number[][] = [[], []];
  on('CLASS_UNLOAD', () => unloads++);
  arrays(setup);
  on('MONITOR_WAIT', ({ object, timeout }) => void (object === 0 && asleep?.push(timeout)));
  on('MONITOR_WAITED', ({ object, timeout }) => void (object === 0 && slept?.push(timeout)));
  on('GC_START', () => starts++);
  on('GC_FINISH', ({ used_object_space: used, total_object_space: total }) => void heaps.push(`${used}/${total}`));
  on('JVM_SHUT_DOWN', () => {
    Object.assign(facts, { unloads, starts, heaps, asleep, slept });
    write();
  });
});
