/**
 * What commands on an object tree report cost beside `wc -lm`: see `report-run.ts`.
 *
 *   node dist/bench/object-tree/run.js [--megabytes 1000] [--runs 3] [--folder FOLDER]
 */
import { runReport } from '../report-run.js';
import { generate } from './generate.js';

await runReport(
  'objects',
  { text: { make: generate } },
  { title: 'kansoku heap paths', words: (file) => ['heap', 'paths', file, '4711'] },
);
