/** What waits were for, in words. */
import { float64Values, int32Values } from '../../src/base/base64.js';
import { printable } from '../../src/base/text.js';
import type { Fact } from '../../src/pictures/flame/words.js';
import type { TimelineResult } from '../../src/pictures/timeline/picture.js';

/** The facts of a row of the waits of a result: what is known of lock, thread that held it, and stack. */
export function waitFacts(waits: TimelineResult['waits']): (row: number) => readonly Fact[] {
  if (waits === null) return () => [];
  const [lock, owner, stack] = [int32Values(waits.lock), int32Values(waits.owner), int32Values(waits.stack)];
  const [above, name, address] = [
    int32Values(waits.frames.above),
    int32Values(waits.frames.name),
    float64Values(waits.address),
  ];
  const textOf = (id: number): string => printable(waits.texts[id] ?? '');
  return (row) => {
    if (row < 0) return [];
    const frames: string[] = [];
    for (let frame = stack[row]; frame >= 0; frame = above[frame]) frames.push(textOf(name[frame]));
    const place = address[row] > 0 ? ` 0x${address[row].toString(16)}` : '';
    return [
      ...(lock[row] < 0 ? [] : [{ key: 'lock', title: 'Waited for', text: `${textOf(lock[row])}${place}` }]),
      ...(owner[row] < 0 ? [] : [{ key: 'owner', title: 'Previous owner', text: textOf(owner[row]) }]),
      {
        key: 'stack',
        title: 'Stack',
        text: frames.length === 0 ? 'not recorded' : frames.join(' \u2190 '),
      },
    ];
  };
}
