/** The lines with which dumps begin: version, time and process. */
import { AGENT_PROCESS, AGENT_VERSION } from '../dialects/agent.js';
import type { DumpHeading } from '../dump-builder.js';

const HEADING = /^Full thread dump (.{1,300}):$/;
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;
const FILE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const PROCESS = /^(\d{1,10}):?$/;

/** The last line of the threads of a dump of the VM. */
export const LAST_LINE = /^JNI global ref(?:erence)?s: \d/;

/** The version in the heading of the VM; undefined for other lines. */
export function vmVersion(text: string): string | undefined {
  return HEADING.exec(text)?.[1];
}

/** Of JDK 1.2 to 5 the version is that of the JDK; of JDK 6, that of HotSpot: 10 to 20. */
const WITHOUT_END = /\((?:1\.[2-5]\.|1[0-9]\.\d-b|20\.\d{1,2}-b)/;

/** Whether the VM of this version writes dumps without a last line, so that the end of one shows nothing. */
export function mayLackEnd(version: string): boolean {
  return WITHOUT_END.test(version);
}

/** Remembers the lines before a heading, which have the time and the process of the dump. */
export class LinesBefore {
  last = '';
  #beforeLast = '';
  /** The process that the serviceability agent attached to. */
  attached = -1;
  agentVersion = '';

  add(text: string): void {
    this.#beforeLast = this.last;
    this.last = text;
  }

  /** Before the heading of the VM: a process, a time by the clock of the machine, both or none. */
  ofVm(): DumpHeading {
    const time = LOCAL_TIME.exec(this.last);
    const process = PROCESS.exec(time === null ? this.last : this.#beforeLast);
    return {
      time: time === null ? -1 : Date.parse(`${time[1]}T${time[2]}Z`),
      process: process === null ? -1 : Number(process[1]),
    };
  }

  /** Whether the line is the time in a heading of `dump_to_file`, behind its process. */
  ofFile(text: string): DumpHeading | undefined {
    const process = FILE_TIME.test(text) ? PROCESS.exec(this.last) : null;
    return process === null ? undefined : { time: Date.parse(text), process: Number(process[1]) };
  }

  /** Takes what the serviceability agent says before its dump. */
  addAgentLine(text: string): void {
    const process = AGENT_PROCESS.exec(text)?.[1];
    if (process !== undefined) this.attached = Number(process);
    this.agentVersion = AGENT_VERSION.exec(text)?.[1] ?? this.agentVersion;
  }
}
