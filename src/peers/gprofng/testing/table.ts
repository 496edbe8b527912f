/** The pass table of docs/print.md: each expected file of the data passes or fails as a whole. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ExpectedFile,
  expectedFiles,
  experimentsIn,
  isSame,
  type Outcome,
  openByName,
  printedFor,
} from './expected.js';
import { reasonOf } from './reasons.js';

export interface Judged {
  readonly file: ExpectedFile;
  readonly passed: boolean;
  readonly refused: string | undefined;
}

/** Runs the commands of all expected files of these experiments. */
export async function judged(data: string, only?: ReadonlySet<string>): Promise<Judged[]> {
  const folder = join(data, 'experiments', 'expected');
  const scratch = mkdtempSync(join(tmpdir(), 'kansoku-print-'));
  const results: Judged[] = [];
  for (const name of experimentsIn(folder)) {
    if (only !== undefined && !only.has(name)) continue;
    const files = expectedFiles(folder, name);
    const experiment = await openByName(data, name, scratch);
    for (const file of files) {
      const outcome: Outcome = await printedFor(experiment, file.words, join(data, 'experiments'));
      results.push({ file, passed: isSame(outcome, file), refused: outcome.refused });
    }
    await experiment.close();
  }
  rmSync(scratch, { recursive: true });
  return results;
}

export function pathOf({ experiment, output }: ExpectedFile): string {
  return `${experiment}/${output}`;
}

/** The table by output and the files that differ by reason, as the page has them. Throws for one without a reason. */
export function tableText(results: readonly Judged[]): string {
  const byOutput = new Map<string, { passed: number; all: number }>();
  const byReason = new Map<string, string[]>();
  for (const { file, passed, refused } of results) {
    const counted = byOutput.get(file.output) ?? { passed: 0, all: 0 };
    byOutput.set(file.output, { passed: counted.passed + (passed ? 1 : 0), all: counted.all + 1 });
    if (passed) continue;
    const why = reasonOf(pathOf(file), refused);
    if (why === undefined) throw new Error(`${pathOf(file)} differs for no known reason`);
    byReason.set(why, [...(byReason.get(why) ?? []), pathOf(file)]);
  }
  const outputs = [...byOutput].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = results.length;
  const passed = results.filter((one) => one.passed).length;
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  return [
    `${passed} of ${all} files are equal.`,
    '',
    '| output | equal | files |',
    '|---|---|---|',
    ...outputs.map(([output, of]) => `| ${output} | ${of.passed} | ${of.all} |`),
    '',
    '| files that differ | why |',
    '|---|---|',
    ...reasons.map(([why, files]) => `| ${files.join(', ')} | ${why} |`),
  ].join('\n');
}
