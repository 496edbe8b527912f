/** What an image contains, by module, package and type, with code sizes. Format: docs/formats/reachability-json.md. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { Format } from '../format.js';
import { outlineOf } from '../shared/json-outline.js';

export const reachabilityJson: Format = {
  id: 'reachability-json',
  title: 'reachability dump of a GraalVM fork (modules, packages, types)',
  extensions: [],
  probe: probeReachability,
  read: async (source, work) => (await import('./read.js')).readReachability(source, work),
};

function probeReachability(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'array' || marks.get('[]/packages')?.kind !== 'object') return NO_GUESS;
  const types = [...marks.keys()].some((path) => path.startsWith('[]/packages/') && path.endsWith('/types'));
  const because = `an array of modules with packages${types ? ' and types' : ''}`;
  return { confidence: types ? 1 : 0.6, because };
}
