/** Records all that views know of Dumps.java: calls and allocations of its last part, waits, and dumps when the thread `dump` starts. */
import { agent, EVENTS, type EventName } from 'kansoku/jvmpi';

const FREQUENT: readonly EventName[] = ['METHOD_ENTRY', 'METHOD_EXIT', 'OBJECT_ALLOC'];
const OTHERS = [
  ...(['THREAD_END', 'CLASS_LOAD', 'MONITOR_CONTENDED_ENTER', 'MONITOR_CONTENDED_ENTERED'] as const),
  ...(['MONITOR_WAIT', 'MONITOR_WAITED', 'GC_START', 'GC_FINISH', 'JVM_INIT_DONE', 'JVM_SHUT_DOWN'] as const),
];

export const { JVM_OnLoad } = agent(({ jvmpi, on }) => {
  for (const name of OTHERS) on(name, () => undefined, { trace: 8 });
  on(
    'THREAD_START',
    ({ thread_name, thread_env_id }) => {
      if (thread_name === 'waiting')
        for (const name of FREQUENT) jvmpi.EnableEvent(EVENTS[name].type, name === 'OBJECT_ALLOC' ? { trace: 8 } : {});
      if (thread_name !== 'dump') return;
      for (const name of FREQUENT) jvmpi.DisableEvent(EVENTS[name].type);
      jvmpi.GetCallTrace({ env_id: thread_env_id, num_frames: 0, frames: [] }, 8);
      jvmpi.RequestEvent(EVENTS.HEAP_DUMP.type, { heap_dump_level: 2 });
      jvmpi.RequestEvent(EVENTS.MONITOR_DUMP.type);
    },
    { blocking: true },
  );
  on('HEAP_DUMP', () => undefined);
  on('MONITOR_DUMP', () => undefined);
});
