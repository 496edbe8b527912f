/** An agent that asks for all dumps when the thread `dump` starts (Dumps.java), and writes them with the names of classes to a file. */
import { writeFileSync } from 'node:fs';
import { agent, EVENTS } from 'kansoku/jvmpi';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const { JVM_OnLoad } = agent(({ jvmpi, on, options }) => {
  const told: Record<string, unknown> = {};
  const classes: Record<number, unknown> = {};
  const threads: Record<number, string> = {};
  on('CLASS_LOAD', ({ class_id, class_name, num_interfaces, statics, instances }) => {
    classes[class_id] = { class_name, num_interfaces, statics, instances };
  });
  on('HEAP_DUMP', ({ dump_level, data, num_traces }) => {
    told[`level ${dump_level}`] = hex(data);
    told[`traces ${dump_level}`] = num_traces;
  });
  on('OBJECT_DUMP', ({ data }) => {
    told.object = hex(data);
  });
  on('MONITOR_DUMP', ({ data, traces, threads_status }) => {
    told.monitors = hex(data);
    told.status = traces.map(({ env_id }, place) => [threads[env_id], threads_status[place]]);
  });
  on(
    'THREAD_START',
    ({ thread_name, thread_env_id, thread_id }) => {
      threads[thread_env_id] = thread_name;
      if (thread_name !== 'dump') return;
      const codes = [2, 1, 0].map((heap_dump_level) => jvmpi.RequestEvent(EVENTS.HEAP_DUMP.type, { heap_dump_level }));
      codes.push(jvmpi.RequestEvent(EVENTS.OBJECT_DUMP.type, thread_id), jvmpi.RequestEvent(EVENTS.MONITOR_DUMP.type));
      writeFileSync(options, JSON.stringify({ codes, thread: thread_id, threads, classes, ...told }));
    },
    { blocking: true },
  );
});
