/** The lines of an HPROF text as regular expressions, by spec/hprof.md §1; text is one character a byte. */

export const ORDER = ['MONITOR DUMP', 'MONITOR TIME', 'HEAP DUMP', 'SITES', 'CPU SAMPLES', 'CPU TIME (ms)'];
const NUMBER = '\\d{1,15}';
const SIGNED = `(?:-(?!0+\\b))?${NUMBER}`;
const HEX = '(?:0x)?([0-9a-fA-F]{1,16})';
const PERCENT = '(\\d{1,15}[.,]\\d\\d)%';
const TEXT = '[^\\x00-\\x1f]+';
export const pattern = (text: string): RegExp => new RegExp(`^${text}$`);

export const START = pattern(
  `THREAD START \\(obj=${HEX}, id = (${NUMBER}), name="([^]*)", group="((?:(?!", group=")[^])*)"\\)`,
);
export const END = pattern(`THREAD END \\(id = (${NUMBER})\\)`);
export const WAIT = pattern(
  `(?:(WAIT|WAITED): MONITOR (${TEXT}), (timeout|time_waited)|(SLEEP): timeout)=(${SIGNED}), (?:thread (${NUMBER})|<unknown thread>)`,
);
export const TRACE = pattern(
  `TRACE (${NUMBER}):(?: \\(thread=(${NUMBER})\\))?(?: \\(from (onload|primordial|start|dead) phase of JVM\\))?[ \\t]*`,
);
export const FRAME = pattern(
  `[ \\t]+([^\\x00-\\x20][^\\x00-\\x1f]*)\\.([^.\\x00-\\x1f]+)\\(([^(\\x00-\\x1f]+):(${NUMBER}|Unknown line|Compiled method|Native method)\\)`,
);
/** A frame without indentation, which all frames of the file lack then. */
export const BARE_FRAME = pattern('(?:<empty>|[^\\x00-\\x20(]+\\.[^\\x00-\\x20.(]+\\([^()]+\\))');
export const DATE = '([A-Z][a-z]{2} [A-Z][a-z]{2} +\\d?\\d \\d\\d:\\d\\d:\\d\\d \\d{4})?';
export const HEADINGS: readonly RegExp[] = [
  pattern('(MONITOR DUMP) BEGIN'),
  pattern(`(MONITOR TIME) BEGIN \\(total = (${SIGNED}) ms\\)([^]*)`),
  pattern(`(HEAP DUMP) BEGIN \\((${NUMBER}) objects, (${NUMBER}) bytes\\)([^]*)`),
  pattern(`(SITES) BEGIN \\(ordered by (live|allocated) bytes\\)([^]*)`),
  pattern(`(CPU SAMPLES|CPU TIME \\(ms\\)) BEGIN \\(total = (${SIGNED})\\)([^]*)`),
];
export const ROW = pattern(
  `[ \\t]*(${NUMBER})[ \\t]+${PERCENT}[ \\t]*${PERCENT}[ \\t]*(${NUMBER})[ \\t]+(${NUMBER}) (${TEXT})`,
);
export const SITE_ROW = pattern(
  `[ \\t]*(${NUMBER})[ \\t]+${PERCENT}[ \\t]*${PERCENT}[ \\t]*${`(${NUMBER})[ \\t]+`.repeat(4)}(${NUMBER}) (${TEXT})`,
);
export const TITLE =
  /^[ \t]*(?:rank +self +accum +count +trace +(?:method|monitor)|percent +live +alloc'ed +stack +class|rank +self +accum +bytes +objs +bytes +objs +trace +name)[ \t]*$/;
const TYPE = '\\[*(?:[BCDFIJSZ]|L[^;.[()\\x00-\\x20]+;)';
const METHOD = `[^() \\x00-\\x1f]+\\.[^() \\x00-\\x1f]+\\((?:${TYPE})*\\)(?:V|${TYPE})`;
export const OLD_ROW = pattern(`(${NUMBER}) (${METHOD}|<unknown callee>) (${METHOD}|<unknown caller>) (${SIGNED})`);
export const OLD_HEADING = 'count callee caller time';
/** The text that may follow a line cut at 1,023 bytes. */
export const GOES_ON =
  /^(?:\t|TRACE \d+:|THREAD (?:START|END) \(|(?:WAIT|WAITED|SLEEP): |(?:ROOT|CLS|OBJ|ARR) [0-9a-f]+ \(|(?:MONITOR DUMP|MONITOR TIME|HEAP DUMP|SITES|CPU SAMPLES|CPU TIME \(ms\)) (?:BEGIN|END)| {4}(?:THREAD \d|(?:RAW )?MONITOR )| *\d+ +\d+[.,]\d\d% )/;
export const PRINTED = 1023;

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Names of the agents are the modified UTF-8 of the VM: surrogates are three bytes each, NUL is two. */
export function nameOf(bytes: string): string {
  const units = bytes.replace(/\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g, (_, a, b, c, d) => {
    const bits = (byte: string): number => byte.charCodeAt(0) & 0x3f;
    const code = 0x10000 + ((bits(a) & 0xf) << 16) + (bits(b) << 10) + ((bits(c) & 0xf) << 6) + bits(d);
    return Buffer.from(String.fromCodePoint(code)).toString('latin1');
  });
  return Buffer.from(units.replaceAll('\xc0\x80', '\0'), 'latin1').toString();
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  V: 'void',
  Z: 'boolean',
};

/** `A.b(ILjava/lang/String;)V` → `A.b(int,java.lang.String)void`. */
export function typed(method = ''): string {
  const [, name, parameters = '', result = ''] = /^(.*)\((.*)\)(.*)$/.exec(method) ?? [];
  const word = (type: string): string =>
    PRIMITIVES[type] ?? (type.startsWith('[') ? type : type.slice(1, -1)).replaceAll('/', '.');
  const types = parameters.match(new RegExp(TYPE, 'g')) ?? [];
  return name === undefined ? method : `${name}(${types.map(word).join(',')})${word(result)}`;
}
