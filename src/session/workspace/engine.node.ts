/** The engine of the worker carrier: the entry of its thread, with a workspace of its own. */
import { parentPort } from 'node:worker_threads';
import { UsageError } from '../../base/errors.js';
import type { Progress } from '../../base/progress.js';
import { directWorkspace } from './direct.node.js';
import type { EngineCall, FromEngine, ToEngine } from './messages.js';
import { sentError, sentResult } from './wire.js';
import type { OpenRequest, OpenWork, Workspace } from './workspace.js';

/** Milliseconds between two messages about the progress of a call. */
const PROGRESS_MS = 50;

const workspace: Workspace = directWorkspace();
const running = new Map<number, AbortController>();
const subscriptions = new Map<number, () => void>();

function send(message: FromEngine, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function workOf(call: number, signal: AbortSignal): OpenWork {
  let reported = -Infinity;
  return {
    signal,
    announce: (announced) => send({ call, announced }),
    progress: (progress: Progress) => {
      const now = performance.now();
      if (now - reported < PROGRESS_MS) return;
      reported = now;
      send({ call, progress });
    },
  };
}

/** The carrier sends only what the types of the workspace allow; questions are checked by `ask`. */
function result({ method, argument }: EngineCall, work: OpenWork): Promise<unknown> {
  switch (method) {
    case 'open':
      return isRequest(argument) ? workspace.open(argument, work) : Promise.reject(new TypeError('no request'));
    case 'ask':
    case 'cost':
    case 'resolve':
      return Reflect.apply(workspace[method], workspace, [argument, work]);
    case 'contentHash':
      return workspace.contentHash(String(argument), work);
    case 'list':
    case 'end':
      return workspace[method]();
    default:
      return workspace[method](String(argument));
  }
}

function isRequest(value: unknown): value is OpenRequest {
  return typeof value === 'object' && value !== null && 'names' in value;
}

async function answer(call: EngineCall): Promise<void> {
  const controller = new AbortController();
  running.set(call.call, controller);
  try {
    const { message, transfer } = sentResult(await result(call, workOf(call.call, controller.signal)));
    send({ call: call.call, ...message }, transfer);
  } catch (error) {
    send({ call: call.call, error: sentError(error) });
  } finally {
    running.delete(call.call);
  }
}

parentPort?.on('message', (message: ToEngine) => {
  if ('cancel' in message) running.get(message.cancel)?.abort();
  else if ('subscribe' in message) {
    const { subscribe: subscription, id } = message;
    try {
      subscriptions.set(
        subscription,
        workspace.subscribe(id, (facts) => send({ subscription, facts })),
      );
    } catch (error) {
      // It was closed on the way: there is nothing to follow.
      if (!(error instanceof UsageError)) throw error;
    }
  } else if ('unsubscribe' in message) {
    subscriptions.get(message.unsubscribe)?.();
    subscriptions.delete(message.unsubscribe);
  } else void answer(message);
});
