/** Recordings of JDK Flight Recorder and of async-profiler. Format: docs/formats/jfr.md. */
import type { Format } from '../format.js';
import type { LogKind } from '../shared/logs/log-kind.js';
import { MAGIC, probeJfr } from './probe.js';

const reader = (inTexts: readonly LogKind[]): Format => ({
  id: 'jfr',
  title: 'JDK Flight Recorder recording',
  extensions: ['jfr'],
  probe: probeJfr,
  magic: MAGIC,
  sets: {
    claims: async (tree) => (await import('./chunk-files.js')).claimChunkFiles(tree),
    join: async (tree, set) => (await import('./chunk-files.js')).joinChunkFiles(tree, set),
  },
  growing: async (files, name, work, foreseen) =>
    (await import('./growing.js')).openGrowing(files, name, work, foreseen, inTexts),
  events: {
    outline: async (...given) => (await import('./read.js')).outlineOfJfr(...given),
    reader: (source) => ({
      read: async (types, work) => (await import('./read.js')).readEvents(source, types, work),
      earliest: async (types, most, work) => (await import('./read.js')).earliestEvents(source, types, most, work),
      parts: async function* (...given) {
        yield* (await import('./read.js')).eventsByChunk(source, ...given);
      },
    }),
    cutter: (source) => async (cut, work) => (await import('./write/cut.js')).cutJfr(source, cut, work),
  },
  read: async (source, work) => (await import('./read.js')).readJfr(source, work, {}, inTexts),
  withRecords: reader,
});

/** Without records in texts. */
export const jfr: Format = reader([]);
