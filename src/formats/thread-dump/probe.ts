/** Recognises a thread dump by its heading, by lines of threads, or by the key of a JSON dump. */
import { encodeUtf8 } from '../../base/text.js';
import { type Guess, type Head, type JsonOutline, NO_GUESS } from '../capabilities/probe.js';
import { textOf } from '../shared/head-text.js';
import { JsonOutliner, outlineOf } from '../shared/json-outline.js';
import { behind, headingIn, linesOfLog } from '../shared/log-head.js';
import { AGENT_HEADING } from './dialects/agent.js';
import { INFO_HEADER } from './dialects/management.js';
import { THREAD_DUMPS } from './read.js';

const THREAD_LINE = /^"[^"]{0,200}" .{0,200}(?:prio=\d|tid=0x|Id=\d|Thread t@\d)/;
const INFO_LINE = new RegExp(INFO_HEADER, 'i');
/** Tabs become blanks of all kinds, in two or three bytes, and `#011`. */
const BLANKS = String.raw`(?:[\s\u00c2\u00e2\u0080\u00a0\u00af]|#011){0,40}`;
const BELOW = new RegExp(`^${BLANKS}at `);
const STATE_LINE = new RegExp(String.raw`^${BLANKS}java\.lang\.Thread\.State: [A-Z]`);
const AGENT_LINE = /^(?:Attaching to |Debugger attached |JVM version is )/;

export function probeThreadDump(head: Head): Guess {
  const json = probeJson(head);
  if (json.confidence > 0) return json;
  const heading = headingIn(head, THREAD_DUMPS);
  if (heading !== undefined)
    return { confidence: 0.95, because: `it has the line "${heading.content.slice(0, 60)}"${behind(heading)}` };
  const lines = linesOfLog(head);
  if (lines.includes(AGENT_HEADING) && lines.some((line) => AGENT_LINE.test(line)))
    return { confidence: 0.95, because: `it has the line "${AGENT_HEADING}" of jhsdb jstack or jstack -F` };
  const infos = lines.filter((line) => INFO_LINE.test(line.slice(0, 500))).length;
  if (infos > 0 && lines.some((line) => BELOW.test(line.slice(0, 80))))
    return { confidence: 0.85, because: `${infos} threads as ThreadInfo writes them` };
  const threads = lines.filter((line) => THREAD_LINE.test(line.slice(0, 500))).length;
  const states = lines.filter((line) => STATE_LINE.test(line.slice(0, 200))).length;
  if (threads > 0 && states > 0) return { confidence: 0.85, because: `${threads} threads with their states` };
  const numbered = lines.filter((line) => /^#\d{1,19} "/.test(line)).length;
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (numbered > 0 && /^\d{1,10}$/.test(first))
    return { confidence: 0.9, because: 'a process number, then threads as "#1" with a name' };
  return threads + states > 0 ? { confidence: 0.4, because: 'lines of a thread dump' } : NO_GUESS;
}

/** PowerShell writes UTF-16, or UTF-8 with a mark. */
function outlineOfText(head: Head): JsonOutline {
  const { text, encoding } = textOf(head);
  if (encoding === undefined) return outlineOf(head);
  const outliner = new JsonOutliner();
  outliner.feed(encodeUtf8(text));
  return outliner.outline;
}

function probeJson(head: Head): Guess {
  const { root, marks } = outlineOfText(head);
  const list = root === 'array' ? '[]' : 'threads[]';
  if (marks.has(`${list}/threadName`) && (marks.has(`${list}/threadState`) || marks.has(`${list}/stackTrace`)))
    return { confidence: 0.95, because: 'JSON with threads that have a threadName and a stackTrace' };
  if (root !== 'object' || marks.get('threadDump')?.kind !== 'object') return NO_GUESS;
  const sure = ['threadContainers', 'processId', 'runtimeVersion'].some((key) => marks.has(`threadDump/${key}`));
  return { confidence: sure ? 1 : 0.6, because: 'a JSON object threadDump' };
}
