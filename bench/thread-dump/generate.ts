/**
 * Makes a log of thread dumps of a given size as the VM of JDK 21 writes them, a program's lines between them: 120
 * threads a dump that mostly stand where they stood before, some in locks. The same seed gives the same file.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Random } from '../../src/testing/random.js';

const THREADS = 120;
const STACKS = 400;
const LOCKS = 30;

export async function generate(file: string, bytes: number, seed = 1): Promise<void> {
  const random = new Random(seed);
  const output = createWriteStream(file);
  const stacks = Array.from({ length: STACKS }, () => stackOf(random));
  const standing = Int32Array.from({ length: THREADS }, () => random.below(STACKS));
  for (let written = 0, dump = 0; written < bytes; dump++) {
    const text = dumpText(random, stacks, standing, dump);
    written += text.length;
    if (!output.write(text)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}

function stackOf(random: Random): string[] {
  return Array.from({ length: 8 + random.below(40) }, () => {
    const type = random.below(900);
    const module = type < 200 ? 'java.base@21.0.2/' : '';
    return `\tat org.example.part${type % 60}.Class${type}.method${random.below(9)}(${module}Class${type}.java:${random.below(900) + 1})\n`;
  });
}

const hex = (value: number): string => value.toString(16).padStart(16, '0');
const lock = (id: number): string => `<0x${hex(0x70000000 + id * 24)}> (a org.example.Lock${id % 7})`;

function dumpText(random: Random, stacks: readonly string[][], standing: Int32Array, dump: number): string {
  const parts = [
    `INFO working on part ${dump}\n2026-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM (21.0.2+13 mixed mode, sharing):\n\n`,
  ];
  parts.push(`Threads class SMR info:\n_java_thread_list=0x${hex(4096)}, length=${THREADS}, elements={\n`);
  parts.push(Array.from({ length: THREADS }, (_, id) => `0x${hex(0x7f0000000000 + id * 64)}`).join(',\n'), '\n}\n\n');
  for (let id = 0; id < THREADS; id++) {
    if (random.below(4) === 0) standing[id] = random.below(stacks.length);
    parts.push(threadText(random, stacks[standing[id]], id, dump));
  }
  parts.push('JNI global refs: 25, weak refs: 0\n\n');
  return parts.join('');
}

function threadText(random: Random, frames: readonly string[], id: number, dump: number): string {
  const blocked = random.below(10) === 0;
  const words = blocked ? 'waiting for monitor entry' : 'runnable';
  const cpu = (dump * 3.17 + id).toFixed(2);
  const head = `"worker-${id}" #${id + 10} [${5000 + id}] daemon prio=5 os_prio=0 cpu=${cpu}ms elapsed=${(dump * 5 + 1).toFixed(2)}s tid=0x${hex(0x7f0000000000 + id * 64)} nid=${5000 + id} ${words}  [0x${hex(0x7f1000000000)}]\n`;
  const state = `   java.lang.Thread.State: ${blocked ? 'BLOCKED (on object monitor)' : 'RUNNABLE'}\n`;
  const wanted = blocked ? `\t- waiting to lock ${lock(random.below(LOCKS))}\n` : '';
  const held = random.below(5) === 0 ? `\t- locked ${lock(LOCKS + id)}\n` : '';
  return `${head}${state}${frames[0]}${wanted}${frames[1]}${held}${frames.slice(2).join('')}\n`;
}
