/**
 * The connection to an agent. Calls wait for their reply without returning to the event loop, as functions of the document do;
 * an event that holds its thread is handled even then, or a call that needs this thread would never end.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { KansokuError } from '../../base/errors.js';
import { JVMPI_FAIL } from '../../formats/jvmpi/document/index.js';
import {
  FRAME,
  FRAME_HEAD,
  frame,
  type Hello,
  readHello,
  u32,
  u32At,
  varints,
  WireReader,
} from '../../formats/jvmpi/index.js';
import type { Reply } from './hotspot.js';
import { liveModule } from './modules.node.js';
import { Silence } from './silence.js';
import type { SocketMessage, SocketTask } from './socket-thread.node.js';

/** How long a call waits for its reply. */
const REPLY_MS = 10_000;
/** Bytes of events that may be under way. */
const CREDIT = 4 * 2 ** 20;

/** What the channel hands on. */
export interface ChannelEvents {
  readonly block: (bytes: Uint8Array) => void;
  /** The thread of the event waits until the promise, and gets its bytes. */
  readonly hold: (bytes: Uint8Array) => Promise<Uint8Array | undefined>;
  /** Events that the agent did not send: the number of an event (0: any) and a count. */
  readonly dropped: (event: number, count: number) => void;
  /** The agent is there. */
  readonly hello: (hello: Hello) => void;
  readonly closed: (problem: string | undefined) => void;
  /** Each frame that is handled or sent, but CREDIT, before anything else happens with it; a reply when its call ends. */
  readonly frame?: (kind: number, bytes: Uint8Array) => void;
}

/** Where the agent finds the folder of the socket: in a container, or as another user. */
export interface ChannelPlace {
  /** The folder that is `/` for the agent; empty where it is ours. */
  readonly root: string;
  readonly user: number;
  readonly group: number;
}

const PREFIX = 'kansoku-jvmpi-';

interface Frame {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

/** The end of the connection. */
interface Closed {
  readonly problem: string | undefined;
}

/** What a message of the socket's thread consists of. */
function* framesOf(message: SocketMessage): Generator<Frame | Closed> {
  if (message.kind === 'closed') yield { problem: message.problem };
  if (message.kind !== 'frames') return;
  const { frames } = message;
  for (let at = 0; at < frames.length; ) {
    const end = at + FRAME_HEAD + u32At(frames, at);
    yield { kind: frames[at + 4] ?? 0, bytes: frames.subarray(at + FRAME_HEAD, end) };
    at = end;
  }
}

export class Channel {
  /** The folder that the agent gets as its option: with socket and token, for this user only. */
  readonly folder: string;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #counter: Int32Array;
  readonly #events: ChannelEvents;
  /** Frames and the end of the connection that have arrived and are not handled, in their order. */
  readonly #waiting: (Frame | Closed)[] = [];
  readonly #replies = new Map<number, { readonly bytes: Uint8Array; readonly parts: readonly WireReader[] }>();
  /** Calls that are over without a reply: one that comes later is too late. */
  readonly #givenUp = new Set<number>();
  /** Parts of the reply that has not come yet. */
  #parts: WireReader[] = [];
  #lastCall = 0;
  /** Bytes of blocks that are handled, and that the agent may send again. */
  #handled = 0;
  #isOpen = true;
  readonly silence = new Silence();

  private constructor(
    folder: string,
    [worker, port]: readonly [Worker, MessagePort],
    counter: Int32Array,
    events: ChannelEvents,
  ) {
    this.folder = folder;
    this.#worker = worker;
    this.#port = port;
    this.#counter = counter;
    this.#events = events;
    port.on('message', (message: SocketMessage) => {
      // A handler may call, and frames that arrive within its call come behind those of this message.
      for (const each of framesOf(message)) this.#waiting.push(each);
      this.#handleWaiting();
    });
    worker.on('error', (error: Error) => this.#handle({ problem: error.message }));
  }

  /** Listens on a new socket. */
  static async open(events: ChannelEvents, place?: ChannelPlace): Promise<Channel> {
    const folder = mkdtempSync(join(place === undefined || place.root === '' ? tmpdir() : `${place.root}/tmp`, PREFIX));
    chmodSync(folder, 0o700);
    const token = randomBytes(24).toString('hex');
    writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
    if (place !== undefined && process.geteuid?.() === 0)
      for (const path of [folder, join(folder, 'token')]) chownSync(path, place.user, place.group);
    const counter = new Int32Array(new SharedArrayBuffer(4));
    const { port1, port2 } = new MessageChannel();
    const task: SocketTask = { path: join(folder, 'socket'), token, counter, port: port2 };
    const worker = new Worker(liveModule('agent/socket-thread.node.js'), { workerData: task, transferList: [port2] });
    const [message]: SocketMessage[] = await once(port1, 'message');
    if (message?.kind !== 'listening') {
      rmSync(folder, { recursive: true });
      const problem = message?.kind === 'closed' ? message.problem : undefined;
      throw new KansokuError(`no socket for the agent: ${problem ?? 'it closed at once'}`);
    }
    if (place !== undefined && process.geteuid?.() === 0) chownSync(join(folder, 'socket'), place.user, place.group);
    return new Channel(folder, [worker, port1], counter, events);
  }

  #handleWaiting(): void {
    for (let each = this.#waiting.shift(); each !== undefined; each = this.#waiting.shift()) this.#handle(each);
  }

  #handle(what: Frame | Closed): void {
    if ('bytes' in what) this.#frame(what.kind, what.bytes);
    else if (this.#isOpen) {
      this.#isOpen = false;
      this.#events.closed(what.problem);
    }
  }

  #frame(kind: number, bytes: Uint8Array): void {
    if ((kind === FRAME.reply || kind === FRAME.part) && this.#givenUp.has(u32At(bytes, 0))) return;
    if (kind !== FRAME.reply) this.#events.frame?.(kind, bytes);
    if (kind === FRAME.hello) {
      // Only the agent needed it, so nothing is left behind even if this process is killed.
      this.#removeFolder();
      this.#events.hello(readHello(bytes));
      this.#send(frame(FRAME.credit, u32(CREDIT)));
    } else if (kind === FRAME.block) {
      this.#events.block(bytes);
      this.#handled += bytes.length + FRAME_HEAD;
      if (this.#handled < CREDIT / 4) return;
      this.#send(frame(FRAME.credit, u32(this.#handled)));
      this.#handled = 0;
    } else if (kind === FRAME.hold) this.#hold(bytes);
    else if (kind === FRAME.part) this.#parts.push(new WireReader(bytes.subarray(4)));
    else if (kind === FRAME.reply) this.#reply(bytes);
    else if (kind === FRAME.dropped) {
      const from = new WireReader(bytes);
      while (from.left > 0) this.#events.dropped(from.u32(), from.u32());
    }
  }

  #hold(bytes: Uint8Array): void {
    const id = new WireReader(bytes).u32();
    const release = (answer: Uint8Array | undefined) =>
      this.#send(frame(FRAME.release, u32(id), answer ?? new Uint8Array(0)));
    void this.#events.hold(bytes.subarray(4)).then(release, () => release(undefined));
  }

  #reply(bytes: Uint8Array): void {
    // One call runs at a time, so all parts are of the call that is replied to.
    this.#replies.set(u32At(bytes, 0), { bytes, parts: this.#parts });
    this.#parts = [];
  }

  #send(bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    const kind = bytes[4] ?? 0;
    if (kind !== FRAME.credit) this.#events.frame?.(kind, bytes.subarray(FRAME_HEAD));
    this.#port.postMessage(bytes);
  }

  /** The program may start; or not, if `JVM_OnLoad` failed. */
  go(succeeded: boolean): void {
    this.#send(frame(FRAME.go, new Uint8Array([succeeded ? 0 : 1])));
  }

  /** Calls a function of the agent. JVMPI_FAIL if it does not reply in time, or is gone. */
  call(name: number, values: readonly number[]): Reply {
    return this.silence.during(() => this.#call(name, values));
  }

  #call(name: number, values: readonly number[]): Reply {
    const id = ++this.#lastCall;
    const call = new Uint8Array([...u32(id), name, ...varints(values)]);
    if (!this.#isOpen) {
      this.#events.frame?.(FRAME.call, call);
      return this.#giveUp(id);
    }
    this.#send(frame(FRAME.call, call));
    let until = Date.now() + REPLY_MS;
    let parts = 0;
    for (;;) {
      const seen = Atomics.load(this.#counter, 0);
      const reply = this.#takeReply(id);
      if (reply !== undefined) return reply;
      if (this.#parts.length !== parts) until = Date.now() + REPLY_MS;
      parts = this.#parts.length;
      const left = until - Date.now();
      if (left <= 0 || this.#waiting.some((each) => 'problem' in each)) return this.#giveUp(id);
      Atomics.wait(this.#counter, 0, seen, left);
    }
  }

  /** What a call gives that got no reply. A recording has it as the reply, since a replay must give the same. */
  #giveUp(id: number): Reply {
    this.#givenUp.add(id);
    this.#parts = [];
    this.#events.frame?.(FRAME.reply, new Uint8Array([...u32(id), ...u32(JVMPI_FAIL >>> 0)]));
    return { code: JVMPI_FAIL, content: new WireReader(new Uint8Array(0)) };
  }

  /** Reads what has arrived. Events wait, unless one of them holds its thread. */
  #takeReply(id: number): Reply | undefined {
    for (;;) {
      const got: { message: SocketMessage } | undefined = receiveMessageOnPort(this.#port);
      if (got === undefined) break;
      this.#arrived([...framesOf(got.message)]);
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#handleWaiting());
    const reply = this.#replies.get(id);
    this.#replies.delete(id);
    if (reply === undefined) return undefined;
    // Recorded as the call ends, since it may have come while events were handled within the call.
    this.#events.frame?.(FRAME.reply, reply.bytes);
    const from = new WireReader(reply.bytes);
    from.u32();
    return { code: from.i32(), content: from, parts: reply.parts };
  }

  /** All frames of a message are kept before one of them is handled: what arrives within its handler comes behind them. */
  #arrived(message: readonly (Frame | Closed)[]): void {
    for (const each of message)
      if ('bytes' in each && (each.kind === FRAME.reply || each.kind === FRAME.part)) this.#handle(each);
      else this.#waiting.push(each);
    if (message.some((each) => 'bytes' in each && each.kind === FRAME.hold)) this.#handleWaiting();
  }

  /** Ends the connection: the agent switches everything off. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#port.postMessage('end');
    await this.#worker.terminate();
    this.#port.close();
    this.#removeFolder();
  }

  #removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
