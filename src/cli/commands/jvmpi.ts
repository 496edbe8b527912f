/** `jvmpi`: agents of the JVM Profiler Interface, in TypeScript. */
import type { Command } from 'commander';
import { plural } from '../../base/units.js';
import { EVENTS, eventKind, isEventName } from '../../live/jvmpi/events.js';
import type { Finding } from '../../live/jvmpi/state.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { addExamples } from '../invocation/options.js';

const RIGHTS = `
The agent runs with your rights, as any program that you start. The first run builds a library with the C compiler.`;

const IN_C = `
The library runs agents that were written in C for the JVMPI of old, in the process of the VM, as they are:
  cc -shared -fPIC -I$(kansoku jvmpi agent --include) -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o old.so old.c
  java -agentpath:$(kansoku jvmpi agent)=c,./old.so:OPTIONS …`;

interface RunOptions {
  readonly lenient?: boolean;
}

export function registerJvmpi(program: Command, invocation: Invocation): void {
  const jvmpi = program
    .command('jvmpi')
    .description('run agents of the JVM Profiler Interface (JVMPI), in TypeScript and in C');
  const runs = jvmpi
    .command('run')
    .description('run a Java program with an agent in TypeScript or JavaScript')
    .usage('AGENT[:OPTIONS] -- java …')
    .argument('<agent>', 'file of the agent, and its options behind a colon')
    .argument('<command...>', 'the program: java and its words')
    .option('--lenient', 'go on after calls that break a rule of the interface, and report them at the end')
    .addHelpText('after', RIGHTS)
    .action(async (agent: string, command: string[], options: RunOptions) => {
      await run(invocation, agent, command, options.lenient ?? false);
    });
  registerLibrary(jvmpi, invocation);
  addExamples(runs, ['jvmpi run examples/jvmpi/class-loads.ts:file=/tmp/classes.txt -- java -version']);
}

function registerLibrary(jvmpi: Command, invocation: Invocation): void {
  const library = jvmpi
    .command('agent')
    .description('print the path of the library that runs agents, which is built first where needed')
    .option('--include', 'print the folder of jvmpi.h, with which agents in C are compiled')
    .addHelpText('after', IN_C)
    .action(async (options: { readonly include?: boolean }) => {
      const { agentLibrary, headersFolder } = await import('../../live/agent/build.node.js');
      const { env, stdout } = invocation.host;
      stdout.write(`${options.include === true ? headersFolder() : agentLibrary(undefined, env)}\n`);
    });
  addExamples(library, ['jvmpi agent', 'jvmpi agent --include']);
}

async function run(invocation: Invocation, words: string, command: string[], lenient: boolean): Promise<void> {
  const { loadAgent, splitAgent } = await import('../../live/agent/load-agent.node.js');
  const { runWithAgent } = await import('../../live/agent/run.node.js');
  const { file, options } = splitAgent(words);
  const agent = await loadAgent(file);
  const { env, signal } = invocation.host;
  const result = await runWithAgent({ agent, options, command, lenient, env, signal });
  for (const finding of result.findings) note(invocation, `kansoku: ${wordsOf(finding)}`);
  for (const [event, count] of result.dropped)
    note(invocation, `kansoku: ${plural(count, 'event')} ${nameOf(event)}lost: the agent was too slow`);
  if (result.failure !== undefined) throw result.failure;
  if (result.exitCode === 0) return;
  note(invocation, `kansoku: the program ended with exit code ${result.exitCode}`);
  invocation.exitCode = EXIT.no;
}

const wordsOf = ({ place, message }: Finding): string => `JVMPI ${place}: ${message}`;

/** The name of an event with a blank, or nothing if it is not known which. */
function nameOf(type: number): string {
  for (const name in EVENTS) if (isEventName(name) && eventKind(name).type === type) return `(${name}) `;
  return '';
}
