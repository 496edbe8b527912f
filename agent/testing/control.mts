/** An agent that controls the VM as the program asks by the names of its threads (Control.java), and writes what it saw to a file. */
import { writeFileSync } from 'node:fs';
import { agent, type JVMPI_Interface } from 'kansoku/jvmpi';

const counts: Record<string, number> = {};
const results: Record<string, unknown> = {};
const waiting = new Map<string, () => void>();
let counter = 0;

const add = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
const asked = (name: string): Promise<void> => new Promise((resolve) => waiting.set(name, resolve));

async function control(jvmpi: JVMPI_Interface, file: string): Promise<void> {
  const [collect, suspend, resume, exit] = ['collect', 'suspend', 'resume', 'exit'].map(asked);
  await collect;
  jvmpi.RunGC();
  jvmpi.RunGC();
  await suspend;
  jvmpi.DisableGC();
  results.suspend = jvmpi.SuspendThreadList([counter]);
  results.status = jvmpi.GetThreadStatus(counter);
  await resume;
  results.resume = jvmpi.ResumeThreadList([counter]);
  jvmpi.EnableGC();
  await exit;
  writeFileSync(file, JSON.stringify({ counts, results }));
  jvmpi.ProfilerExit(7);
}

export const { JVM_OnLoad } = agent(({ jvmpi, on, options }) => {
  on('CLASS_LOAD_HOOK', (hook) => {
    const bytes = Buffer.from(hook.class_data);
    const at = bytes.indexOf('\x00\x06victim', 0, 'latin1');
    if (at < 0) return;
    add('hook');
    bytes.write('VICTIM', at + 2, 'latin1');
    hook.new_class_data = new Uint8Array(bytes);
  });
  const victim = new Set<number>();
  on('CLASS_LOAD', ({ class_name, methods }) => {
    if (!class_name.endsWith('Victim')) return;
    add('load');
    for (const { method_id } of methods) victim.add(method_id);
  });
  on('COMPILED_METHOD_LOAD', ({ method_id, code_addr, code_size, lineno_table }) => {
    if (!victim.has(method_id)) return;
    add('compiled');
    results.code = code_addr > 0n && code_size > 0;
    results.lines = [...new Set(lineno_table.map(({ lineno }) => lineno))];
  });
  on('COMPILED_METHOD_UNLOAD', ({ method_id }) => {
    if (victim.has(method_id)) add('code unloaded');
  });
  on('CLASS_UNLOAD', () => add('unload'));
  on('GC_START', () => add('start of GC'));
  on('GC_FINISH', () => add('end of GC'));
  on('DATA_DUMP_REQUEST', () => add('dump'));
  on('THREAD_START', ({ thread_name, thread_env_id }) => {
    if (thread_name === 'counter') counter = thread_env_id;
    waiting.get(thread_name)?.();
  });
  on('JVM_INIT_DONE', () => void jvmpi.CreateSystemThread('control', 10, () => control(jvmpi, options)));
});
