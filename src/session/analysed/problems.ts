/** What an analysis could not know, as problems of its recording. */
import type { Analysis } from '../../analysis/pointsto/analyze.js';
import type { Problem } from '../../base/problems.js';
import { plural } from '../../base/units.js';
import { binaryName } from '../../code/java/class-file/descriptor.js';

export function problemsOf(analysis: Analysis): Problem[] {
  const { missing, unreadable, damagedMethods, ignoredNames, unknownReflection } = analysis;
  const problems: Problem[] = [];
  const report = (code: string, severity: 'error' | 'warning' | 'info', count: number, message: string): void => {
    if (count > 0) problems.push({ code, severity, message });
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
  report(
    'analysis-unmet-tests',
    'info',
    analysis.unmetTests,
    `${plural(analysis.unmetTests, 'way')} out of tests of null, types and numbers, and handlers of exceptions, ${analysis.unmetTests === 1 ? 'is' : 'are'} not followed: nothing that is reachable makes them possible`,
  );
  report(
    'analysis-metadata-missing',
    'info',
    analysis.missingRegistrations,
    `${plural(analysis.missingRegistrations, 'registration')} of reachability metadata ${analysis.missingRegistrations === 1 ? 'is' : 'are'} of classes that the class path lacks`,
  );
  report(
    'analysis-metadata-unmet',
    'info',
    analysis.unmetRegistrations,
    `${plural(analysis.unmetRegistrations, 'registration')} of reachability metadata ${analysis.unmetRegistrations === 1 ? 'has a condition that does' : 'have conditions that do'} not hold: their types are not reached`,
  );
  return problems;
}
