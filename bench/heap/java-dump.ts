/** Runs `Big.java` and has the VM dump its heap. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../../bench/heap/Big.java', import.meta.url));

/** Writes FILE; `folder`: for the compiled classes. Needs a JDK in PATH. */
export async function dumpJava(file: string, folder: string, customers = 190_000): Promise<void> {
  const classes = join(folder, 'classes');
  execFileSync('javac', ['-d', classes, SOURCE]);
  const java = spawn('java', ['-Xmx6g', '-cp', classes, 'Big', String(customers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(java, 'exit');
  const ready = await Promise.race([once(java.stdout, 'data'), ended.then(() => undefined)]);
  if (ready === undefined) throw new Error(`java ended early, exit code ${java.exitCode}`);
  if (existsSync(file)) rmSync(file);
  try {
    execFileSync('jcmd', [String(java.pid), 'GC.heap_dump', file]);
  } finally {
    java.stdin.end();
  }
  await ended;
}
