/**
 * Reads traces in Chrome's event format (docs/formats/chrome-trace.md) of any size in one pass: an event at a time. Memory: 40 bytes a span.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import type { ItemCodes, ItemLevel } from '../shared/items/json-items.js';
import { readItems } from '../shared/items/read-items.js';
import { TraceModel } from './model.js';

const CODES: ItemCodes = {
  cut: 'chrome-trace-truncated',
  syntax: 'chrome-trace-syntax',
  tooLarge: 'chrome-trace-too-large',
};
const EVENT_BEGINS = /\{\s*"(?:args|cat|id|name|ph|pid|s|tid|ts)"\s*:/g;

/** Throws `FormatError` if there is no event. */
export async function readChromeTrace(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const model = new TraceModel(problems);
  const events: ItemLevel = {
    resumesAt: EVENT_BEGINS,
    take: (_, value, offset) => model.event(value, offset),
  };
  const object: ItemLevel = {
    enter: (key, isList) => {
      if (key === 'traceEvents') return isList ? events : 'value';
      if (key === 'samples' && isList) return { take: () => void model.sampleEvents++ };
      return 'skip';
    },
    take: (key, _, offset) => {
      if (key === 'traceEvents') model.wrong(offset, 'traceEvents is not a list');
    },
  };
  const { complete } = await readItems(source, work, problems, CODES, (isList) => (isList ? events : object));
  if (model.events === 0)
    throw new FormatError({
      format: 'chrome-trace',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'events with ph',
      found: problems.finish().list[0]?.message ?? 'no event',
    });
  return model.finish(source.name, complete);
}
