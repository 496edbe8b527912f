/** The agent's monitors and threads at a moment (docs/jvmpi-wire.md), and a MONITOR_DUMP of them. */
import type { EventContents } from '../document/types.js';
import type { DumpForm } from '../dumps/dump-bytes.js';
import { type MonitorRecord, writeMonitors } from '../dumps/monitor-dump.js';
import type { WireReader } from './frames.js';
import { readTrace } from './records.js';

function readNumbers(from: WireReader): number[] {
  const numbers: number[] = [];
  for (let number = from.varint(); number !== 0; number = from.varint()) numbers.push(number);
  return numbers;
}

/** Throws WireError where the bytes are not as described. */
export function readMonitorDump(from: WireReader, form: DumpForm): EventContents['MONITOR_DUMP']['monitor_dump'] {
  const monitors: MonitorRecord[] = [];
  for (let object = from.varint(); object !== 0; object = from.varint()) {
    const [owner, entries] = [from.varint(), from.varint()];
    monitors.push({ tag: 0x01, object, owner, entries, entering: readNumbers(from), waiting: readNumbers(from) });
  }
  const threads_status: number[] = [];
  const traces = [];
  for (let env_id = from.varint(); env_id !== 0; env_id = from.varint()) {
    threads_status.push(from.varint());
    const frames = readTrace(from);
    traces.push({ env_id, num_frames: frames.length, frames });
  }
  return { data: writeMonitors(monitors, form), num_traces: traces.length, traces, threads_status };
}
