/** `jvmpi agent`: the library of the agent. */
import type { Command } from 'commander';
import type { Invocation } from '../host.js';
import { addExamples } from '../invocation/options.js';

const IN_C = `
The library runs agents that were written in C for the JVMPI of old, in the process of the VM, as they are:
  cc -shared -fPIC -I$(kansoku jvmpi agent --include) -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o old.so old.c
  java -agentpath:$(kansoku jvmpi agent)=c,./old.so:OPTIONS …`;

export function registerLive(jvmpi: Command, invocation: Invocation): void {
  registerLibrary(jvmpi, invocation);
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
