/** `hprof lib`: the HPROF agent for command lines of old. */
import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.js';
import { formatBytes } from '../../../base/units.js';
import { type Invocation, note, write } from '../../host.js';

const USE = `
The folder has libhprof.so, which HotSpot loads where it finds it (tried on JDK 17 and 25):
  LD_LIBRARY_PATH=$(kansoku hprof lib) java -Xrunhprof:cpu=times,depth=8 -jar app.jar
  LD_LIBRARY_PATH=$(kansoku hprof lib) javac -J-agentlib:hprof=cpu=old Hello.java
  java -agentpath:$(kansoku hprof lib)/libhprof.so=cpu=times,file=calls.txt -jar app.jar
cpu=samples samples CPU time, cpu=counts counts calls, cpu=times counts and times each call, cpu=old pairs of callee and caller, monitor=y waits for monitors; -agentlib:hprof=help lists all options. No Kansoku runs beside the
program. Every command of Kansoku reads the file: kansoku functions java.hprof.txt`;

const COMMANDS = `
Lines of standard input are commands for the agent: gc, heap (with heap=dump), sites, sites allocated, sites new, sites collected, summary (format=b),
samples, traces, depth N, sampling on, sampling off, allocations on, allocations off, clear samples, clear sites, exit, end. A number behind sites and
samples is the least part of the total that a row has; behind sampling, the obj of a THREAD START (0x5000001a), else all threads are meant.
  kansoku hprof listen 7000 -o app.hprof.txt
  java -agentlib:hprof=heap=sites,cpu=samples,net=127.0.0.1:7000 …`;

interface ListenWords {
  readonly host: string;
  readonly output: string;
}

async function listen(invocation: Invocation, port: string | undefined, { host, output }: ListenWords): Promise<void> {
  const { listenForAgent } = await import('../../../record/hprof/listen.node.js');
  const { stdin, signal } = invocation.host;
  const number = Number(port ?? 0);
  if (!Number.isInteger(number) || number < 0 || number > 65535)
    throw new UsageError(`${port}: a port is a number from 0 to 65535`);
  const bytes = await listenForAgent({
    port: number,
    host,
    output,
    ...(stdin && { commands: stdin }),
    signal,
    onListening: (portNumber) => note(invocation, `kansoku: waiting for an agent with net=${host}:${portNumber}`),
    onConnection: () => note(invocation, 'kansoku: an agent has connected; lines are commands'),
    onRefusal: ({ message, advice }) => note(invocation, `kansoku: ${message}; ${advice ?? ''}`),
  });
  stdin?.destroy();
  note(invocation, `kansoku: ${output}: ${formatBytes(bytes)}; ask it: kansoku functions ${output}`);
}

export function registerHprof(program: Command, invocation: Invocation): void {
  const hprof = program
    .command('hprof')
    .description(
      'the HPROF agent: samples of a program of Java, counts and times of its calls, its waits for monitors',
    );
  hprof
    .command('lib')
    .description('print a folder that has the agent as libhprof.so, which is built first where needed')
    .addHelpText('after', USE)
    .action(async () => {
      const { hprofFolder } = await import('../../../live/agent/build.node.js');
      write(invocation.host.stdout, `${hprofFolder(invocation.host.env)}\n`);
    });
  hprof
    .command('listen')
    .description('keep what an agent with net=host:port sends, and send it commands')
    .argument('[port]', 'port; one that is free unless given')
    .option('--host <address>', 'address to listen at; others than this machine may connect to 0.0.0.0', '127.0.0.1')
    .option('-o, --output <file>', 'file to write', 'java.hprof.txt')
    .addHelpText('after', COMMANDS)
    .action((port: string | undefined, words: ListenWords) => listen(invocation, port, words));
}
