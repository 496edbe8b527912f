/** The recording that our own points-to analysis of a program gives: a call graph, as reports of GraalVM have it. */
import { analyze } from '../analysis/pointsto/analyze.js';
import { analysedProgram } from '../analysis/pointsto/result.js';
import { MissingError, UsageError } from '../base/errors.js';
import { phrase, theOption } from '../base/phrase.js';
import { ProblemLog } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import { plural } from '../base/units.js';
import { binaryName } from '../code/java/class-file/descriptor.js';
import { openClassPath } from '../code/java/class-path/class-path.node.js';
import type { JoinedClassPath } from '../code/java/class-path/joined-class-path.js';
import type { Recording } from '../models/recording.js';

export interface AnalysisChoice {
  /** Binary name of the main class; that of the manifest if not given. */
  readonly main?: string;
  /** Class path of the program, its libraries, and the JDK. */
  readonly classes: readonly string[];
  /** Types at a place before it stands for all of its kind. */
  readonly cutoff: number;
  readonly announce?: (message: string) => void;
}

/** Opens the classes and analyses them. Throws `UsageError` without a main class, and `MissingError` without a JDK. */
export async function analyseProgram(
  { main, classes: paths, cutoff, announce }: AnalysisChoice,
  work: Work,
): Promise<Recording> {
  const classes = await openClassPath(paths, announce);
  try {
    const mainClass = main ?? classes.mainClass;
    if (mainClass === undefined)
      throw new UsageError('no main class is given, and no manifest names one', {
        code: 'no-main-class',
        advice: phrase`Name it with ${theOption('main', { choose: 'CLASS' })}.`,
      });
    if (!classes.has('java.lang.Object'))
      throw new MissingError('the class path has no java.lang.Object', {
        code: 'no-jdk',
        advice: phrase`Add the home of a JDK with ${theOption('jdk', { choose: 'HOME' })}.`,
      });
    return await analysed(classes, mainClass, cutoff, work);
  } finally {
    await classes.close();
  }
}

async function analysed(classes: JoinedClassPath, main: string, cutoff: number, work: Work): Promise<Recording> {
  const { engine, missing, unreadable, damagedMethods, ignoredNames, unknownReflection } = await analyze(
    classes,
    { main, cutoff },
    work,
  );
  const problems = new ProblemLog();
  const report = (code: string, severity: 'error' | 'warning' | 'info', count: number, message: string): void => {
    if (count > 0) problems.add({ code, severity, message });
  };
  const first = ([name]: Iterable<string>): string => binaryName(name ?? '');
  report(
    'analysis-missing-classes',
    'warning',
    missing.size,
    `${plural(missing.size, 'class', 'classes')} that code names ${missing.size === 1 ? 'is' : 'are'} not in the class path, such as ${first(missing)}: what they do is unknown`,
  );
  report(
    'analysis-unreadable-classes',
    'error',
    unreadable.size,
    `${plural(unreadable.size, 'class', 'classes')} could not be read, such as ${first(unreadable)}`,
  );
  report(
    'analysis-damaged-code',
    'error',
    damagedMethods,
    `the code of ${plural(damagedMethods, 'method')} is damaged: their calls are unknown`,
  );
  report(
    'analysis-names-in-tables',
    'info',
    ignoredNames,
    `${plural(ignoredNames, 'class', 'classes')} in tables of names ${ignoredNames === 1 ? 'is' : 'are'} not taken as reachable, since nothing is known to look them up`,
  );
  report(
    'analysis-unknown-reflection',
    'warning',
    unknownReflection,
    `${plural(unknownReflection, 'call')} of reflection may be on any class of the program: what ${unknownReflection === 1 ? 'it finds is' : 'they find is'} not taken as reachable`,
  );
  for (const problem of classes.problems) problems.add(problem);
  const { program, callGraph } = analysedProgram(engine);
  return {
    name: main,
    format: 'points-to analysis',
    metadata: [{ key: 'cut-off', value: String(cutoff) }],
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
