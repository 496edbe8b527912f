/**
 * Replays a recorded stream: the agent gets the same events, and its calls the recorded answers. Where the recording has a call, the replay
 * waits until the agent has made it, so timers and system threads of the agent take the same turns.
 */
import { KansokuError } from '../../base/errors.js';
import { ProblemLog, type Problems } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { JNI_OK, JVMPI_FAIL, JVMPI_NOT_AVAILABLE, JVMPI_SUCCESS } from '../../formats/jvmpi/document/index.js';
import { CALL, FRAME, readBlock, readFrames, varints, WireReader } from '../../formats/jvmpi/index.js';
import { JvmpiHost } from '../jvmpi/host.js';
import type { AgentModule } from '../jvmpi/interface.js';
import type { RuleFinding } from '../jvmpi/state.js';
import { Delivery } from './delivery.js';
import { type Caller, HotSpotVm, type Reply } from './hotspot.js';

export interface ReplayTask {
  readonly agent: AgentModule;
  readonly options: string;
  readonly source: ByteSource;
  readonly lenient: boolean;
  readonly work?: Work;
}

export interface ReplayResult {
  readonly findings: readonly RuleFinding[];
  /** Calls of the agent that the recording has no answer to, and recorded calls that it did not make. */
  readonly unanswered: number;
  readonly unmade: number;
  readonly problems: Problems;
  /** What the agent threw first. */
  readonly failure?: unknown;
}

/** How long the replay waits for a recorded call; after the first one that does not come it waits no more. */
const CALL_MS = 2000;
/** Promises that a handler may wait for one after another within a turn. */
const TURN = 32;

interface RecordedCall {
  readonly key: string;
  readonly function: number;
  readonly event: number;
  reply: Uint8Array | undefined;
  readonly parts: Uint8Array[];
  made: boolean;
  /** Frames with events that were handled while the agent waited for the reply. */
  readonly within: { readonly place: number; readonly kind: number; readonly content: Uint8Array }[];
}

/** The recorded calls, as the other end of the channel. */
class RecordedCalls implements Caller {
  readonly #all: RecordedCall[] = [];
  readonly #byId = new Map<number, RecordedCall>();
  readonly #byKey = new Map<string, RecordedCall[]>();
  readonly #open: RecordedCall[] = [];
  /** Places of frames that were handled within a call. */
  readonly handled = new Set<number>();
  unanswered = 0;
  /** Handles a frame within a call. */
  onFrame: (kind: number, content: Uint8Array) => void = () => undefined;
  /** Called with each call that the agent makes. */
  onCall: () => void = () => undefined;

  /** Adds a frame, the one at `place` in the recording, if calls need it. */
  add(place: number, kind: number, content: Uint8Array): void {
    if (kind === FRAME.call) this.#addCall(content);
    else if (kind === FRAME.part) this.#byId.get(new WireReader(content).u32())?.parts.push(content.slice(4));
    else if (kind === FRAME.reply) this.#addReply(content);
    else if (kind === FRAME.block || kind === FRAME.hold)
      this.#open.at(-1)?.within.push({ place, kind, content: content.slice() });
  }

  #addReply(content: Uint8Array): void {
    const id = new WireReader(content).u32();
    const call = this.#byId.get(id);
    if (call === undefined) return;
    call.reply = content.slice(4);
    this.#byId.delete(id);
    this.#open.splice(this.#open.indexOf(call), 1);
  }

  #addCall(content: Uint8Array): void {
    const from = new WireReader(content);
    const id = from.u32();
    const key = keyOf(content.subarray(4));
    const name = from.u8();
    const event = from.left > 0 ? from.varint() : 0;
    const call: RecordedCall = { key, function: name, event, reply: undefined, parts: [], made: false, within: [] };
    this.#all.push(call);
    this.#open.push(call);
    this.#byId.set(id, call);
    const others = this.#byKey.get(key) ?? [];
    this.#byKey.set(key, others);
    others.push(call);
  }

  get unmade(): number {
    return this.#all.filter(({ made }) => !made).length;
  }

  isMade(place: number): boolean {
    return this.#all[place]?.made ?? true;
  }

  call(name: number, values: readonly number[]): Reply {
    const bytes = new Uint8Array([name, ...varints(values)]);
    const call = this.#byKey.get(keyOf(bytes))?.find(({ made }) => !made);
    const reply = call?.reply;
    if (call !== undefined) call.made = true;
    this.onCall();
    for (const { place, kind, content } of call?.within ?? []) {
      if (this.handled.has(place)) continue;
      this.handled.add(place);
      this.onFrame(kind, content);
    }
    if (reply !== undefined) {
      const from = new WireReader(reply);
      return { code: from.i32(), content: from, parts: call?.parts.map((part) => new WireReader(part)) ?? [] };
    }
    // The VM of the recording did not reply, or the agent is another one.
    if (call === undefined && name !== CALL.enable && name !== CALL.disable) this.unanswered++;
    return { code: this.#codeOf(name, values[0] ?? 0), content: new WireReader(new Uint8Array(0)) };
  }

  /** Events that were recorded can be enabled again. */
  #codeOf(name: number, event: number): number {
    if (name === CALL.disable) return JVMPI_SUCCESS;
    if (name !== CALL.enable) return JVMPI_FAIL;
    const isRecorded = this.#all.some(
      (call) =>
        call.function === CALL.enable &&
        call.event === event &&
        call.reply !== undefined &&
        new WireReader(call.reply).i32() === JVMPI_SUCCESS,
    );
    return isRecorded ? JVMPI_SUCCESS : JVMPI_NOT_AVAILABLE;
  }
}

/** Function and arguments. */
function keyOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Replays to the end, or until the agent throws. Throws `FormatError` if the file is no recording. */
export async function replay(task: ReplayTask): Promise<ReplayResult> {
  const problems = new ProblemLog();
  const calls = new RecordedCalls();
  let place = 0;
  await readFrames(task.source, problems, ({ kind, content }) => calls.add(place++, kind, content));
  const replaying = new Replaying(task, calls);
  await readFrames(task.source, new ProblemLog(), ({ kind, content }) => replaying.frame(kind, content), task.work);
  return { ...(await replaying.end()), problems: problems.finish() };
}

class Replaying {
  readonly #task: ReplayTask;
  readonly #calls: RecordedCalls;
  readonly #host: JvmpiHost;
  readonly #delivery: Delivery;
  #place = 0;
  #call = 0;
  #waits = true;
  readonly #resources = new ActiveResources();

  constructor(task: ReplayTask, calls: RecordedCalls) {
    this.#task = task;
    this.#calls = calls;
    this.#host = new JvmpiHost(new HotSpotVm(calls), { lenient: task.lenient });
    this.#delivery = new Delivery(this.#host);
    calls.onFrame = (kind, content) => this.#frame(kind, content);
  }

  frame(kind: number, content: Uint8Array): void | Promise<void> {
    const place = this.#place++;
    if (kind === FRAME.call) return this.#called(this.#call++);
    // Frames may have been handled within a call before.
    if (!this.#calls.handled.delete(place)) this.#frame(kind, content);
    return this.#delivery.isBusy || this.#host.isBusy ? turn() : undefined;
  }

  #frame(kind: number, content: Uint8Array): void {
    if (kind === FRAME.hello) this.#start();
    else if (kind === FRAME.block) this.#events(content);
    else if (kind === FRAME.hold) this.#events(content.subarray(4));
  }

  #start(): void {
    const { agent, options } = this.#task;
    try {
      if (this.#host.load(agent, options) !== JNI_OK) throw new KansokuError('JVM_OnLoad failed');
    } catch (error) {
      this.#delivery.failed(error);
    }
  }

  #events(bytes: Uint8Array): void {
    try {
      for (const event of readBlock(bytes)) void this.#delivery.event(event);
    } catch (error) {
      this.#delivery.failed(error);
    }
  }

  /** Waits until the agent has made a recorded call. */
  #called(place: number): void | Promise<void> {
    if (!this.#waits || this.#delivery.failure !== undefined || this.#calls.isMade(place)) return undefined;
    return this.#awaited(place);
  }

  async #awaited(place: number): Promise<void> {
    await turn();
    if (this.#calls.isMade(place)) return;
    // Nothing of the agent is left to make it.
    if (!this.#delivery.isBusy && !this.#host.isBusy && !this.#resources.areMore()) {
      this.#waits = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#calls.onCall = () => undefined;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waits = false;
        done();
      }, CALL_MS);
      this.#calls.onCall = () => {
        if (this.#calls.isMade(place)) done();
      };
    });
  }

  async end(): Promise<Omit<ReplayResult, 'problems'>> {
    await this.#delivery.all();
    const { failure } = this.#delivery;
    const { unanswered, unmade } = this.#calls;
    return { findings: this.#host.findings, unanswered, unmade, ...(failure !== undefined && { failure }) };
  }
}

/** What keeps a process alive: requests and timers, after which an agent may go on. */
class ActiveResources {
  readonly #first = process.getActiveResourcesInfo().length;

  /** Whether there are timers, or more of others than at first. */
  areMore(): boolean {
    const now = process.getActiveResourcesInfo();
    return now.length > this.#first || now.some((kind) => kind === 'Timeout' || kind === 'Immediate');
  }
}

/** Lets handlers that wait for promises go on. */
async function turn(): Promise<void> {
  for (let i = 0; i < TURN; i++) await Promise.resolve();
}
