/** `analyze`: our own points-to analysis of a program, from its class files. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { readable } from '../../pictures/cells.js';
import { openAnalysed } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { convertRecording } from '../../transform/convert.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note, print } from '../host.js';
import { theOnly } from '../invocation/open.js';
import { addExamples } from '../invocation/options.js';
import { addAnalysisOptions, analysisRequest } from '../invocation/question.js';
import { withProgress } from '../render/progress.js';
import { commandLineText, noteTexts } from '../render/spelling.js';
import { summaryPage } from '../render/summary.js';

export function registerAnalyze(program: Command, invocation: Invocation): void {
  const command = program
    .command('analyze')
    .description('find what a program can reach: a points-to analysis of its class files')
    .argument('<classes...>', 'class path: jars, directories of classes');
  addAnalysisOptions(command)
    .option('--no-cache', 'analyse anew; neither use nor write the cache')
    .option(
      '-o, --output <file>',
      'report to write: .call-tree.txt, .csv, .cypher, .graphml; a directory gets it under its usual name',
    )
    .action((paths: string[]) => analyzeProgram(invocation, paths, command));
  addExamples(command, ['analyze examples/points-to/shop.jar --main shop.Main -o /tmp/shop.call-tree.txt']);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function analyzeProgram(invocation: Invocation, paths: readonly string[], command: Command): Promise<void> {
  const { output, cache } = command.opts<{ readonly output?: string; readonly cache: boolean }>();
  const request = analysisRequest(command);
  const announce = (message: Parameters<typeof commandLineText>[0]): void =>
    note(invocation, `kansoku: ${commandLineText(message)}`);
  const session = await withProgress(invocation.host, paths.join(' '), (work) =>
    openAnalysed(paths, request, { cache, announce, work }),
  );
  try {
    const recording = theOnly(session, paths.join(' '));
    if (output !== undefined) {
      const written = await withProgress(invocation.host, output, (work) =>
        convertRecording(recording, output, { work, ...(isFolder(output) && { format: 'call-tree' }) }),
      );
      note(invocation, `${readable(written.path)}: written`);
      for (const line of noteTexts(written.notes)) note(invocation, line);
    }
    const result = await ask(session, { view: 'summary' });
    if (result.type !== 'summary') throw new UsageError(`summary answered with ${result.type}`);
    await print(invocation, summaryPage(result, recording.problems.list));
    if (!result.complete) invocation.exitCode = EXIT.partial;
  } finally {
    await session.close();
  }
}
