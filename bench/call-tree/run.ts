/**
 * What commands on a call tree report cost beside `wc -lm`: see `report-run.ts`.
 *
 *   node dist/bench/call-tree/run.js [--megabytes 1000] [--runs 3] [--folder FOLDER]
 */
import { runReport } from '../report-run.js';
import { generate } from './generate.js';

runReport('calls', generate, {
  title: 'kansoku calls why',
  words: (file) => ['calls', 'why', file, '*Service9.*'],
});
