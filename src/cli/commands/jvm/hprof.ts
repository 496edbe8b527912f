/** `hprof lib`: the HPROF agent for command lines of old. */
import type { Command } from 'commander';
import { type Invocation, write } from '../../host.js';

const USE = `
The folder has libhprof.so, which HotSpot loads where it finds it (tried on JDK 17 and 25):
  LD_LIBRARY_PATH=$(kansoku hprof lib) java -Xrunhprof:cpu=times,depth=8 -jar app.jar
  LD_LIBRARY_PATH=$(kansoku hprof lib) javac -J-agentlib:hprof=cpu=old Hello.java
  java -agentpath:$(kansoku hprof lib)/libhprof.so=cpu=times,file=calls.txt -jar app.jar
cpu=samples samples CPU time, cpu=times counts and times each call, cpu=old pairs of callee and caller, monitor=y waits for monitors; -agentlib:hprof=help lists all options. No Kansoku runs beside the
program. Every command of Kansoku reads the file: kansoku functions java.hprof.txt`;

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
}
