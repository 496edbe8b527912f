/** What the JVM and its tools write besides HPROF, histograms, thread dumps and JFR: logs, class files. */
import { phrase, theInput } from '../../base/phrase.js';
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { filledLines, share } from '../shared/head-text.js';
import { archiveNames } from './archives.js';
import { beginning, guess } from './marks.js';

const UNIFIED_GC = /^(?:\[[^\]]{0,80}\]){0,8}\[(?:gc|safepoint)[,\] ]/;
const LEGACY_GC = /^(?:\d{4}-\d\d-\d\dT[\d:.+-]{8,24}Z?: )?(?:\d{1,10}\.\d{3}: )?\[(?:Full )?GC[ (]/;

function probeGcLog(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  const unified = share(lines, UNIFIED_GC);
  if (unified >= 0.3) return guess(0.9, 'lines of unified logging with the tag gc');
  if (share(lines, LEGACY_GC) >= 0.2) return guess(0.8, 'lines with [GC (…) as JDK 8 and older write them');
  return unified > 0 ? guess(0.4, 'a few lines of unified logging with the tag gc') : NO_GUESS;
}

/** Magic, u2 minor, u2 major. Mach-O files for several processors share the magic, but have a small count there. */
function probeClassFile(head: Head): Guess {
  if (!head.text.startsWith('\u00ca\u00fe\u00ba\u00be') || head.bytes.length < 10) return NO_GUESS;
  const major = (head.bytes[6] << 8) | head.bytes[7];
  return major >= 45 && major < 200 ? guess(1, `it begins with CAFEBABE, class file version ${major}`) : NO_GUESS;
}

function probeJar(head: Head): Guess {
  if (!head.text.startsWith('PK\u0003\u0004')) return NO_GUESS;
  const names = archiveNames(head);
  const entry = names.find((name) => name.startsWith('META-INF/') || name.endsWith('.class'));
  if (entry !== undefined) return guess(0.9, `a zip archive with ${entry}`);
  return /\.(?:jar|war|ear)$/i.test(head.name) ? guess(0.6, 'a zip archive with the name of a jar') : NO_GUESS;
}

/** Types of descriptors (JVMS 4.3). */
const TYPE = String.raw`\[{0,255}(?:[BCDFIJSZ]|L[^\0-\x20;]{1,300};)`;
const NAME = String.raw`[^\0-\x20.:(]`;
const TOUCHED = new RegExp(`^${NAME}{1,300}\\.${NAME}{1,200}:\\((?:${TYPE}){0,255}\\)(?:V|${TYPE})`);

function probeTouchedMethods(head: Head): Guess {
  const lines = filledLines(head, 'keep', 200);
  return share(lines, TOUCHED) >= 0.95 ? guess(0.8, 'class/name.method:descriptor on each line') : NO_GUESS;
}

export const JVM_KINDS: readonly KnownKind[] = [
  beginning({
    id: 'jfr-oracle-7-8',
    title: 'flight recording of Oracle JDK 7 or 8 (format 0.9)',
    advice:
      'Only JDK Mission Control reads this format. To get the current one, record again on JDK 8u262, 11 or later.',
    starts: ['FLR\0\0\0'],
    because: 'it begins with FLR and version 0, usually inside gzip',
  }),
  {
    id: 'gc-log',
    title: 'garbage collection log',
    advice: 'GCViewer and GCeasy can read it.',
    probe: probeGcLog,
  },
  {
    id: 'touched-methods',
    title: 'list of executed methods (PrintTouchedMethodsAtExit)',
    advice: 'It is plain text: one method per line.',
    probe: probeTouchedMethods,
  },
  beginning({
    id: 'hsperfdata',
    title: 'hsperfdata file (counters of a running JVM)',
    article: 'an',
    advice: '`jcmd PID PerfCounter.print` and `jstat` print these counters.',
    starts: ['\u00ca\u00fe\u00c0\u00c0'],
    because: 'it begins with CAFEC0C0',
  }),
  beginning({
    id: 'javacore',
    title: 'javacore of OpenJ9 or IBM',
    advice: 'Eclipse Memory Analyzer and IBM’s thread analyzer can read it.',
    starts: ['0SECTION       TITLE', 'NULL           ----------'],
    because: 'it begins with the section TITLE',
  }),
  {
    id: 'java-class',
    title: 'Java class file',
    advice: phrase`\`javap -v -p FILE\` prints it. Open a recording, and give its classes with ${theInput('classes')}.`,
    probe: probeClassFile,
  },
  {
    id: 'jar',
    title: 'jar (archive of Java classes)',
    advice: 'Open a recording of the program it contains.',
    probe: probeJar,
  },
  beginning({
    id: 'jmod',
    title: 'jmod archive of the JDK',
    advice: '`jmod list FILE` lists its contents. Open a recording instead.',
    starts: ['JM\u0001\0PK'],
    because: 'it begins with JM and a zip archive',
  }),
];
