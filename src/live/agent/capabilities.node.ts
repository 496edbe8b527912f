/** What a VM can do for an agent of JVMPI: each function and event with its fidelity, and whether the VM grants it now. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KansokuError, UsageError } from '../../base/errors.js';
import { packageFile } from '../../base/package.node.js';
import { eventName, JVMPI_SUCCESS, JVMPI_VERSION_1 } from '../../formats/jvmpi/document/index.js';
import { CALL, type WireReader } from '../../formats/jvmpi/index.js';
import type { AgentModule, EnvBox } from '../jvmpi/interface.js';
import { attachAgent } from './attach.node.js';
import { agentLibrary } from './build.node.js';
import { Conversation } from './conversation.node.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A function or an event of the document. */
export interface CapabilityRow {
  readonly kind: 'function' | 'event';
  readonly name: string;
  /** On HotSpot: exact, near, partly, or missing. */
  readonly fidelity: string;
  /** Whether this VM grants now what it needs. */
  readonly available: boolean;
  readonly remark: string;
}

/** What the agent says of a VM. */
export interface Grants {
  readonly suspend: boolean;
  readonly cpuTime: boolean;
  readonly monitors: boolean;
  readonly events: ReadonlyMap<string, boolean>;
}

/** Functions that need more than an agent always has. */
const NEEDS: Readonly<Record<string, 'suspend' | 'cpuTime'>> = {
  SuspendThread: 'suspend',
  ResumeThread: 'suspend',
  SuspendThreadList: 'suspend',
  ResumeThreadList: 'suspend',
  ThreadHasRun: 'cpuTime',
  GetCurrentThreadCpuTime: 'cpuTime',
};

/** Reads the reply to the call. */
export function readGrants(from: WireReader): Grants {
  const [suspend, cpuTime, monitors] = [from.u8() === 1, from.u8() === 1, from.u8() === 1];
  const events = new Map<string, boolean>();
  for (let left = from.count(); left > 0; left--) {
    const [name, can] = [eventName(from.u8()), from.u8() === 1];
    if (name !== undefined) events.set(name, can);
  }
  return { suspend, cpuTime, monitors, events };
}

/** Functions and events of the page of conformance: what is true on any HotSpot. */
export function conformance(): Omit<CapabilityRow, 'available'>[] {
  const page = readFileSync(packageFile('docs/jvmpi-conformance.md'), 'utf8');
  return (['function', 'event'] as const).flatMap((kind) => {
    const [, table = ''] = page.split(`\n| ${kind} |`);
    const rows = (table.split('\n\n')[0]?.split('\n').slice(2) ?? []).filter((row) => row.startsWith('|'));
    return rows.map((row) => {
      const [, name = '', fidelity = '', remark = ''] = row.split('|').map((cell) => cell.trim());
      return { kind, name, fidelity, remark };
    });
  });
}

/** Joins what is true of any HotSpot with what one grants. */
export function capabilityRows(grants: Grants): CapabilityRow[] {
  const can = ({ kind, name, fidelity }: Omit<CapabilityRow, 'available'>): boolean => {
    if (fidelity === 'missing') return false;
    const need = kind === 'function' ? NEEDS[name] : undefined;
    if (need !== undefined) return grants[need];
    return name === 'MONITOR_DUMP' ? grants.monitors : (grants.events.get(name) ?? true);
  };
  return conformance().map((row) => ({ ...row, available: can(row) }));
}

function ask(conversation: Conversation): Grants {
  const { code, content } = conversation.channel.call(CALL.available, []);
  if (code !== JVMPI_SUCCESS) throw new KansokuError('the VM did not tell what it grants');
  return readGrants(content);
}

/** An agent that enables nothing. */
function silentAgent(loaded: () => void): AgentModule {
  return {
    JVM_OnLoad: (jvm) => {
      const box: EnvBox = {};
      const code = jvm.GetEnv(box, JVMPI_VERSION_1);
      if (box.env !== undefined) box.env.NotifyEvent = () => undefined;
      loaded();
      return code;
    },
  };
}

/** Of a VM that runs: what it grants to an agent that comes now. */
export async function capabilitiesOfProcess(pid: number, env: Env, signal: AbortSignal): Promise<CapabilityRow[]> {
  const grants: Grants[] = [];
  await attachAgent({
    agent: silentAgent(() => undefined),
    options: '',
    lenient: false,
    pid,
    env,
    signal,
    ready: (conversation) => grants.push(ask(conversation)),
  });
  const [found] = grants;
  if (found === undefined) throw new KansokuError(`process ${pid} ended before it answered`);
  return capabilityRows(found);
}

/** Of the VM of a JDK: what it grants to an agent that comes with its start. */
export async function capabilitiesOfJdk(home: string, env: Env): Promise<CapabilityRow[]> {
  const java = join(home, 'bin/java');
  if (!existsSync(java)) throw new UsageError(`${home} is no JDK: it has no bin/java`);
  const library = agentLibrary(java, env);
  const grants: Grants[] = [];
  const agent = silentAgent(() => grants.push(ask(conversation)));
  const task = { agent, options: '', lenient: false };
  const conversation: Conversation = await Conversation.open(task);
  try {
    const words = [`-agentpath:${library}=${conversation.channel.folder}`, '-version'];
    const child = spawn(java, words, { stdio: 'ignore', env: { ...env } });
    await once(child, 'exit');
    const { failure } = await conversation.result();
    if (failure !== undefined) throw failure;
  } finally {
    await conversation.channel.close();
  }
  const [found] = grants;
  if (found === undefined) throw new KansokuError(`${java} did not load the agent`);
  return capabilityRows(found);
}
