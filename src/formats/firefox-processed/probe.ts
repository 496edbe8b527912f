/** Recognises processed profiles of the Firefox Profiler by their version, or by their tables. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';

const META = ['interval', 'startTime', 'processType', 'stackwalk', 'oscpu', 'platform', 'product', 'abi'];

export function probeFirefox(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const version = marks.get('meta/preprocessedProfileVersion')?.text ?? '';
  if (version !== '') return { confidence: 1, because: `its meta has preprocessedProfileVersion ${version}` };
  const hasTables = marks.has('threads[]/funcTable') || marks.has('threads[]/stringArray');
  if (hasTables && marks.get('meta')?.kind === 'object')
    return {
      confidence: 0.9,
      because: 'threads with funcTable or stringArray, and no preprocessedProfileVersion: from about 2016',
    };
  const keys = META.filter((key) => marks.has(`meta/${key}`));
  return keys.length >= 3 ? { confidence: 0.4, because: `its meta has ${keys.join(', ')}` } : NO_GUESS;
}
