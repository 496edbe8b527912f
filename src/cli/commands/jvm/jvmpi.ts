/** `jvmpi`: agents of the JVM Profiler Interface, in TypeScript. */
import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.js';
import { plural } from '../../../base/units.js';
import { isFileTree } from '../../../bytes/file-tree.js';
import type { RunTask } from '../../../live/agent/run.node.js';
import { events } from '../../../questions/catalogue/events.js';
import { type Invocation, note } from '../../host.js';
import { addExamples, listOf, wholeNumber } from '../../invocation/options.js';
import { registerQuestion } from '../../invocation/question.js';
import { eventExtras } from '../events.js';
import { registerDump } from './jvmpi-dump.js';
import { LENIENT, registerLive, report, reportFailure, wordsOf } from './jvmpi-live.js';

const RIGHTS = `
The agent runs with your rights, as any program that you start. The first run builds a library with the C compiler.`;

interface RunOptions {
  readonly lenient?: boolean;
}

interface RecordOptions extends RunOptions {
  readonly output: string;
  readonly agent?: string;
  readonly events?: string;
  readonly trace?: number;
  readonly cpuTime?: true;
  readonly status?: true;
}

/** What `record` enables if nothing is named: all that is not frequent. */
const USUAL_EVENTS =
  'THREAD_START,THREAD_END,CLASS_LOAD,MONITOR_CONTENDED_ENTER,MONITOR_CONTENDED_ENTERED,MONITOR_WAIT,MONITOR_WAITED,GC_START,GC_FINISH,JVM_INIT_DONE,JVM_SHUT_DOWN';
/** Always recorded: other events have the ids that these define. */
const NAMING_EVENTS = 'THREAD_START,CLASS_LOAD';
const RECORDING = 'examples/jvmpi/contended.jvmpi';

const TYPES = events.options.shape.types;

/** As `events`, with all types if none is named. */
const STREAM_EVENTS = {
  ...events,
  id: 'jvmpi events',
  title: 'the events of a recorded stream, with all fields',
  options: events.options.extend({ types: TYPES.meta({ ...TYPES.meta(), usual: '*' }) }),
  examples: [
    `jvmpi events ${RECORDING} --limit 5`,
    `jvmpi events ${RECORDING} MONITOR_WAITED --filter timeout>1000000`,
  ],
};

export function registerJvmpi(program: Command, invocation: Invocation): void {
  const jvmpi = program
    .command('jvmpi')
    .description('run agents of the JVM Profiler Interface (JVMPI), in TypeScript and C');
  registerRun(jvmpi, invocation);
  registerRecord(jvmpi, invocation);
  registerReplay(jvmpi, invocation);
  registerLive(jvmpi, invocation);
  registerDump(jvmpi, invocation);
  registerQuestion(jvmpi, invocation, STREAM_EVENTS, eventExtras(invocation, '*'));
}

function registerRun(jvmpi: Command, invocation: Invocation): void {
  const runs = jvmpi
    .command('run')
    .description('run a Java program with an agent in TypeScript or JavaScript')
    .usage('AGENT[:OPTIONS] -- java …')
    .argument('<agent>', 'file of the agent, and its options behind a colon')
    .argument('<command...>', 'the program, java or another one of a JDK, and its words')
    .option('--lenient', LENIENT)
    .addHelpText('after', RIGHTS)
    .action(async (agent: string, command: string[], options: RunOptions) => {
      const { loadAgent, splitAgent } = await import('../../../live/agent/load-agent.node.js');
      const { file, options: words } = splitAgent(agent);
      invocation.host.endAtOnce?.();
      await run(invocation, { agent: await loadAgent(file), options: words, command }, options);
    });
  addExamples(runs, ['jvmpi run examples/jvmpi/class-loads.ts:file=/tmp/classes.txt -- java -version']);
}

function registerRecord(jvmpi: Command, invocation: Invocation): void {
  const records = jvmpi
    .command('record')
    .description('record the events of a Java program into a file, to be replayed and asked')
    .usage('-o FILE [options] -- java …')
    .argument('<command...>', 'the program, java or another one of a JDK, and its words')
    .requiredOption('-o, --output <file>', 'file to write, which other commands open')
    .option('--events <events>', `events, comma-separated; with ${NAMING_EVENTS} (default: all that are not frequent)`)
    .option('--trace <frames>', 'record so many frames of the stack with each of the events', wholeNumber)
    .option('--cpu-time', 'record the CPU time of the thread with each of the events')
    .option('--status', 'record the status of the thread with each of the events')
    .option('--agent <agent>', 'record what this agent enables and asks, for `jvmpi replay`')
    .option('--lenient', LENIENT)
    .addHelpText('after', RIGHTS)
    .action(async (command: string[], options: RecordOptions) => record(invocation, command, options));
  addExamples(records, ['jvmpi record -o /tmp/version.jvmpi -- java -version']);
}

function registerReplay(jvmpi: Command, invocation: Invocation): void {
  const replays = jvmpi
    .command('replay')
    .description('give the events of a recorded stream to an agent, and the recorded answers to its calls')
    .usage('AGENT[:OPTIONS] FILE')
    .argument('<agent>', 'file of the agent, and its options behind a colon')
    .argument('<file>', 'what `jvmpi record` wrote')
    .option('--lenient', LENIENT)
    .action(async (agent: string, file: string, options: RunOptions) => replayTo(invocation, agent, file, options));
  addExamples(replays, [`jvmpi replay examples/jvmpi/class-loads.ts ${RECORDING}`]);
}

/** Records what an agent or the options enable. */
async function record(invocation: Invocation, command: string[], options: RecordOptions): Promise<void> {
  const { agent, events, trace, cpuTime, status, output } = options;
  if (agent !== undefined && [events, trace, cpuTime, status].some((option) => option !== undefined))
    throw new UsageError(
      '--agent: the agent enables its events',
      'Leave out --events, --trace, --cpu-time and --status.',
    );
  const { loadAgent, splitAgent } = await import('../../../live/agent/load-agent.node.js');
  const { recordingAgent } = await import('../../../live/agent/recording-agent.js');
  const { StreamRecorder } = await import('../../../live/agent/stream-recorder.node.js');
  const agentParts = agent === undefined ? undefined : splitAgent(agent);
  invocation.host.endAtOnce?.();
  const wants = {
    ...(trace !== undefined && { trace }),
    ...(cpuTime !== undefined && { cpu_time: cpuTime }),
    ...(status !== undefined && { status }),
  };
  const recordingTask =
    agentParts === undefined
      ? { agent: recordingAgent(listOf(events ?? USUAL_EVENTS), listOf(NAMING_EVENTS), wants), options: '', deaf: true }
      : { agent: await loadAgent(agentParts.file), options: agentParts.options };
  const recorder = new StreamRecorder(output);
  try {
    await run(invocation, { ...recordingTask, command, recorder }, options);
  } finally {
    recorder.close();
  }
}

type RunWords = Pick<RunTask, 'agent' | 'options' | 'command' | 'recorder' | 'deaf'>;

async function run(invocation: Invocation, words: RunWords, { lenient = false }: RunOptions): Promise<void> {
  const { runWithAgent } = await import('../../../live/agent/run.node.js');
  const { env, signal } = invocation.host;
  const result = await runWithAgent({ ...words, lenient, env, signal });
  report(invocation, result);
  if (result.exitCode === 0) return;
  note(invocation, `kansoku: the program ended with exit code ${result.exitCode}`);
  invocation.exitCode = result.exitCode;
}

async function replayTo(invocation: Invocation, agent: string, file: string, options: RunOptions): Promise<void> {
  const { loadAgent, splitAgent } = await import('../../../live/agent/load-agent.node.js');
  const { replay } = await import('../../../live/agent/replay.js');
  const { openInput } = await import('../../../session/inputs/inputs.node.js');
  const agentParts = splitAgent(agent);
  invocation.host.endAtOnce?.();
  const source = await openInput(file);
  if (isFileTree(source)) throw new UsageError(`${file}: a recorded stream is one file, this is several`);
  const task = {
    agent: await loadAgent(agentParts.file),
    options: agentParts.options,
    source,
    lenient: options.lenient ?? false,
  };
  const result = await replay(task);
  for (const finding of result.findings) note(invocation, `kansoku: ${wordsOf(finding)}`);
  for (const { message } of result.problems.list) note(invocation, `kansoku: ${file}: ${message}`);
  if (result.unanswered > 0)
    note(invocation, `kansoku: ${plural(result.unanswered, 'call')} of the agent failed: the recording has no answer`);
  if (result.unmade > 0)
    note(invocation, `kansoku: the agent did not make ${plural(result.unmade, 'recorded call')}: it is another one`);
  reportFailure(invocation, result.failure);
}
