/** An agent that comes to a running VM: it tells what it got, once eight threads have started, and ends Kansoku as Ctrl-C does. */
import { agent, JVMPI_EVENT_METHOD_ENTRY } from 'kansoku/jvmpi';

export const { JVM_OnLoad } = agent(({ jvmpi, on }) => {
  const refused = jvmpi.EnableEvent(JVMPI_EVENT_METHOD_ENTRY);
  let [classes, threads, done, gcs] = [0, 0, 0, 0];
  on('CLASS_LOAD', () => classes++);
  on('JVM_INIT_DONE', () => done++);
  on('GC_FINISH', () => gcs++);
  on('THREAD_START', ({ thread_name }) => {
    if (!thread_name.startsWith('late ') || ++threads !== 8) return;
    process.stdout.write(`${JSON.stringify({ refused, done, classes: classes > 300, gcs: gcs > 0 })}\n`);
    process.kill(process.pid, 'SIGINT');
  });
});
