/** `jvmpi agent`, `jvmpi attach`: the library of the agent, and JVMs that run already. */
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { KansokuError, UsageError } from '../../../base/errors.js';
import { PROGRAM } from '../../../base/package.node.js';
import { plural } from '../../../base/units.js';
import { eventName } from '../../../formats/jvmpi/document/index.js';
import type { AgentResult } from '../../../live/agent/conversation.node.js';
import { AgentError, JvmpiRuleError, type RuleFinding } from '../../../live/jvmpi/state.js';
import type { ResultColumn } from '../../../views/listing.js';
import { EXIT } from '../../exit.js';
import { type Invocation, note, noteLines, print, write } from '../../host.js';
import { addExamples, addOutputOptions, type OutputOptions } from '../../invocation/options.js';
import { commandLineText } from '../../render/spelling.js';

const IN_C = `
The library runs agents that were written in C for the JVMPI of old, in the process of the VM, as they are:
  cc -shared -fPIC -I$(kansoku jvmpi agent --include) -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o old.so old.c
  java -agentpath:$(kansoku jvmpi agent)=c,./old.so:OPTIONS …
or, as -Xrunold:OPTIONS was spelled:
  LD_LIBRARY_PATH=$(kansoku jvmpi agent --xrun) java -Xrunkansoku:c,./old.so:OPTIONS …`;

const LATE = `
The JVM must belong to you. From JDK 21 on it warns on its standard error that an agent was loaded. It sends METHOD_ENTRY, METHOD_EXIT and
some others only to agents that come at its start (kansoku jvmpi run).
The agent runs with your rights, as any program that you start.`;
const AT_START = 'HotSpot grants their capability only at its start (kansoku jvmpi run), or to one agent at a time';

export const LENIENT = 'go on after calls that break a rule of the interface, and report them at the end';

export const wordsOf = ({ place, message }: RuleFinding): string => `JVMPI ${place}: ${message}`;

/** The name of an event with a blank, or nothing if it is not known which. */
function nameOf(type: number): string {
  const name = eventName(type);
  return name === undefined ? '' : `(${name}) `;
}

/** What an agent threw, without the frames of Kansoku below its own. */
function stackOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const lines = (failure.stack ?? failure.message).split('\n');
  const ownLine = lines.findIndex((line, place) => place > 0 && line.includes(dirname(PROGRAM.folder)));
  return lines.slice(0, ownLine < 0 ? undefined : ownLine).join('\n');
}

/** Notes what an agent did wrong or threw; a rule that it broke is reported already. Throws faults of Kansoku. */
export function reportFailure(invocation: Invocation, failure: unknown): void {
  if (failure === undefined) return;
  if (failure instanceof JvmpiRuleError) note(invocation, commandLineText(failure.advice ?? ''));
  else if (failure instanceof AgentError) noteLines(invocation, `kansoku: ${failure.message}`);
  else if (failure instanceof KansokuError) throw failure;
  else noteLines(invocation, `kansoku: the agent failed: ${stackOf(failure)}`);
  invocation.exitCode = EXIT.no;
}

/** Notes what went wrong with an agent. */
export function report(invocation: Invocation, { findings, dropped, failure }: AgentResult): void {
  for (const finding of findings) note(invocation, `kansoku: ${wordsOf(finding)}`);
  for (const [event, count] of dropped)
    note(invocation, `kansoku: ${plural(count, 'event')} ${nameOf(event)}lost: the agent was too slow`);
  reportFailure(invocation, failure);
}

export function registerLive(jvmpi: Command, invocation: Invocation): void {
  registerLibrary(jvmpi, invocation);
  registerAttach(jvmpi, invocation);
  registerCapabilities(jvmpi, invocation);
}

const COLUMNS: readonly ResultColumn[] = [
  { key: 'kind', title: 'Kind', unit: 'text', detail: 2 },
  { key: 'name', title: 'Name', unit: 'text' },
  { key: 'fidelity', title: 'On HotSpot', unit: 'text' },
  { key: 'available', title: 'Granted', unit: 'text' },
  { key: 'remark', title: 'Remark', unit: 'text', detail: 1 },
];

function registerCapabilities(jvmpi: Command, invocation: Invocation): void {
  const command = jvmpi
    .command('capabilities')
    .description('what a JVM can do of JVMPI: each function and event, how near to the document, whether it is granted')
    .usage('PID | --vm JDK')
    .argument('[pid]', 'a process: what it grants to an agent that comes now')
    .option('--vm <jdk>', 'folder of a JDK: what its VM grants to an agent that comes at its start');
  addOutputOptions(command).action(
    async (pid: string | undefined, options: OutputOptions & { readonly vm?: string }) => {
      const { capabilitiesOfJdk, capabilitiesOfProcess } = await import('../../../live/agent/capabilities.node.js');
      const { isStyled, render } = await import('../../render/render.js');
      const { layoutOf, outputFormat } = await import('../../invocation/answer.js');
      const { env, signal } = invocation.host;
      if ((pid === undefined) === (options.vm === undefined))
        throw new UsageError('name one JVM: a process, or a JDK by --vm');
      const capabilities =
        options.vm === undefined
          ? await capabilitiesOfProcess(pidOf(pid ?? ''), env, signal)
          : await capabilitiesOfJdk(options.vm, env);
      const rows = capabilities.map(({ available, ...row }) => ({ ...row, available: available ? 'yes' : 'no' }));
      const result = { type: 'jvmpi-capabilities', version: 1, columns: COLUMNS, rows, total: rows.length, offset: 0 };
      const layout = layoutOf(invocation, { ...options, format: outputFormat(options) });
      await print(invocation, (await render(result, layout)).text, isStyled(layout));
    },
  );
}

function pidOf(word: string): number {
  const pid = Number(word);
  if (Number.isInteger(pid) && pid > 0) return pid;
  throw new UsageError(`${word} is not the number of a process`);
}

function registerAttach(jvmpi: Command, invocation: Invocation): void {
  jvmpi
    .command('attach')
    .description('run an agent in a JVM that runs already, until it ends or Ctrl-C')
    .usage('PID AGENT[:OPTIONS]')
    .argument('<pid>', 'number of the process')
    .argument('<agent>', 'file of the agent, and its options behind a colon')
    .option('--lenient', LENIENT)
    .addHelpText('after', LATE)
    .action(async (pid: string, agent: string, options: { readonly lenient?: boolean }) => {
      const { attachAgent } = await import('../../../live/agent/attach.node.js');
      const { loadAgent, splitAgent } = await import('../../../live/agent/load-agent.node.js');
      const number = pidOf(pid);
      const agentParts = splitAgent(agent);
      const { env, signal } = invocation.host;
      invocation.host.endAtOnce?.();
      const task = {
        agent: await loadAgent(agentParts.file),
        options: agentParts.options,
        lenient: options.lenient ?? false,
      };
      const result = await attachAgent({ ...task, pid: number, env, signal });
      if (result.refused.size > 0)
        note(invocation, `kansoku: process ${pid} cannot send ${[...result.refused].join(', ')}: ${AT_START}`);
      report(invocation, result);
    });
}

function registerLibrary(jvmpi: Command, invocation: Invocation): void {
  const library = jvmpi
    .command('agent')
    .description('print the path of the library that runs agents, which is built first where needed')
    .option('--include', 'print the folder of jvmpi.h, with which agents in C are compiled')
    .option('--xrun', 'print a folder that has the library as libkansoku.so, for java -Xrunkansoku')
    .addHelpText('after', IN_C)
    .action(async (options: { readonly include?: boolean; readonly xrun?: boolean }) => {
      const { agentLibrary, headersFolder, xrunFolder } = await import('../../../live/agent/build.node.js');
      const { env, stdout } = invocation.host;
      if (options.include === true && options.xrun === true)
        throw new UsageError('--include and --xrun print different folders: give one');
      const path =
        options.include === true
          ? headersFolder()
          : options.xrun === true
            ? xrunFolder(env)
            : agentLibrary(undefined, env);
      write(stdout, `${path}\n`);
    });
  addExamples(library, ['jvmpi agent --include']);
}
