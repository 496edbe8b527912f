/** `record hprof`: runs a program of Java with the HPROF agent. */
import type { Command } from 'commander';
import { type Invocation, note } from '../../host.js';
import { addExamples } from '../../invocation/options.js';
import { recordingHost, reportRecording } from '../../invocation/recording-host.js';
import { withProgress } from '../../render/progress.js';
import { hprofLines } from '../../render/recorded.js';

const OPTIONS = `
Options of the agent are those of -Xrunhprof that docs/hprof-agent.md lists: cpu=samples, times, old or counts,
monitor=y, interval=10, depth=8, cutoff=0, thread=y.
The program has the terminal, gets Ctrl-C, and its exit code is that of kansoku.`;

interface HprofWords {
  readonly options: string;
  readonly output?: string;
}

export function registerRecordHprof(record: Command, invocation: Invocation): void {
  const command = record
    .command('hprof')
    .description(
      'sample the CPU time of a Java program, count and time its calls, or its waits for monitors, by the HPROF agent',
    )
    .usage('[options] -- java ARGS…')
    .argument('[command...]', 'java or another program of a JDK, and its words')
    .option('--options <list>', 'options of the agent', 'cpu=times')
    .option('-o, --output <file>', 'file to write (default: java.hprof.txt)')
    .addHelpText('after', OPTIONS)
    .action((program: string[], words: HprofWords) => recordProgram(invocation, program, words));
  addExamples(command, [
    'record hprof --options cpu=samples,depth=16 -o /tmp/samples.txt -- java --version',
    'record hprof --options cpu=old -o /tmp/calls.txt -- java --version',
  ]);
}

async function recordProgram(invocation: Invocation, command: readonly string[], words: HprofWords): Promise<void> {
  const [{ recordHprof }, { expectedPrice }] = await Promise.all([
    import('../../../record/hprof/record.node.js'),
    import('../../../record/hprof/price.js'),
  ]);
  const price = expectedPrice(words.options);
  if (price !== undefined) note(invocation, `kansoku: ${price}`);
  const recording = await withProgress(invocation.host, 'the recording', (work) =>
    recordHprof(command, words, recordingHost(invocation), work),
  );
  reportRecording(invocation, hprofLines(recording), recording.exitCode);
}
