/** `analyze`: our own points-to analysis of a program, from its class files. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { usualJdk } from '../../code/java/jdk-home.node.js';
import { analyseProgram } from '../../session/analysed.node.js';
import { ask, sessionOf } from '../../session/session.js';
import { convertRecording } from '../../transform/convert.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note, print } from '../host.js';
import { addExamples, wholeNumber } from '../invocation/options.js';
import { withProgress } from '../render/progress.js';
import { noteTexts } from '../render/spelling.js';
import { summaryPage } from '../render/summary.js';
import { readable } from '../render/table.js';

interface AnalyzeOptions {
  readonly main?: string;
  readonly jdk?: string;
  readonly cutoff: number;
  readonly output?: string;
}

/** As GraalVM's builder has it. */
const USUAL_CUTOFF = 20;

export function registerAnalyze(program: Command, invocation: Invocation): void {
  const command = program
    .command('analyze')
    .description('find what a program can reach: a points-to analysis of its class files')
    .argument('<classes...>', 'class path: jars, directories of classes')
    .option('--main <class>', 'class whose main method is called (default: that of the manifest)')
    .option('--jdk <home>', 'JDK that the program runs on (default: JAVA_HOME, else that of java in PATH)')
    .option(
      '--cutoff <number>',
      'types at a place before it stands for all of its kind; 0: rapid type analysis',
      wholeNumber,
      USUAL_CUTOFF,
    )
    .option(
      '-o, --output <file>',
      'report to write: .call-tree.txt, .csv, .cypher, .graphml; a directory gets it under its usual name',
    )
    .action((paths: string[], options: AnalyzeOptions) => analyzeProgram(invocation, paths, options));
  addExamples(command, ['analyze examples/points-to/shop.jar --main shop.Main -o /tmp/shop.call-tree.txt']);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function analyzeProgram(
  invocation: Invocation,
  paths: readonly string[],
  options: AnalyzeOptions,
): Promise<void> {
  const { main, jdk = usualJdk(invocation.host.env), cutoff, output } = options;
  const recording = await withProgress(invocation.host, paths.join(' '), (work) =>
    analyseProgram(
      {
        ...(main !== undefined && { main }),
        classes: [...paths, ...(jdk === undefined ? [] : [jdk])],
        cutoff,
        announce: (message) => note(invocation, `kansoku: ${message}`),
      },
      work,
    ),
  );
  const session = sessionOf([recording]);
  try {
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
