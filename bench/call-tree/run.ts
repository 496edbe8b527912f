/**
 * What commands on a call tree report cost beside `wc -lm`: see `report-run.ts`. `--tables`: on the tables of the graph whose text has so many
 * megabytes.
 *
 *   node dist/bench/call-tree/run.js [--megabytes 1000] [--tables] [--runs 3] [--folder FOLDER]
 */
import { runReport } from '../report-run.js';
import { generate, generateTables, tablesIn } from './generate.js';

await runReport(
  'calls',
  { text: { make: generate }, tables: { make: generateTables, files: tablesIn } },
  { title: 'kansoku calls why', words: (file) => ['calls', 'why', file, '*Service9.*'] },
);
