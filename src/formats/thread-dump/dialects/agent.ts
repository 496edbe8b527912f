/**
 * Dumps of the serviceability agent, which reads a JVM from outside or from its core file: `jhsdb jstack`, and `jstack
 * -F` of JDK 8 and older.
 *
 *   Deadlock Detection:                                            the heading; deadlocks follow, then threads
 *   "one" #13 prio=5 tid=0x… nid=0x7a80 waiting for monitor entry [0x…]
 *   Thread 4890: (state = BLOCKED)                                 JDK 8 and older: a state of the VM, not of Java
 *    - demo.Main.a(int) @bci=26, line=6 (Interpreted frame)
 *   	- locked <0x…> (a java.lang.Object)
 */
import { NO_LINE } from '../../../models/program/program.js';
import type { DumpFrame } from '../text/frame.js';
import { NO_FIELDS, type ThreadHeader } from '../text/header.js';

export const AGENT_HEADING = 'Deadlock Detection:';
export const AGENT_PROCESS = /^Attaching to process ID (\d{1,10}), please wait\.\.\.$/;
export const AGENT_VERSION = /^JVM version is (.{1,200})$/;

/** Lines of the agent about itself or the state of the VM, which say nothing about threads in Java. */
export const AGENT_WORDS =
  /^(?:Attaching to (?:process|core|remote) .*|Debugger attached successfully\.|(?:Server|Client|Core build|Minimal)[ a-z]* detected\.|JavaThread state: \w{1,40}|No deadlocks found\.|)$/;

const HEADER = /^Thread (\d{1,10}): \(state = ([A-Z_]{1,30})\)$/;

/** A header of JDK 8 and older: the thread has no name there. */
export function agentHeader(text: string): ThreadHeader | undefined {
  const match = HEADER.exec(text);
  if (match === null) return undefined;
  const [, native, words = ''] = match;
  return { ...NO_FIELDS, by: 'agent', name: `Thread ${native}`, native: Number(native), words: `(state = ${words})` };
}

const FRAME =
  /^(.+)\.([^.(]+)\((.*)\) @bci=(-?\d{1,6})(?:, line=(\d{1,9}))?(?:, [a-zA-Z*]{1,20}=[^ ,]{1,200})*,? \([A-Z][a-z]{1,20} frame(?:; [a-z ]{1,60})?\)$/s;

/** Whether a text ends as frames of the agent do. */
export function isAgentFrame(text: string): boolean {
  return / (?:frame|imprecise)\)$/.test(text);
}

/** A frame of the agent; undefined for other text. The agent marks hidden classes by a plus sign where the VM has a slash. */
export function agentFrame(text: string): DumpFrame | undefined {
  const match = isAgentFrame(text) ? FRAME.exec(text) : null;
  if (match === null) return undefined;
  const [, type = '', method = '', , bci, line] = match;
  return {
    module: '',
    class: type.replace(/\+(?=0x[0-9a-f]{1,16}$)/, '/'),
    method,
    file: '',
    line: line === undefined ? NO_LINE : Number(line),
    bci: Number(bci),
  };
}
