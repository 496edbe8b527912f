/** An agent in TypeScript and the VM that it talks with, from the VM's first word to the end of the connection. */
import { type EventName, eventName, JNI_OK, type VmEvent } from '../../formats/jvmpi/document/index.js';
import { readBlock } from '../../formats/jvmpi/index.js';
import { JvmpiHost } from '../jvmpi/host.js';
import type { AgentModule } from '../jvmpi/interface.js';
import { AgentError, type RuleFinding } from '../jvmpi/state.js';
import { Channel, type ChannelEvents, type ChannelPlace } from './channel.node.js';
import { Delivery } from './delivery.js';
import { HotSpotVm } from './hotspot.js';
import { PATIENCE_MS } from './silence.js';
import type { StreamRecorder } from './stream-recorder.node.js';

export interface AgentTask {
  readonly agent: AgentModule;
  readonly options: string;
  /** Keeps the frames between the VM and Kansoku. */
  readonly recorder?: StreamRecorder;
  /** The agent only enables events, to record them: nothing is handed to it. */
  readonly deaf?: boolean;
  readonly lenient: boolean;
}

/** What happened. */
export interface AgentResult {
  /** Calls of the agent that broke a rule. */
  readonly findings: readonly RuleFinding[];
  /** Events that were not sent since the queue was full, by their number (0: any). */
  readonly dropped: ReadonlyMap<number, number>;
  /** Events that the VM refused to send. */
  readonly refused: ReadonlySet<EventName>;
  /** What the agent threw first. */
  readonly failure?: unknown;
}

/** The class file that a handler of CLASS_LOAD_HOOK set; undefined for all others. */
function newClassFile({ u }: VmEvent): Uint8Array | undefined {
  if (!('class_load_hook' in u)) return undefined;
  const { class_data, new_class_data, new_class_data_len } = u.class_load_hook;
  return new_class_data === class_data ? undefined : new_class_data.subarray(0, new_class_data_len);
}

/** Seconds of a silence that the VM does not wait for. */
function tooLong(silence: number): string | undefined {
  return silence > PATIENCE_MS ? `${(silence / 1000).toFixed(1)} s` : undefined;
}

export class Conversation {
  readonly channel: Channel;
  /** The end of the connection. */
  readonly closed: Promise<void>;
  readonly #dropped: Map<number, number>;
  readonly #host: JvmpiHost;
  readonly #delivery: Delivery;
  readonly #vm: HotSpotVm;
  readonly #task: AgentTask;
  /** Blocks that are being delivered, the first one in part. */
  readonly #blocks: Iterator<VmEvent>[] = [];
  #hasAgent = false;

  private constructor(task: AgentTask, channel: Channel, closed: Promise<void>, dropped: Map<number, number>) {
    this.#task = task;
    this.channel = channel;
    this.closed = closed;
    this.#dropped = dropped;
    this.#vm = new HotSpotVm(channel);
    this.#host = new JvmpiHost(this.#vm, { lenient: task.lenient });
    this.#delivery = new Delivery(this.#host);
  }

  /** Listens on a new socket. */
  static async open(task: AgentTask, place?: ChannelPlace): Promise<Conversation> {
    const dropped = new Map<number, number>();
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const events: ChannelEvents = {
      hello: () => conversation.#start(),
      block: (bytes) => conversation.#block(bytes),
      hold: (bytes) => conversation.#hold(bytes),
      dropped: (event, count) => void dropped.set(event, (dropped.get(event) ?? 0) + count),
      closed: () => close(),
      frame: (kind, bytes) => task.recorder?.frame(kind, bytes),
    };
    const conversation: Conversation = new Conversation(task, await Channel.open(events, place), closed, dropped);
    return conversation;
  }

  /** Whether the VM has connected. */
  get hasAgent(): boolean {
    return this.#hasAgent;
  }

  #start(): void {
    this.#hasAgent = true;
    const silence = this.channel.silence.watch();
    try {
      const done = this.#host.load(this.#task.agent, this.#task.options) === JNI_OK;
      const silent = tooLong(silence());
      if (silent !== undefined)
        throw new AgentError(`JVM_OnLoad was silent for ${silent}: the VM waits ${PATIENCE_MS / 1000} s`);
      if (!done) throw new AgentError(`JVM_OnLoad failed${this.#refusal()}`);
      this.channel.go(true);
    } catch (error) {
      this.#delivery.failed(error);
      this.channel.go(false);
    }
  }

  /** What the VM refused, which is the usual reason. */
  #refusal(): string {
    const { refused } = this.#vm;
    return refused.size === 0 ? '' : `: the VM cannot send ${[...refused].join(', ')}`;
  }

  #block(bytes: Uint8Array): void {
    if (this.#task.deaf) return;
    this.#blocks.push(readBlock(bytes)[Symbol.iterator]());
    this.#deliverBlocks();
  }

  /** A handler may call, and within its call further blocks may be handled: the events of the first one come before theirs. */
  #deliverBlocks(): void {
    for (let [block] = this.#blocks; block !== undefined; [block] = this.#blocks) {
      const { done, value } = block.next();
      if (done !== true) void this.#delivery.event(value);
      else if (this.#blocks[0] === block) this.#blocks.shift();
    }
  }

  async #hold(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#task.deaf) return undefined;
    const [event] = readBlock(bytes);
    if (event === undefined) return undefined;
    this.#deliverBlocks();
    const silence = this.channel.silence.watch();
    await this.#delivery.event(event);
    const silent = tooLong(silence());
    if (silent === undefined) return newClassFile(event);
    const name = eventName(event.event_type) ?? '';
    const message = `a handler of ${name} was silent for ${silent}: its thread waits ${PATIENCE_MS / 1000} s, then it goes on`;
    this.#host.state.warn({ rule: 'deadline', place: 'blocking', message });
    return newClassFile(event);
  }

  /** The result, when all events are handled. */
  async result(): Promise<AgentResult> {
    await this.#delivery.all();
    const result = { findings: this.#host.findings, dropped: this.#dropped, refused: this.#vm.refused };
    return this.#delivery.failure === undefined ? result : { ...result, failure: this.#delivery.failure };
  }
}
