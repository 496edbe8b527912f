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
const frame = fc.constantFrom('a', 'b:1', 'b:2', 'C.a', 'C.b', 'D.c:7');
const event: fc.Arbitrary<PlainEvent> = fc.record(
  {
    frames: fc.array(frame, { maxLength: 6 }),
    thread: fc.constantFrom('main', 'worker-1', 'worker-2'),
    time: fc.nat(100),
    count: fc.nat(20),
  },
  { noNullPrototype: true },
);

/** Up to a dozen events, the first of which has a stack. */
export const plainEvents: fc.Arbitrary<PlainEvent[]> = fc
  .array(event, { minLength: 1, maxLength: 12 })
  .filter((events) => (events[0]?.frames.length ?? 0) > 0);

const WIDTH = 12;

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

/** The name of a frame's function: without its bytecode index. */
export function functionOf(frameText: string): string {
  return frameText.replace(/:-?\d+$/, '');
}

/** The one metric of a drawn profile. */
export function countMetric(source: Picture): Metric {
  const metric = source.profile.metrics[0];
  if (metric === undefined) throw new Error('a drawn profile has a metric');
  return metric;
}
