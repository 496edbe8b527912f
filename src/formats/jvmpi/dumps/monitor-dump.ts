/**
 * MONITOR_DUMP (§4.4): monitors with owner and waiters, to bytes and back. The document has a pointer to the name of a raw monitor; in bytes that
 * leave the VM its name stands there, in UTF-8 with a zero behind it.
 */
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import { type DumpForm, DumpReader, DumpWriter } from './dump-bytes.js';

interface Holders {
  /** A thread; 0 if there is none. */
  readonly owner: number;
  readonly entries: number;
  readonly entering: readonly number[];
  readonly waiting: readonly number[];
}

export type MonitorRecord =
  | (Holders & { readonly tag: 0x01; readonly object: number })
  | (Holders & { readonly tag: 0x02; readonly name: string; readonly id: number });

export function writeMonitors(monitors: Iterable<MonitorRecord>, form: DumpForm): Uint8Array {
  const to = new DumpWriter(form);
  for (const monitor of monitors) {
    to.u1(monitor.tag);
    if (monitor.tag === 0x01) to.id(monitor.object);
    else {
      to.part(encodeUtf8(monitor.name));
      to.u1(0);
      to.id(monitor.id);
    }
    to.id(monitor.owner);
    to.u4(monitor.entries);
    for (const threads of [monitor.entering, monitor.waiting]) {
      to.u4(threads.length);
      for (const thread of threads) to.id(thread);
    }
  }
  return to.take();
}

/** Throws FormatError with the offset of what is not as described. */
export function readMonitors(bytes: Uint8Array, form: DumpForm): MonitorRecord[] {
  const from = new DumpReader(bytes, form);
  const monitors: MonitorRecord[] = [];
  while (from.left > 0) {
    const at = from.at;
    const tag = from.u1();
    if (tag === 0x01) monitors.push({ tag, object: from.id(), ...readHolders(from) });
    else if (tag === 0x02) monitors.push({ tag, name: readName(from), id: from.id(), ...readHolders(from) });
    else from.fail(at, 'the tag of a monitor', `0x${tag.toString(16)}`);
  }
  return monitors;
}

function readName(from: DumpReader): string {
  const end = from.bytes.indexOf(0, from.at);
  if (end < 0) return from.fail(from.at, 'a zero behind the name of a monitor', 'the end');
  const name = decodeUtf8(from.bytes, from.at, end);
  from.at = end + 1;
  return name;
}

function readHolders(from: DumpReader): Holders {
  const threads = (): number[] => Array.from({ length: from.count(from.form.idSize) }, () => from.id());
  const [owner, entries] = [from.id(), from.u4()];
  return { owner, entries, entering: threads(), waiting: threads() };
}
