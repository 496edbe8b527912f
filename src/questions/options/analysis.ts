/** Options of our own points-to analysis, for class files that take the place of a report of calls. */
import { z } from 'zod';
import { choice, flag, optionalText, repeatedTexts } from './option.js';

/**
 * Why initialisers of classes run. `roots`: each is an entry. `edges`: code that uses a class calls its initialiser. `skip-jdk`: as `roots`, without
 * those of the JDK, whose static fields may hold any object then: a native image has run them when it is built.
 */
export const INITIALISERS = ['roots', 'edges', 'skip-jdk'] as const;
export type Initialisers = (typeof INITIALISERS)[number];

/** By growing precision. */
export const ALGORITHMS = ['cha', 'rta', 'pta'] as const;

/** As GraalVM's builder has it. */
export const USUAL_CUTOFF = 20;

/** Of every question that class files can be asked. */
export const ANALYSIS_OPTIONS = z.object({
  main: optionalText('Main class', 'class whose main method is called', {
    value: 'class',
    usual: 'that of the manifest',
  }),
  entry: repeatedTexts('Entry', 'method of the program to begin with, a name or pattern', 'method'),
  entryObserved: repeatedTexts(
    'Entries observed',
    'begin with the methods that this recording saw, too; any profile',
    'recording',
  ),
  library: flag('Library', 'begin with all public and protected methods of public classes'),
  metadata: repeatedTexts(
    'Metadata',
    'reachability metadata, a file or a folder of the tracing agent, beside that of the class path',
    'path',
  ),
  jdk: optionalText('JDK', 'JDK that the program runs on', {
    value: 'home',
    usual: 'JAVA_HOME, else that of java in PATH',
  }),
  algo: choice(
    ALGORITHMS,
    'pta',
    'Algorithm',
    'cha: class hierarchy, rta: rapid type analysis, pta: points-to analysis, by growing precision',
    'name',
  ),
  cutoff: optionalText('Cut-off', 'types at a place before it stands for all of its kind, or inf; of pta', {
    value: 'number',
    usual: String(USUAL_CUTOFF),
  }),
  clinit: choice(
    INITIALISERS,
    'roots',
    'Initialisers',
    'initialisers of classes: roots: entries, edges: called where a class is used, skip-jdk: not those of the JDK, as in a native image',
    'policy',
  ),
  predicates: flag('Predicates', 'leave out code behind tests of null, types and numbers that cannot hold'),
});

/** How class files are analysed: plain data. */
export type AnalysisRequest = z.input<typeof ANALYSIS_OPTIONS>;
