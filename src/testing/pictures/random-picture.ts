/** Random small profiles for property tests, as lists that a naive implementation can work on and as pictures. */
import fc from 'fast-check';
import { type Metric, threadName } from '../../models/profile/profile.js';
import { column } from '../../models/table.js';
import { type Picture, type PictureOptions, picture, stackTexts } from './picture.js';

/** One event; frames root first, none for an event without a stack. */
export interface PlainEvent {
  readonly frames: readonly string[];
  readonly thread: string;
  readonly time: number;
  readonly count: number;
}

/** Few names, so that stacks share frames and recursion is common. */
const FRAMES = ['a', 'b:1', 'b:2', 'C.a', 'C.b', 'D.c:7'];
/** Native ones too; the names of functions are all different, as are the load objects' letters from those of the others. */
const NATIVE_FRAMES = ['n!f@10', 'n!f@18', '~n!g@10', '~n!u.h|h@10(3)', 'n!@20', 'm!f2@10', '~m!g2@10'];
const frame = fc.oneof(fc.constantFrom(...FRAMES), fc.constantFrom(...NATIVE_FRAMES));
/** What is inlined lies at the place of the frame above: elsewhere it is no inlined frame. */
const frames = fc
  .array(frame, { maxLength: 6 })
  .map((list) =>
    list.map((cell, i) => (placeText(list[i - 1] ?? '') === placeText(cell) ? cell : cell.replace('~', ''))),
  );
const event: fc.Arbitrary<PlainEvent> = fc.record(
  {
    frames,
    thread: fc.constantFrom('main', 'worker-1', 'worker-2'),
    time: fc.nat(100),
    count: fc.nat(20),
  },
  { noNullPrototype: true },
);

/** Up to a dozen events; the first one has a stack. */
export const plainEvents: fc.Arbitrary<PlainEvent[]> = fc
  .array(event, { minLength: 1, maxLength: 12 })
  .filter((events) => (events[0]?.frames.length ?? 0) > 0);

const WIDTH = 18;

/** Load object and offset of a native frame, else the text of the frame. */
function placeText(text: string): string {
  return text.replace(/^~?(\w+)!.*(@[0-9a-f]+).*$/, '$1$2');
}

/** The picture of the events, with the metric `count`. */
export function drawn(events: readonly PlainEvent[], options: PictureOptions = {}): Picture {
  const row = (label: string, cells: readonly string[]): string =>
    [label, ...cells].map((cell) => cell.padEnd(WIDTH)).join('');
  const deepest = Math.max(...events.map(({ frames }) => frames.length));
  const lines = [
    row(
      '@thread',
      events.map(({ thread }) => thread),
    ),
    row(
      '@time',
      events.map(({ time }) => String(time)),
    ),
    row(
      '@count',
      events.map(({ count }) => String(count)),
    ),
    ...Array.from({ length: deepest }, (_, depth) =>
      row(
        '',
        events.map(({ frames }) => frames[depth] ?? ''),
      ),
    ),
  ];
  return picture(lines.join('\n'), options);
}

/** The events of a drawn profile. */
export function plain(source: Picture): PlainEvent[] {
  const table = source.profile.events[0];
  if (table === undefined) return [];
  const stack = column(table, 'stack');
  return Array.from({ length: table.length }, (_, row) => ({
    frames: stackTexts(source, stack[row]),
    thread: threadName(source.profile, source.program, column(table, 'thread')[row]) ?? '-',
    time: column(table, 'time')[row],
    count: column(table, 'count')[row],
  }));
}

/** The name of a frame's function: without its place. */
export function functionOf(frameText: string): string {
  const [, loadObject, name] = NATIVE_FRAME.exec(frameText) ?? [];
  return loadObject === undefined ? frameText.replace(/:-?\d+$/, '') : name || `[${loadObject}]`;
}

/** A frame's function as patterns see it: native ones with their compile unit or load object. */
export function signatureOf(frameText: string): string {
  const [, loadObject, name, unit] = NATIVE_FRAME.exec(frameText) ?? [];
  return loadObject === undefined || name === '' ? functionOf(frameText) : `${name} (${unit ?? loadObject})`;
}

/** A frame as text formats write it: with its line, and a mark where it was inlined. */
export function writtenFrame(frameText: string, lines: boolean): string {
  const [, line] = /\((\d+)\)$/.exec(frameText) ?? [];
  const place = line === undefined || !lines ? '' : `:${line}`;
  return functionOf(frameText) + place + (frameText.startsWith('~') ? '_[i]' : '');
}

/** Load object, function, compile unit. */
const NATIVE_FRAME = /^~?(\w+)!(?=(?:.*\|)?(\w*)@)(?:(.*)\|)?/;

/** The one metric of a drawn profile. */
export function countMetric(source: Picture): Metric {
  const metric = source.profile.metrics[0];
  if (metric === undefined) throw new Error('a drawn profile has a metric');
  return metric;
}
