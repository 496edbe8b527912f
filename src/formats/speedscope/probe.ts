/** Recognises speedscope files by their `$schema`, exporter or keys, in any order and with any whitespace. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';

export function probeSpeedscope(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root === undefined) return NO_GUESS;
  const text = (path: string): string => marks.get(path)?.text ?? '';
  if (text('$schema').includes('speedscope.app'))
    return { confidence: 1, because: 'its $schema is the one of speedscope' };
  if (text('exporter').startsWith('speedscope@'))
    return { confidence: 1, because: `its exporter is ${text('exporter')}` };
  const shaped = marks.get('shared/frames')?.kind === 'array' && marks.get('profiles')?.kind === 'array';
  if (!shaped) return NO_GUESS;
  return marks.has('profiles[]/type') || marks.has('profiles[]/unit')
    ? { confidence: 0.9, because: 'shared frames and profiles' }
    : { confidence: 0.4, because: 'the keys shared and profiles' };
}
