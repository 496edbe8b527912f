/** Text of tools around the JVM that looks like recordings, or has stacks in a form of its own. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { filledLines, textOf } from '../shared/head-text.js';
import { guess } from './marks.js';

/** Lines at the start in which a form shows itself. */
const FIRST_LINES = 40;

/** A kind that has a line of this shape among its first ones, and another one anywhere in its head. */
function lineKind(
  kind: Omit<KnownKind, 'probe'>,
  first: RegExp,
  because: string,
  { further, confidence = 0.9 }: { readonly further?: RegExp; readonly confidence?: number } = {},
): KnownKind {
  const probe = (head: Head): Guess => {
    const { plainLines, binary } = textOf(head);
    if (binary) return NO_GUESS;
    const has = (lines: readonly string[], shape: RegExp): boolean =>
      lines.some((line) => shape.test(line.slice(0, 500)));
    if (!has(plainLines.slice(0, FIRST_LINES), first)) return NO_GUESS;
    return further === undefined || has(plainLines, further) ? guess(confidence, because) : NO_GUESS;
  };
  return { ...kind, probe };
}

const MARKUP = /^\s{0,100}(?:<\?xml|<!doctype (?:html|svg)|<html|<svg)/i;

/** A page or picture with one of these texts. */
function markupKind(kind: Omit<KnownKind, 'probe'>, marks: readonly RegExp[], because: string): KnownKind {
  const probe = (head: Head): Guess => {
    const { text } = textOf(head);
    return MARKUP.test(text.slice(0, 200)) && marks.some((mark) => mark.test(text)) ? guess(0.9, because) : NO_GUESS;
  };
  return { ...kind, probe };
}

const TITLES = [
  /^\s*(?:Timestamp\s+)?S0C?\s+S[01]C?\s.*\bGCT\b/,
  /^\s*(?:Timestamp\s+)?Loaded\s+Bytes\s+Unloaded\s+Bytes\s+Time\s*$/,
  /^\s*(?:Timestamp\s+)?Compiled\s+Failed\s+Invalid\s+Time\s+FailedType\s+FailedMethod\s*$/,
  /^\s*(?:Timestamp\s+)?(?:NGCMN|S0CMN|OGCMN|MCMN|PGCMN)\s+\S.*\bGCT\b/,
];

function probeJstat(head: Head): Guess {
  const [titles = '', row = ''] = filledLines(head, 'keep', 2, 'drop');
  if (!TITLES.some((shape) => shape.test(titles.slice(0, 400)))) return NO_GUESS;
  return row === '' || /^[\s\d.,-]{3}/.test(row) ? guess(0.9, 'columns of jstat') : NO_GUESS;
}

const RULE = /^-{2,200}(?: {1,4}-{2,200}){1,40}\s{0,4}$/;

/** A centred title above columns with a rule, or an event as the command prints it. */
function probeJfrText(head: Head): Guess {
  const { lines } = textOf(head);
  const [title = '', columns = '', rule = '', row = ''] = filledLines(head, 'keep', 4);
  if (/^[A-Za-z]\w{0,60}(?:\.\w{1,80}){1,10} \{$/.test(title) && /^ {2}startTime = /.test(columns))
    return guess(0.95, `an event ${title.slice(0, -2)} with its startTime`);
  if (/^ Version: \d\.\d$/.test(title) && /^ Chunks: \d/.test(columns))
    return guess(0.95, 'version and chunks of a recording');
  if (title === 'JVM Information' && /^-{15}$/.test(columns) && rule.startsWith('PID: '))
    return guess(0.95, 'the title JVM Information');
  const centred = title.length - title.trimStart().length;
  const middle = centred + title.trim().length / 2;
  const table = centred > 1 && lines[0]?.trim() === '' && /^\S/.test(columns) && RULE.test(rule);
  const balanced = Math.abs(middle - rule.trimEnd().length / 2) <= 2;
  return table && balanced && row !== '' ? guess(0.8, `the table ${title.trim().slice(0, 60)}`) : NO_GUESS;
}

const DUMP_ADVICE = 'Take a thread dump with `jstack PID` or `jcmd PID Thread.print`.';
const HIDDEN_TEXT = 'Record again in a form with all stacks: async-profiler with `-o collapsed` or `-o jfr`.';
const OPEN_JFR = 'Open the recording (.jfr) it was printed from instead.';

export const JVM_TEXT_KINDS: readonly KnownKind[] = [
  lineKind(
    {
      id: 'hs-err',
      title: 'fatal error log of HotSpot (hs_err_pid)',
      advice: 'It has the stack of one thread only. For all of them, `jhsdb jstack` reads the core file of the crash.',
    },
    /^# (?:A fatal error has been detected by the Java Runtime Environment:|There is insufficient memory for the Java Runtime Environment to continue\.)/,
    'it begins with the words about a fatal error',
  ),
  markupKind(
    { id: 'async-profiler-html', title: 'page of async-profiler (HTML)', article: 'a', advice: HIDDEN_TEXT },
    [
      /The async-profiler authors/,
      /^f\(\d{1,9},\d{1,9},\d{1,19},\d/m,
      /github\.com\/(?:async-profiler|jvm-profiling-tools)\/async-profiler/,
    ],
    'a page with the functions of its flame graph',
  ),
  markupKind(
    {
      id: 'flame-graph-svg',
      title: 'picture of a flame graph (SVG of flamegraph.pl or inferno)',
      advice: 'Open the collapsed stacks it was drawn from; `perf script` with stackcollapse-perf.pl makes them.',
    },
    [
      /<g class="func_g/,
      /FlameGraph/,
      /<g id="frames"/,
      /<title>[^<]{1,500} \([\d,]{1,20} samples, [\d.]{1,6}%\)<\/title>/,
    ],
    'a picture with functions and their samples',
  ),
  lineKind(
    {
      id: 'async-profiler-traces',
      title: 'text of async-profiler (call traces and methods)',
      advice: HIDDEN_TEXT,
    },
    /^--- Execution profile ---\s*$/,
    'the heading Execution profile',
  ),
  {
    id: 'jfr-text',
    title: 'output of `jfr print`, `jfr view` or `jfr summary`',
    article: '',
    advice: OPEN_JFR,
    probe: probeJfrText,
  },
  {
    id: 'jstat',
    title: 'output of jstat',
    article: '',
    advice: 'These are counters of the JVM over time. A flight recording (`jcmd PID JFR.start`) has them, too.',
    probe: probeJstat,
  },
  lineKind(
    {
      id: 'jmap-heap',
      title: 'summary of a heap (jmap -heap)',
      advice: 'For objects by class, use `jcmd PID GC.class_histogram`, or `jcmd PID GC.heap_dump FILE`.',
    },
    /^Heap Configuration:\s*$/,
    'the heading Heap Configuration',
    { further: /^\s+MaxHeapSize\s+=/ },
  ),
  lineKind(
    {
      id: 'native-memory',
      title: 'report of Native Memory Tracking (VM.native_memory)',
      advice: 'A flight recording since JDK 21 has these numbers over time (jdk.NativeMemoryUsage).',
    },
    /^Native Memory Tracking:\s*$/,
    'the heading Native Memory Tracking',
    { further: /^Total:\s+reserved=/ },
  ),
  lineKind(
    {
      id: 'native-image-trace',
      title: 'message of Native Image about how an object was reached',
      advice: 'For all that was reached and why, build with `-H:+PrintAnalysisCallTree` and open its report.',
    },
    /^\s*(?:Trace: )?Object was reached by\s*:?\s*$/,
    'the line "Object was reached by"',
    { further: /^\s+(?:trying to constant fold|parsing method|reading field|scanning|at )/ },
  ),
  lineKind(
    {
      id: 'android-traces',
      title: 'thread dump of Android (ANR traces)',
      article: 'a',
      advice: 'Android Studio can read it.',
    },
    /^(?:DALVIK THREADS|ART internal metrics|Cmd line: |----- pid \d{1,10} at )/,
    'threads of an Android runtime',
    { further: /^DALVIK THREADS \(\d{1,6}\):$|^"[^"]{0,200}" .{0,100}\btid=\d{1,9} [A-Z]\w{1,30}$/ },
  ),
  lineKind(
    { id: 'hung-threads', title: 'log of WebSphere or Liberty with warnings of hung threads', advice: DUMP_ADVICE },
    /\b(?:WSVR0605W|TRAS0112W|TRAS0114W|CWWKE0701E.{0,40}hung)\b/,
    'a warning of a hung thread',
    { confidence: 0.6 },
  ),
  lineKind(
    { id: 'server-watchdog', title: 'log of a Minecraft server with stacks of its watchdog', advice: DUMP_ADVICE },
    /\[(?:Paper |Spigot )?Watchdog Thread\/(?:ERROR|FATAL|WARN)\]/,
    'lines of a watchdog thread',
    { further: /\b(?:Current Thread: |PID: \d{1,9} \| Suspended: )/, confidence: 0.6 },
  ),
];
