/** `analyze`: our own points-to analysis of a program, from its class files. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { INITIALISERS, type Initialisers } from '../../analysis/pointsto/engine.js';
import { UsageError } from '../../base/errors.js';
import { usualJdk } from '../../code/java/jdk-home.node.js';
import { analyseProgram } from '../../session/analysed/analyse.node.js';
import { methodsSeenBy } from '../../session/analysed/seen-methods.js';
import { ask, sessionOf } from '../../session/session.js';
import { convertRecording } from '../../transform/convert.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note, print } from '../host.js';
import { withSession } from '../invocation/open.js';
import { addExamples, repeated, wholeNumber } from '../invocation/options.js';
import { patternsIn } from '../invocation/pattern-file.js';
import { withProgress } from '../render/progress.js';
import { noteTexts } from '../render/spelling.js';
import { summaryPage } from '../render/summary.js';
import { readable } from '../render/table.js';

interface AnalyzeOptions {
  readonly main?: string;
  readonly entry: readonly string[];
  readonly entryFile?: string;
  readonly library?: true;
  readonly observed: readonly string[];
  readonly metadata: readonly string[];
  readonly jdk?: string;
  readonly algo: 'cha' | 'rta' | 'pta';
  readonly cutoff?: number;
  readonly clinit: Initialisers;
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
    .option('--entry <method>', 'method of the program to begin with, a name or pattern; repeatable', repeated, [])
    .option('--entry-file <file>', 'a name or pattern of such methods a line, behind # comments')
    .option('--library', 'begin with all public and protected methods of public classes')
    .option('--observed <file>', 'begin with the methods that this recording saw, too; repeatable', repeated, [])
    .option(
      '--metadata <path>',
      'reachability metadata, a file or a folder of the tracing agent, beside that of the class path; repeatable',
      repeated,
      [],
    )
    .option('--jdk <home>', 'JDK that the program runs on (default: JAVA_HOME, else that of java in PATH)')
    .addOption(
      new Option(
        '--algo <name>',
        'cha: class hierarchy, rta: rapid type analysis, pta: points-to analysis, by growing precision',
      )
        .choices(['cha', 'rta', 'pta'])
        .default('pta'),
    )
    .option(
      '--cutoff <number>',
      `types at a place before it stands for all of its kind, or inf; with --algo pta (default: ${USUAL_CUTOFF})`,
      numberOrInf,
    )
    .addOption(
      new Option(
        '--clinit <policy>',
        'initialisers of classes: roots: entries, edges: called where a class is used, skip-jdk: not those of the JDK, as in a native image',
      )
        .choices([...INITIALISERS])
        .default('roots'),
    )
    .option(
      '-o, --output <file>',
      'report to write: .call-tree.txt, .csv, .cypher, .graphml; a directory gets it under its usual name',
    )
    .action((paths: string[], options: AnalyzeOptions) => analyzeProgram(invocation, paths, options));
  addExamples(command, ['analyze examples/points-to/shop.jar --main shop.Main -o /tmp/shop.call-tree.txt']);
}

function numberOrInf(text: string): number {
  return text === 'inf' ? Number.POSITIVE_INFINITY : wholeNumber(text);
}

function cutoffOf({ algo, cutoff }: AnalyzeOptions): number {
  if (algo === 'pta') return cutoff ?? USUAL_CUTOFF;
  if (cutoff === undefined) return 0;
  throw new UsageError(`--algo ${algo} has no cut-off`, { code: 'no-cutoff', advice: 'Omit --cutoff.' });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function analyzeProgram(
  invocation: Invocation,
  paths: readonly string[],
  options: AnalyzeOptions,
): Promise<void> {
  const { main, jdk = usualJdk(invocation.host.env), output, library = false, metadata } = options;
  const { observed, entry, entryFile } = options;
  const cutoff = cutoffOf(options);
  const observedKeys =
    observed.length === 0
      ? []
      : await withSession(invocation, observed, { cache: true }, async ({ recordings }) =>
          recordings.flatMap(methodsSeenBy),
        );
  const recording = await withProgress(invocation.host, paths.join(' '), (work) =>
    analyseProgram(
      {
        ...(main !== undefined && { main }),
        classes: [...paths, ...(jdk === undefined ? [] : [jdk])],
        methods: [...entry, ...(entryFile === undefined ? [] : patternsIn(entryFile))],
        isLibrary: library,
        isOfHierarchy: options.algo === 'cha',
        observed: observedKeys,
        metadata,
        cutoff,
        initialisers: options.clinit,
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
