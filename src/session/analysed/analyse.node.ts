/** The recording that our own points-to analysis of a program gives: a call graph, as reports of GraalVM have it. */
import { type AnalysisOptions, analyze } from '../../analysis/pointsto/analyze.js';
import { analysedProgram } from '../../analysis/pointsto/result.js';
import { type Problem, ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { JoinedClassPath } from '../../code/java/class-path/joined-class-path.js';
import type { Recording } from '../../models/recording.js';
import { problemsOf } from './problems.js';

/** Analyses the classes. `name`: of the recording; `metadataProblems`: those of files of reachability metadata. */
export async function analysedRecording(
  classes: JoinedClassPath,
  options: AnalysisOptions,
  { name, metadataProblems }: { readonly name: string; readonly metadataProblems: readonly Problem[] },
  work: Work,
): Promise<Recording> {
  const analysis = await analyze(classes, options, work);
  const { engine, unreadable, damagedMethods } = analysis;
  const problems = new ProblemLog();
  for (const problem of [...problemsOf(analysis), ...metadataProblems, ...classes.problems]) problems.add(problem);
  const { program, callGraph } = analysedProgram(engine);
  return {
    name,
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
