/**
 * Profiles in JSON, recognised by keys and shapes near the top of the document, in any order and with any whitespace.
 */
import { type Guess, type Head, type JsonOutline, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { outlineOf } from '../shared/json-outline.js';
import { guess } from './marks.js';

/** A probe of documents whose outermost value is an object (or of both kinds, where `arrays`). */
function probeOf(look: (outline: JsonOutline) => Guess): (head: Head) => Guess {
  return (head) => {
    const outline = outlineOf(head);
    return outline.root === undefined ? NO_GUESS : look(outline);
  };
}

const kind = (outline: JsonOutline, path: string): string | undefined => outline.marks.get(path)?.kind;
const text = (outline: JsonOutline, path: string): string => outline.marks.get(path)?.text ?? '';
const hasAny = (outline: JsonOutline, ...paths: string[]): boolean => paths.some((path) => outline.marks.has(path));

function firefoxGecko(outline: JsonOutline): Guess {
  const inner = kind(outline, 'profile/meta') === 'object' ? 'profile/' : '';
  const version = text(outline, `${inner}meta/version`);
  const suffix = version === '' ? '' : `, version ${version}`;
  const where = inner === '' ? '' : ' inside an export of the old Firefox developer tools';
  const schemas = ['samples', 'frameTable', 'stackTable', 'markers'].map(
    (table) => `${inner}threads[]/${table}/schema`,
  );
  if (hasAny(outline, ...schemas)) return guess(1, `threads whose tables have a schema${suffix}${where}`);
  if (text(outline, 'fileType') === 'Recorded Performance Data')
    return guess(0.9, 'its fileType is Recorded Performance Data');
  const devtools = ['label', 'markers', 'ticks', 'allocations', 'profile'];
  if (devtools.every((key) => outline.marks.has(key)))
    return guess(0.9, `keys ${devtools.join(', ')} of the old Firefox developer tools`);
  if (hasAny(outline, 'profileJSON') || text(outline, 'format').startsWith('profileJSONWithSymbolicationTable')) {
    return guess(0.9, 'profileJSON with a symbol table, as saved by Cleopatra (2012)');
  }
  return firefoxMeta(outline);
}

/** The metadata of a recording, which both layouts have: undecided until the threads are read. */
function firefoxMeta(outline: JsonOutline): Guess {
  const meta = ['interval', 'startTime', 'processType', 'stackwalk', 'oscpu', 'platform', 'product', 'abi'];
  const found = meta.filter((key) => outline.marks.has(`meta/${key}`));
  return found.length >= 3 ? guess(0.4, `its meta has ${found.join(', ')}`) : NO_GUESS;
}

function heapsnapshot(outline: JsonOutline): Guess {
  if (hasAny(outline, 'snapshot/meta/node_fields')) return guess(1, 'its snapshot.meta lists node_fields');
  return kind(outline, 'snapshot/meta') === 'object' ? guess(0.8, 'it has snapshot.meta') : NO_GUESS;
}

function jfrJson(outline: JsonOutline): Guess {
  if (kind(outline, 'recording/events') !== 'array') return NO_GUESS;
  return hasAny(outline, 'recording/events[]/type')
    ? guess(0.95, 'recording.events with types')
    : guess(0.6, 'recording.events');
}

export const JSON_KINDS: readonly KnownKind[] = [
  {
    id: 'firefox-gecko',
    title: 'raw profile of the Gecko profiler',
    advice: 'The Firefox Profiler loads files of Firefox 50 and later and saves them in its processed layout.',
    probe: probeOf(firefoxGecko),
  },
  {
    id: 'heapsnapshot',
    title: 'V8 heap snapshot',
    advice: 'The Memory panel of Chrome DevTools can read it.',
    probe: probeOf(heapsnapshot),
  },
  {
    id: 'jfr-json',
    title: 'output of `jfr print --json`',
    advice: 'Open the recording (.jfr) it was printed from instead.',
    probe: probeOf(jfrJson),
  },
];
