/** `record`: runs a program with a recorder that is installed, and says what was recorded. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNIT_NAMES } from '../../../analysis/scope/filter-language.js';
import {
  COPIES,
  NATIVE_RECORDERS,
  type NativeOptions,
  SYNC_CALLERS,
  UNWINDING,
} from '../../../record/native/options.js';
import type { Invocation } from '../../host.js';
import { addExamples, wholeNumber } from '../../invocation/options.js';
import { recordingHost, reportRecording } from '../../invocation/recording-host.js';
import { withProgress } from '../../render/progress.js';
import { outcomeLines } from '../../render/recorded.js';
import { registerRecordHprof } from './hprof.js';

const BEHIND = `
The program has the terminal, gets Ctrl-C, and its exit code is that of kansoku. It takes sample points itself by
collector_sample("name") of gprofng's libcollector.h. docs/record.md says what each recorder can do.`;

interface RecordWords extends Omit<NativeOptions, 'recorder' | 'comments'> {
  readonly with?: NativeOptions['recorder'];
  readonly comment?: readonly string[];
}

export function registerRecord(program: Command, invocation: Invocation): void {
  const record = program.command('record').description('record a program with a recorder that is installed');
  registerRecordHprof(record, invocation);
  const command = record
    .command('native')
    .description('record a native or Java program as an experiment, by gprofng, perf or valgrind')
    .usage('[options] -- PROGRAM ARGS… | -p PID')
    .argument('[command...]', 'the program and its words')
    .addOption(
      new Option('--with <recorder>', 'what records (default: gprofng; of a process that runs, perf)').choices(
        NATIVE_RECORDERS,
      ),
    )
    .option('-p, --pid <pid>', 'record a process that runs, by perf, until it ends or Ctrl-C', wholeNumber)
    .option('-o, --output <dir.er>', 'directory of the experiment (default: the first test.N.er that is free)')
    .option('--overwrite', 'replace an experiment of that name');
  addClockOptions(command);
  addTraceOptions(command);
  addScopeOfRecording(command);
  command
    .addHelpText('after', BEHIND)
    .action((words: string[], options: RecordWords) => recordProgram(invocation, words, options));
  addExamples(command, ['record native -o /tmp/true.er --overwrite -- /bin/true']);
}

function addClockOptions(command: Command): void {
  command
    .option('--interval <time>', 'time between two samples of the clock, as 2ms; off: none', intervalOf)
    .addOption(new Option('--unwinding <way>', 'how perf finds callers').choices(UNWINDING))
    .option('--counters <list>', 'hardware counters, comma-separated, as gprofng names them')
    .option('--usage-period <time>', 'time between two samples of what the system counts; off: none', intervalOf);
}

function addTraceOptions(command: Command): void {
  command
    .option(
      '--sync <threshold>',
      'record waits for locks and threads: on (longer than a calibrated time), all, microseconds',
    )
    .addOption(new Option('--sync-callers <callers>', 'whose waits').choices(Object.keys(SYNC_CALLERS)))
    .option('--heap', 'record each allocation and free')
    .option('--io', 'record each read, write, open and close');
}

function addScopeOfRecording(command: Command): void {
  command
    .option('--descendants <choice>', 'record programs that it starts: on, off, =REGEX for those whose names match')
    .option('--java <choice>', 'record Java stacks: on, off, or the folder of a JDK')
    .option('--java-options <words>', 'options for the JVM')
    .option('--comment <text>', 'a comment in the experiment', (text, before: readonly string[] = []) => [
      ...before,
      text,
    ])
    .addOption(new Option('--copies <choice>', 'what is copied into the experiment').choices(Object.keys(COPIES)))
    .option('--pause-signal <signal>', 'this signal pauses and resumes recording')
    .option('--paused', 'begin paused, until that signal')
    .option('--sample-signal <signal>', 'this signal makes a sample of what the system counts')
    .option('--duration <time>', 'end recording after this time; the program goes on', timeOf);
}

function intervalOf(text: string): number | 'off' {
  return text === 'off' ? 'off' : timeOf(text);
}

/** `2ms`, `0.5 s`; nanoseconds. */
function timeOf(text: string): number {
  const [, number = '', name = ''] = /^(\d+(?:\.\d+)?) ?([a-zµ]+)$/.exec(text) ?? [];
  const [unit, size] = UNIT_NAMES[name] ?? [];
  const time = Number(number) * (size ?? 0);
  if (unit !== 'ns' || !(time > 0))
    throw new InvalidArgumentError('A time with its unit is expected, such as 2ms or 30s.');
  return time;
}

async function recordProgram(invocation: Invocation, command: readonly string[], words: RecordWords): Promise<void> {
  const { recordNative } = await import('../../../record/native/record.node.js');
  const { with: recorder, comment: comments, ...options } = words;
  const native = { ...options, ...(recorder && { recorder }), ...(comments && { comments }) };
  const result = await withProgress(invocation.host, 'the recording', (work) =>
    recordNative(command, native, recordingHost(invocation), work),
  );
  reportRecording(invocation, outcomeLines(result), result.exitCode);
}
