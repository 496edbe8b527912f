/** What the output of `perf script` says, line by line with plain expressions, and by the rules of docs/formats/perf-script.md. */
import { isDeepStrictEqual } from 'node:util';
import { stringAt } from '../../../base/text.js';
import { threadName } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import type { Fault, Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';
import { frameName } from '../../shared/frame-text.js';

export interface SeenEvent {
  readonly command: string;
  readonly event: string;
  /** Names of frames, leaf first, with the line of those that have one. */
  readonly frames: readonly string[];
  /** Nanoseconds since the first event. */
  readonly time: number;
}

const EVENT =
  /^[ \t]*(\S.*?)[ \t]+-?\d{1,10}(?:\/-?\d{1,10})?[ \t]+(?:\[\d{1,6}\][ \t]+)?(?:[.a-zA-Z]{4,8}[ \t]+)?(\d{1,12})\.(\d{1,9}):[ \t]+(?:\d{1,19}[ \t]+)?(?=\S*[a-zA-Z])(PERF_RECORD_\S+|\S+:)(?:[ \t]+(.*))?$/;

/** Events of a text, and how many lines are of no kind. Only for text of ASCII with line feeds, whose margin is not that of a quote. */
export function plainEvents(text: string): { readonly events: SeenEvent[]; readonly unknown: number } {
  const events: { command: string; event: string; frames: PlainFrame[]; time: number }[] = [];
  let unknown = 0;
  let open: (typeof events)[number] | undefined;
  for (const whole of text.split('\n')) {
    const line = whole.replace(/[ \t\r]+$/, '');
    const frame =
      open !== undefined && /^[ \t\r]/.test(line) ? /^[ \t\r]+[0-9a-f]{1,16}[ \t]+(\S.*)$/.exec(line) : null;
    const event = frame === null ? EVENT.exec(line) : null;
    if (line.replace(/^[ \t\r]+/, '') === '') open = undefined;
    else if (line.startsWith('#')) continue;
    else if (frame !== null) open?.frames.push(plainFrame(frame[1] ?? ''));
    else if (event !== null) {
      const [, command = '', seconds = '', part = '', name = '', rest = ''] = event;
      open = undefined;
      if (`${name} ${rest}`.startsWith('PERF_RECORD_')) continue;
      const symbol = /^[0-9a-f]{1,16}[ \t]+(\S.*)$/.exec(rest)?.[1];
      open = {
        command,
        event: name.replace(/:$/, ''),
        frames: symbol === undefined ? [] : [plainFrame(symbol)],
        time: Number(seconds) * 1e9 + Number(part.padEnd(9, '0')),
      };
      events.push(open);
    } else if (/^[ \t]/.test(line) && open !== undefined && open.frames.length > 0) {
      const last = open.frames[open.frames.length - 1];
      const below = /^[ \t]+\S.*:(\d{1,9})$/.exec(line)?.[1];
      if (last !== undefined) last.line = below === undefined ? 0 : Number(below);
    } else unknown++;
  }
  const first = Math.min(...events.map(({ time }) => time));
  return {
    events: events.map((each) => ({ ...each, frames: each.frames.map(frameWithLine), time: each.time - first })),
    unknown,
  };
}

interface PlainFrame {
  readonly name: string;
  /** Of pseudo functions none is kept. */
  readonly isUnknown: boolean;
  line: number;
}

function frameWithLine({ name, isUnknown, line }: PlainFrame): string {
  return line > 0 && !isUnknown ? `${name}:${line}` : name;
}

function plainFrame(text: string): PlainFrame {
  const name = plainName(text);
  return { name: name.text, isUnknown: name.isUnknown, line: 0 };
}

function plainName(text: string): { readonly text: string; readonly isUnknown: boolean } {
  const [, before = text, object = ''] = /^(.*\S)[ \t]+\(([^()]*(?:\(deleted\))?)\)$/.exec(text) ?? [];
  const symbol = before.replace(/\+0x[0-9a-f]+$/, '');
  if (symbol !== '[unknown]') return { text: symbol, isUnknown: false };
  const isNameless = object === '' || object === '[unknown]' || object === 'inlined';
  const file = object.replace(/^.*[/\\]/, '').replace(/^\[(.*)\]$/, '$1');
  return { text: isNameless ? symbol : `[${file}]`, isUnknown: true };
}

/** The events of a recording that was read. */
export function seenEvents({ program, profile }: Recording): SeenEvent[] {
  const [table] = profile?.events ?? [];
  if (table === undefined || profile === undefined) return [];
  const [stack, thread, time, event] = ['stack', 'thread', 'time', 'event'].map((key) => column(table, key));
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = stack?.[row] ?? -1; id >= 0; id = profile.stacks.parent[id]) {
      const location = profile.stacks.location[id];
      const line = program.locations.line?.[location] ?? 0;
      frames.push(`${frameName(program, location).replace(/_\[[kij01]\]$/, '')}${line > 0 ? `:${line}` : ''}`);
    }
    return {
      command: threadName(profile, program, thread?.[row] ?? -1) ?? '',
      event: stringAt(program.names, event?.[row] ?? -1),
      frames,
      time: time?.[row] ?? 0,
    };
  });
}

export function perfOracle(original: Uint8Array): Judge {
  const whole = seenIn(original);
  return (mutated, outcome, cutAt) => {
    const plain = seenIn(mutated);
    if (plain === undefined) return { input: 'ambiguous' };
    const input = plain.unknown > 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return {
        input,
        ...faultOf(plain.events.length === 0 ? undefined : { code: 'refused', detail: outcome.message }),
      };
    const hidden = input === 'damaged' ? mustShow(mutated, outcome, 'a line of no kind') : undefined;
    if (hidden !== undefined) return { input, fault: hidden };
    const events = seenEvents(outcome.recording);
    if (cutAt !== undefined && whole !== undefined && events.length > whole.events.length)
      return { input, fault: { code: 'invented', detail: `${events.length} events of ${whole.events.length}` } };
    return { input, ...faultOf(difference(plain.events, events)) };
  };
}

/** Undefined where no rule decides: other encodings, and lines that may be quoted. */
function seenIn(bytes: Uint8Array): ReturnType<typeof plainEvents> | undefined {
  const text = new TextDecoder('latin1').decode(bytes);
  if (/[^\t\n -~]/.test(text)) return undefined;
  return plainEvents(text);
}

function difference(expected: readonly SeenEvent[], actual: readonly SeenEvent[]): Fault | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  const at = expected.findIndex((row, i) => !isDeepStrictEqual(row, actual[i]));
  const detail = `${expected.length} events, ${actual.length} read; ${at}: ${JSON.stringify(expected[at])}, ${JSON.stringify(actual[at])} read`;
  return { code: 'differs', detail };
}

/** Where lines begin. */
export function perfEdges(bytes: Uint8Array): number[] {
  const edges = [0];
  for (let at = 0; at + 1 < bytes.length; at++) if (bytes[at] === 10) edges.push(at + 1);
  return edges;
}
