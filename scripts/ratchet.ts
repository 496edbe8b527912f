/**
 * Holds the counts of scripts/escapes.ts at or below those in scripts/ratchet.json: they may only fall. `node
 * dist/scripts/ratchet.js [--update] [FOLDER]`: with --update, lower counts are written and higher ones rejected. Exit
 * 1 if a count is above.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ESCAPES, type Escape, findEscapes, type Places } from './escapes.js';

const Limits = z.strictObject({
  any: z.int(),
  as: z.int(),
  nonNull: z.int(),
  silenced: z.int(),
  unseeded: z.int(),
  longFiles: z.int(),
  longFunctions: z.int(),
  crowdedFolders: z.int(),
  vagueNames: z.int(),
  repeatedTypes: z.int(),
  /** Of the quick tier, compared by `npm test -- --budgets` (scripts/test-run/costs.ts). */
  quick: z.strictObject({ processes: z.int(), mutations: z.int(), runs: z.int() }),
});
type Limits = z.infer<typeof Limits>;

const MEANING: Record<Escape, string> = {
  any: '`any`',
  as: '`as` (but not `as const`)',
  nonNull: 'non-null `!`',
  silenced: 'comments that silence Biome or the compiler',
  unseeded: 'properties that do not take seed and amount from `runs` of src/testing/amount.ts',
  longFiles: 'files of more than 400 lines',
  longFunctions: 'functions of more than 60 lines',
  crowdedFolders: 'folders of more than 25 files',
  vagueNames: 'values with a name that says no noun: participles, pronouns, prepositions (scripts/escapes.ts)',
  repeatedTypes: 'names of exported types that are in several files',
};

/** One message for each count above its limit, with all its places; shifts of code make "the new one" unknowable. */
function breaches(limits: Limits, places: Places): string[] {
  const above = ESCAPES.filter((kind) => places[kind].length > limits[kind]);
  return above.map(
    (kind) =>
      `${MEANING[kind]}: ${places[kind].length}, at most ${limits[kind]} allowed (scripts/ratchet.json)\n` +
      places[kind].map((place) => `  ${place}\n`).join(''),
  );
}

function main(args: readonly string[]): number {
  const root = args.find((arg) => !arg.startsWith('-')) ?? dirname(dirname(import.meta.dirname));
  const limitsFile = join(root, 'scripts/ratchet.json');
  const limits = Limits.parse(JSON.parse(readFileSync(limitsFile, 'utf8')));
  const places = findEscapes(root);
  const wrong = breaches(limits, places);
  process.stdout.write(wrong.join(''));
  if (wrong.length > 0) return 1;

  const lower = ESCAPES.filter((kind) => places[kind].length < limits[kind]);
  if (args.includes('--update')) {
    for (const kind of lower) limits[kind] = places[kind].length;
    writeFileSync(limitsFile, `${JSON.stringify(limits, null, 2)}\n`);
  } else if (lower.length > 0) {
    const changes = lower.map((kind) => `${kind} ${limits[kind]} → ${places[kind].length}`).join(', ');
    process.stdout.write(
      `Fewer than allowed: ${changes}. To lower the limits: node dist/scripts/ratchet.js --update\n`,
    );
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
