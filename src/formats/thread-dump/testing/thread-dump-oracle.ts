/**
 * The expected content of a damaged thread dump, from a naive reading of its lines (`thread-dump-naive.ts`) and, for
 * JSON, from `JSON.parse`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Recording } from '../../../models/recording.js';
import type { Fault, Judge, Outcome, Verdict } from '../../../testing/fuzz/fuzzed-reader.js';
import { naiveText } from './thread-dump-naive.js';
import { type SeenThread, seenThreads } from './thread-dump-seen.js';

export function threadDumpOracle(original: Uint8Array): Judge {
  const text = latin1(original);
  return text.trimStart().startsWith('{') ? jsonJudge() : textJudge(original);
}

/** The start of each line. */
export function threadDumpEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a) edges.push(at + 1);
  return edges.filter((edge) => edge < bytes.length);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Text beyond ASCII can be decoded in several ways; here it only has to identify the thread. */
function ascii(text: string): string {
  return text.replace(/[^\n -~]+/g, '?');
}

/** A thread in the form of both readings. */
function spelled({ dump, name, number, status, frames }: SeenThread): string {
  return ascii(`${dump} #${number} ${JSON.stringify(ascii(name))} ${status}: ${frames.join(' < ')}`);
}

function faultOf(fault: Fault | undefined): { fault?: Fault } {
  return fault === undefined ? {} : { fault };
}

function mustShow(bytes: Uint8Array, outcome: Outcome, why: string): Fault | undefined {
  if (outcome.kind === 'refused') return undefined;
  const { complete, problems } = outcome.recording;
  const shown = problems.list.some(
    ({ severity, offset }) => severity === 'error' && offset !== undefined && offset >= 0 && offset <= bytes.length,
  );
  return shown && !complete ? undefined : { code: 'silent', detail: `${why}; complete: ${complete}` };
}

function textJudge(original: Uint8Array): Judge {
  const section = deadlockSection(latin1(original));
  const whole = naiveText(latin1(original)).threads.map(spelled);
  return (mutated, outcome, cutAt): Verdict => {
    const text = latin1(mutated);
    const naive = naiveText(text);
    // A carriage return alone, or in a name, ends a line for only one of the readings.
    if (naive.unsure.length > 0 || /\r/.test(text)) return { input: 'ambiguous' };
    const wanted = naive.threads.map(spelled);
    if (naive.broken.length > 0) {
      const hidden = mustShow(mutated, outcome, naive.broken[0] ?? '');
      return {
        input: 'damaged',
        ...faultOf(hidden ?? (cutAt === undefined ? undefined : judgeCut(whole, wanted, outcome))),
      };
    }
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const seen = seenThreads(outcome.recording).map(spelled);
    // The VM's deadlocks must fit the threads; whether they do is not decided here.
    const fits = deadlockSection(text) === section && outcome.recording.sections.length > 0;
    // A torn header within a thread is none of its lines: the reader is right to report it.
    const alarm =
      fits && naive.torn.length === 0 && naive.threads.length === whole.length && isDeepStrictEqual(wanted, whole)
        ? falseAlarm(outcome.recording)
        : undefined;
    const mentioned = outcome.recording.problems.list.some(
      ({ code, severity }) => code === 'thread-dump-header' || severity === 'error',
    );
    if (naive.torn.length > 0 && !mentioned)
      return { input: 'damaged', fault: { code: 'silent', detail: 'a torn header' } };
    return { input: 'sound', ...faultOf(difference(wanted, seen) ?? alarm) };
  };
}

function deadlockSection(text: string): string {
  return [...text.matchAll(/^Found one[\s\S]*?^Found \d+ deadlocks?\.$/gm)].join('\n');
}

function falseAlarm({ complete, problems }: Recording): Fault | undefined {
  const error = problems.list.find(({ severity }) => severity === 'error');
  // A changed address no longer fits the VM's deadlocks: the reader is right to report it.
  if ((complete && error === undefined) || error?.code === 'thread-dump-deadlock') return undefined;
  return { code: 'false alarm', detail: error?.message ?? 'incomplete without a problem' };
}

function difference(wanted: readonly string[], seen: readonly string[]): Fault | undefined {
  if (isDeepStrictEqual(wanted, seen)) return undefined;
  const at = wanted.findIndex((thread, i) => thread !== seen[i]);
  const [first, second] = [wanted[at] ?? 'nothing', seen[at < 0 ? wanted.length : at] ?? 'nothing'];
  return { code: 'differs', detail: `${first.slice(0, 300)} by the naive reading, ${second.slice(0, 300)} read` };
}

/** In a cut dump, every thread before the cut must be read, the last one in part, and nothing else. */
function judgeCut(whole: readonly string[], wanted: readonly string[], outcome: Outcome): Fault | undefined {
  if (outcome.kind === 'refused') return undefined;
  const seen = seenThreads(outcome.recording).map(spelled);
  const kept = Math.max(0, wanted.length - 1);
  if (seen.length < kept || !isDeepStrictEqual(seen.slice(0, kept), whole.slice(0, kept)))
    return { code: 'lost', detail: `${kept} threads before the cut, ${seen.length} read` };
  return seen.length > wanted.length
    ? { code: 'invented', detail: `${seen.length} threads of ${wanted.length}` }
    : undefined;
}

interface JsonThread {
  readonly tid: unknown;
  readonly name: unknown;
  readonly state?: unknown;
  readonly stack: unknown;
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const DUMP_KEYS = ['processId', 'time', 'runtimeVersion', 'threadContainers'];
const CONTAINER_KEYS = ['container', 'parent', 'owner', 'threads', 'threadCount'];
const THREAD_KEYS = [
  'tid',
  'time',
  'virtual',
  'name',
  'state',
  'stack',
  'parkBlocker',
  'blockedOn',
  'waitingOn',
  'monitorsOwned',
  'carrier',
];

function jsonJudge(): Judge {
  return (mutated, outcome): Verdict => {
    let root: unknown;
    try {
      root = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(mutated));
    } catch {
      return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, 'JSON.parse refuses the text')) };
    }
    const threads = jsonThreads(root);
    if (threads === undefined) return { input: 'ambiguous' };
    if (typeof threads === 'string') return { input: 'damaged', ...faultOf(mustShow(mutated, outcome, threads)) };
    if (outcome.kind === 'refused') return { input: 'sound', fault: { code: 'refused', detail: outcome.message } };
    const seen = seenThreads(outcome.recording);
    const wanted = threads.map(({ tid, name, state }) => ascii(`${Number(tid)} ${name} ${state ?? ''}`));
    const read = seen.map(({ number, name, status }) => ascii(`${number} ${name} ${status}`));
    const frames = threads.map(({ stack }) => (Array.isArray(stack) ? stack.length : 0));
    if (
      outcome.recording.complete &&
      !isDeepStrictEqual(
        frames,
        seen.map((thread) => thread.frames.length),
      )
    )
      return { input: 'sound', fault: { code: 'differs', detail: 'other numbers of frames' } };
    return { input: 'sound', ...faultOf(outcome.recording.complete ? difference(wanted, read) : undefined) };
  };
}

/** The threads, or a breach of the form; undefined if the form is ambiguous. */
function jsonThreads(root: unknown): JsonThread[] | string | undefined {
  const dump = isObject(root) && Object.keys(root).length === 1 ? root.threadDump : undefined;
  if (!isObject(dump) || !isDeepStrictEqual(Object.keys(dump), DUMP_KEYS)) return 'no dump with its four keys';
  const containers: unknown = dump.threadContainers;
  if (!Array.isArray(containers)) return 'no containers';
  if (!/^\d+$/.test(String(dump.processId)) || !(Date.parse(String(dump.time)) >= 0))
    return 'a process or time that is none';
  const found: JsonThread[] = [];
  for (const container of containers) {
    if (!isObject(container) || Object.keys(container).some((key) => !CONTAINER_KEYS.includes(key)))
      return 'a container that is none';
    // Nothing is lost if a container lacks some of its keys.
    if (!CONTAINER_KEYS.every((key) => key in container)) return undefined;
    if (!Array.isArray(container.threads)) return 'a container without threads';
    if (Number(container.threadCount) !== container.threads.length) return 'a container with another number of threads';
    for (const thread of container.threads) {
      if (!isObject(thread) || Object.keys(thread).some((key) => !THREAD_KEYS.includes(key)))
        return 'a thread with other keys';
      const { tid, name, stack, state } = thread;
      if (!/^\d{1,15}$/.test(String(tid)) || typeof name !== 'string' || !Array.isArray(stack))
        return 'a thread that is none';
      found.push({ tid, name, stack, ...(state === undefined ? {} : { state }) });
    }
  }
  return found;
}
