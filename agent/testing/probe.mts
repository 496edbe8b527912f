/** An agent that enables what its options name (EVENT+EVENT…) and prints counts, and what functions give in handlers. */
import { writeFileSync } from 'node:fs';
import { type AgentSetup, agent, EVENTS, type EventName } from 'kansoku/jvmpi';

const counts: Record<string, number> = {};
const seen: Record<string, unknown> = {};
const add = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

function thread({ jvmpi, on }: AgentSetup): void {
  const methods = new Map<number, string>();
  const names = new Map<number, string>();
  on('CLASS_LOAD', ({ class_name, methods: list }) => {
    for (const { method_id, method_name } of list) methods.set(method_id, `${class_name}.${method_name}`);
  });
  on('THREAD_START', ({ thread_name, group_name, thread_env_id, thread_id }) => {
    names.set(thread_env_id, `${group_name}/${thread_name}`);
    add(`start ${group_name}/${thread_name}`);
    if (thread_name !== 'worker') return;
    seen.object = jvmpi.GetThreadObject(thread_env_id) === thread_id;
  });
  on('THREAD_END', (_, { env_id }) => add(`end ${names.get(env_id)}`));
  on('METHOD_ENTRY', ({ method_id }, { env_id }) => {
    const name = methods.get(method_id) ?? '?';
    if (name === 'Busy.leaf' || name === 'Busy.fifty') add(`${names.get(env_id)} ${name}`);
  });
  on('METHOD_EXIT', ({ method_id }) => {
    if (methods.get(method_id) === 'Busy.leaf') add('exit Busy.leaf');
  });
  on(
    'MONITOR_CONTENDED_ENTER',
    (_, { env_id }) => {
      const trace = { env_id, num_frames: 0, frames: [] as { method_id: number; lineno: number }[] };
      jvmpi.GetCallTrace(trace, 4);
      seen.contended = trace.frames.map(({ method_id, lineno }) => `${methods.get(method_id)}:${lineno}`);
      seen.status = jvmpi.GetThreadStatus(env_id);
      seen.cpu = jvmpi.GetCurrentThreadCpuTime() > 0;
      jvmpi.SuspendThread(env_id);
      seen.mode = trace.num_frames;
      jvmpi.ResumeThread(env_id);
      const type = EVENTS.CLASS_LOAD.type;
      const method = trace.frames[0]?.method_id ?? 0;
      seen.requested = jvmpi.RequestEvent(type, jvmpi.GetMethodClass(method));
    },
    { trace: 4, cpu_time: true, blocking: true },
  );
}

function count(setup: AgentSetup): void {
  for (const name of setup.options.split('+')) {
    if (name.includes('/') || !isEventName(name)) continue;
    setup.on(name, () => add(name));
  }
}

export const { JVM_OnLoad } = agent((setup) => {
  const [what = '', file = ''] = setup.options.split('@');
  if (what === 'thread') thread(setup);
  else count({ ...setup, options: what });
  setup.on('JVM_SHUT_DOWN', () => writeFileSync(file, JSON.stringify({ counts, seen })));
});
