/** Writes logs as containers, journals and loggers do: each line of a text after a prefix with its own time. */

export interface PrefixKind {
  readonly name: string;
  /** A line as it is in the log, without its line feed; `number` is that of the line. */
  readonly wrap: (line: string, number: number) => string;
  /** A line of something else in the same log. */
  readonly other: (number: number) => string;
}

const pad = (number: number, digits: number): string => String(number).padStart(digits, '0');
/** Grows with the number of the line; widths of fractions differ where they do in real logs. */
const clock = (n: number): string =>
  `${pad(10 + (Math.floor(n / 3600) % 10), 2)}:${pad(Math.floor(n / 60) % 60, 2)}:${pad(n % 60, 2)}`;
const iso = (n: number, digits: number): string => `2024-02-29T${clock(n)}.${pad((n * 7919) % 10 ** digits, digits)}`;

const docker = (line: string, stream: string, n: number): string =>
  JSON.stringify({ log: `${line}\n`, stream, time: `${iso(n, 9).replace(/0+$/, '')}Z` });

/** As logstash-logback-encoder writes it. */
const jsonLine = (message: string, logger: string, n: number): string =>
  JSON.stringify({ '@timestamp': `${iso(n, 3)}Z`, '@version': '1', message, logger_name: logger, level_value: n });

export const PREFIX_KINDS: readonly PrefixKind[] = [
  {
    name: "docker's json-file",
    wrap: (line, n) => docker(line, 'stdout', n),
    other: (n) => docker('\tat other.Thing.run(Thing.java:7)', 'stderr', n),
  },
  {
    name: 'JSON lines',
    wrap: (line, n) => jsonLine(line, 'c.a.Output', n),
    other: (n) => jsonLine('\tat other.Thing.run(Thing.java:7)', 'c.a.Pool', n),
  },
  {
    name: 'a container runtime (CRI)',
    wrap: (line, n) => `${iso(n, 9)}+02:00 stdout F ${line}`,
    other: (n) => `${iso(n, 9)}+02:00 stderr F \tat other.Thing.run(Thing.java:7)`,
  },
  {
    name: 'a container runtime, long lines in parts',
    wrap: (line, n) =>
      // Runtimes split lines of 16 KiB: never a heading.
      line.length < 30 || /#instances|Full thread dump/.test(line)
        ? `${iso(n, 9)}Z stdout F ${line}`
        : `${iso(n, 9)}Z stdout P ${line.slice(0, 20)}\n${iso(n, 9)}Z stderr F between\n${iso(n, 9)}Z stdout P ${line.slice(20, 25)}\n${iso(n, 9)}Z stdout F ${line.slice(25)}`,
    other: (n) => `${iso(n, 9)}Z stderr F "main" #1`,
  },
  {
    name: 'a journal',
    wrap: (line, n) => `Mar ${n % 2 === 0 ? ' 1' : '29'} ${clock(n)} host-1 app.service[4711]: ${line}`,
    other: (n) => `Mar  1 ${clock(n)} host-1 sshd[815]: session opened`,
  },
  {
    name: 'syslog (RFC 5424)',
    wrap: (line, n) => `<14>1 ${iso(n, 6)}+01:00 host app 4711 - - ${line}`,
    other: (n) => `<11>1 ${iso(n, 6)}+01:00 host other 12 - - failed`,
  },
  { name: 'docker compose', wrap: (line) => `app-1  | ${line}`, other: (n) => `db-1   | checkpoint ${n}` },
  {
    name: 'docker compose in colours, with times',
    wrap: (line, n) => `\u001b[36mapp-1  |\u001b[0m ${iso(n, 9)}Z ${line}`,
    other: (n) => `\u001b[33mdb-1   |\u001b[0m ${iso(n, 9)}Z checkpoint`,
  },
  {
    name: 'kubectl logs --prefix',
    wrap: (line) => `[pod/app-7d9f/app] ${line}`,
    other: () => '[pod/app-7d9f/proxy] [info] upstream',
  },
  {
    name: 'times',
    wrap: (line, n) => `${iso(n, 3)}Z ${line}`,
    other: (n) => `[${(n / 10).toFixed(3)}s][info][gc] GC(${n}) Pause Young`,
  },
  {
    name: 'a logger',
    wrap: (line, n) =>
      `2024-02-29 ${clock(n)},${pad(n % 1000, 3)} INFO  [Thread-7] c.a.Output (Output.java:17) - ${line}`,
    other: (n) => `2024-02-29 ${clock(n)},${pad(n % 1000, 3)} WARN  [main] c.a.Pool - slow`,
  },
  {
    name: 'Tomcat',
    wrap: (line, n) => `29-Feb-2024 ${clock(n)}.${pad(n % 1000, 3)} INFO [main] out ${line}`,
    other: (n) => `29-Feb-2024 ${clock(n)}.001 SEVERE [http-1] failed`,
  },
  {
    name: 'times since the start',
    wrap: (line, n) =>
      `[${String(n / 1000 + 5)
        .slice(0, 5)
        .padStart(9)}s] ${line}`,
    other: (n) => `[${(n / 10).toFixed(3)}s][info][gc] GC(${n}) Pause Young`,
  },
];

/**
 * The lines of a text, which ends with a line feed, each after its prefix; `others` come before the lines so numbered.
 */
export function prefixed(text: string, kind: PrefixKind, others: ReadonlySet<number> = new Set()): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, n) => `${others.has(n) ? `${kind.other(n)}\n` : ''}${kind.wrap(line, n)}\n`).join('');
}
