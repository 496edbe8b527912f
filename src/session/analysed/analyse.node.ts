/** The recording that our own points-to analysis of a program gives: a call graph, as reports of GraalVM have it. */
import { type AnalysisOptions, analyze } from '../../analysis/pointsto/analyze.js';
import { analysedProgram } from '../../analysis/pointsto/result.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { type Problem, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import type { JoinedClassPath } from '../../code/java/class-path/joined-class-path.js';
import type { Recording } from '../../models/recording.js';
import { readMetadata } from './metadata.node.js';
import { problemsOf } from './problems.js';

/** Without a main class, that of the manifest is used, unless other entries are given. */
export interface AnalysisChoice extends Omit<AnalysisOptions, 'registrations'> {
  /** Class path of the program, its libraries, and the JDK. */
  readonly classes: readonly string[];
  /** Files of reachability metadata, or folders with such files, beside those of the class path. */
  readonly metadata?: readonly string[];
  readonly announce?: (message: string) => void;
}

/** Opens the classes and analyses them. Throws `UsageError` without a main class, and `MissingError` without a JDK. */
export async function analyseProgram(
  { classes: paths, metadata = [], announce, ...choice }: AnalysisChoice,
  work: Work,
): Promise<Recording> {
  const classes = await openClassPath(paths, announce);
  try {
    const { methods = [], isLibrary = false } = choice;
    const main = choice.main ?? (isLibrary || methods.length > 0 ? undefined : classes.mainClass);
    if (main === undefined && !isLibrary && methods.length === 0)
      throw new UsageError('no main class is given, and no manifest names one', {
        code: 'no-main-class',
        advice: phrase`Name it with ${theOption('main', { choose: 'CLASS' })}; ${theOption('entry', { choose: 'METHOD' })} and ${theOption('library')} are other entries.`,
      });
    if (!classes.has('java.lang.Object'))
      throw new MissingError('the class path has no java.lang.Object', {
        code: 'no-jdk',
        advice: phrase`Add the home of a JDK with ${theOption('jdk', { choose: 'HOME' })}.`,
      });
    const { registrations, problems } = await readMetadata(classes, metadata, work);
    return await analysed(classes, { ...choice, ...(main !== undefined && { main }), registrations }, problems, work);
  } finally {
    await classes.close();
  }
}

async function analysed(
  classes: JoinedClassPath,
  options: AnalysisOptions,
  metadataProblems: readonly Problem[],
  work: Work,
): Promise<Recording> {
  const analysis = await analyze(classes, options, work);
  const { engine, unreadable, damagedMethods } = analysis;
  const problems = new ProblemLog();
  for (const problem of [...problemsOf(analysis), ...metadataProblems, ...classes.problems]) problems.add(problem);
  const { program, callGraph } = analysedProgram(engine);
  return {
    name: options.main ?? 'library',
    format: 'points-to analysis',
    metadata: [{ key: 'cut-off', value: String(options.cutoff) }],
    sections: [
      { name: 'entries', entries: callGraph.entries.length },
      { name: 'methods', entries: callGraph.methods.length },
      { name: 'call sites', entries: callGraph.sites.length },
      { name: 'targets', entries: callGraph.targets.length },
    ],
    program,
    callGraph,
    problems: problems.finish(),
    complete: unreadable.size === 0 && damagedMethods === 0,
    residue: undefined,
  };
}
