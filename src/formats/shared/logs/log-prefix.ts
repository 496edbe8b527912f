/**
 * Wrapping that containers, journals and loggers add to each line of a program. The prefix is known from a line with
 * known content (the heading of a dump): the text before it is the prefix, in which only times differ from line to
 * line.
 *
 *   docker's json-file    {"log":"LINE\n","stream":"stdout","time":"2024-…"}
 *   containers (CRI)      2024-01-01T00:00:00.000000000Z stdout F LINE
 *   journals, syslog      Jan 01 00:00:00 host unit[4711]: LINE
 *   docker compose        app-1  | LINE
 *   loggers               2024-01-01 00:00:00,000 INFO [main] out - LINE
 *   JSON lines            {"@timestamp":"2024-…","logger_name":"out","message":"LINE"}
 */

/** Bytes of a line in which a prefix is looked for. */
export const PREFIX_WITHIN = 600;
const LONGEST_PREFIX = 300;

const DATE_TIME = String.raw`\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?`;
const DAY_FIRST = String.raw`\d\d[-/][A-Z][a-z]{2}[-/]\d{4}[ :]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: [+-]\d{4})?`;
const SYSLOG = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?`;
const TIME = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
/** Since the start of the program or the machine. `[4711]`, without unit and fraction, is a process. */
const UPTIME = String.raw`\[ {0,8}\d{1,12}(?:[.,]\d{1,9}(?:s|ms)?|s|ms|ns)\]`;
const SINCE_1970 = String.raw`\b\d{10}\.\d{3,9}\b|\b\d{13}\b`;
const TIMES = [DATE_TIME, DAY_FIRST, SYSLOG, TIME, UPTIME, SINCE_1970];
const ANY_TIME = new RegExp(TIMES.map((source) => `(${source})`).join('|'), 'g');

const TIMED = new RegExp(TIMES.join('|'));
const SERVICE = String.raw`(?:\x1b\[[\d;]{1,20}m)?[A-Za-z\d][\w.-]{0,99} {0,60}\|(?:\x1b\[[\d;]{1,20}m)?`;
const UNTIMED = new RegExp(
  String.raw`^(?:${SERVICE} ?|(?:\[[^\]]{1,200}\] ?){1,10}|<\d{1,3}>.{0,200}|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\b[^"]{0,200})$`,
);
const ENDS = /[\s\]:|>]$/;

/** Of syslog without a year, which damage can make from two times: a host and a unit follow, or a level. */
const SYSLOG_LINE = String.raw`${SYSLOG} (?:[\w.-]{1,100} [^\s:]{1,100}: |(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\b)`;

/** A line of some log, whatever it says: a time, decorations of unified logging, a service, a priority, a wrapping. */
const LOG_LINE = new RegExp(
  String.raw`^(?:\[?(?:${[DATE_TIME, DAY_FIRST].join('|')})[\s\]|:,].{0,599}?\S|${SYSLOG_LINE}|${UPTIME}|\[[^\]"]{1,100}\]\[|${SERVICE} |<\d{1,3}>|\{"log":")`,
);

/** Whether a line outside the form of a dump is certainly another line of a log, and not the result of damage. */
export function isLogLine(text: string): boolean {
  return LOG_LINE.test(text);
}

const BRACKETED_TIME = new RegExp(String.raw`^(?:${UPTIME}|\[(?:${TIMES.join('|')})\]) ?$`);

/** Whether a text is only a time in brackets, perhaps with a blank behind it. */
export function isTimeInBrackets(text: string): boolean {
  return BRACKETED_TIME.test(text);
}

/** Whether the text before a heading can be the prefix of a log; prose, quotes and tables cannot. */
export function isPrefix(text: string): boolean {
  return text.length <= LONGEST_PREFIX && ENDS.test(text) && (TIMED.test(text) || UNTIMED.test(text));
}

/** Lines with one prefix, and with one of the same form: of another service, process or logger. */
export interface PrefixPatterns {
  readonly own: RegExp;
  readonly similar: RegExp;
}

/** Blanks at the end of a prefix may be missing where nothing follows. */
export function prefixPatterns(prefix: string): PrefixPatterns {
  const bare = prefix.trimEnd();
  const parts: { readonly text: string; readonly time: string }[] = [];
  let from = 0;
  for (const match of bare.matchAll(ANY_TIME)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    parts.push({ text: bare.slice(from, match.index), time: `(?:${TIMES[kind] ?? ''})` });
    from = match.index + match[0].length;
  }
  parts.push({ text: bare.slice(from), time: '' });
  const blanks = prefix.slice(bare.length);
  const end = blanks === '' ? '' : `(?:${literal(blanks)}|$)`;
  const pattern = (spell: (text: string) => string): RegExp =>
    new RegExp(`^${parts.map(({ text, time }) => spell(text) + time).join('')}${end}`);
  return { own: pattern(literal), similar: pattern(anyWords) };
}

/** Any words in the place of words, any number of blanks in the place of some. */
function anyWords(text: string): string {
  return text
    .split(/([\w./@-]+|\s+)/)
    .map((part, i) => (i % 2 === 0 ? literal(part) : /\s/.test(part) ? '\\s{1,60}' : '[\\w./@-]{1,200}'))
    .join('');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A line inside the wrapping of a container's log. */
export interface Wrapped {
  /** `stdout`, `stderr`. */
  readonly stream: string;
  /** The rest of the line comes in the next one of this stream. */
  readonly partial: boolean;
  readonly text: string;
}

const CRI = new RegExp(`^${DATE_TIME} (stdout|stderr) ([FP])(?:[:,]\\w+)*(?: |$)`);

/** The start of a line as the container runtime interface writes it; undefined for other text. */
export function criStart(
  text: string,
): { readonly length: number; readonly stream: string; readonly partial: boolean } | undefined {
  const match = CRI.exec(text);
  if (match === null) return undefined;
  return { length: match[0].length, stream: match[1] ?? '', partial: match[2] === 'P' };
}

/** Whether a line may be of docker's json-file. */
export function isDockerLine(text: string): boolean {
  return text.startsWith('{"log":"');
}

/**
 * A line of docker's json-file; undefined if it is not one. A log line without a line feed continues in the next one.
 */
export function dockerLine(text: string): Wrapped | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('log' in value) || !('stream' in value)) return undefined;
  const { log, stream } = value;
  if (typeof log !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const partial = !log.endsWith('\n');
  return { stream, partial, text: partial ? log : log.replace(/\r?\n$/, '') };
}

/** Keys of the message in JSON lines: of logstash and ECS, bunyan and zap, fluentd, journalctl, Google Cloud. */
const MESSAGE_KEYS = ['message', 'msg', 'log', 'MESSAGE', 'textPayload'];
const TIME_KEY = /^(?:@?timestamp|@?time|ts|date|datetime|eventTime|receiveTimestamp|insertId|__\w+|_SOURCE_\w+)$/i;

/** Whether a text in JSON has the message of a log entry. */
export function hasMessageKey(text: string): boolean {
  return MESSAGE_KEYS.some((key) => new RegExp(`"${key}"\\s*:\\s*"`).test(text));
}

/** Whether a line may be a JSON object with a log message. JSON thread dumps begin with another key. */
export function isJsonLine(text: string): boolean {
  return /^\{\s*"(?!threadDump")/.test(text);
}

/**
 * A line of a log in JSON; undefined if it is not one. Its stream are the texts beside the message that are not times:
 * logger, thread, level, service. The message may have several lines.
 */
export function jsonLine(text: string): Wrapped | undefined {
  if (!isJsonLine(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const message = MESSAGE_KEYS.flatMap(
    (key) => entries.find(([name, of]) => name === key && typeof of === 'string') ?? [],
  );
  const [name, content] = message;
  if (typeof content !== 'string') return undefined;
  const others = entries.filter(
    ([key, of]) => key !== name && typeof of === 'string' && !TIME_KEY.test(key) && !TIMED.test(of),
  );
  return { stream: JSON.stringify(others), partial: false, text: content.replace(/\r?\n$/, '') };
}
