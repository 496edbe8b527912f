/**
 * labels.xml: spans of time that users named with `er_label`, `<id name="load" hostname="vm" tstamp="…" lbl_ts="1.5" relative="1" cmd="start"/>` and the
 * same with `cmd="stop"`, or with a comment.
 */
import type { ProblemLog } from '../../base/problems.js';
import { between, type ExperimentLog, nanoseconds, relativeTime } from './log.js';
import { eachTag } from './markup.js';

/** A range of time, in nanoseconds. */
export interface Span {
  readonly track: string;
  readonly from: number;
  readonly to: number;
}

export interface Labels {
  /** Nanoseconds since the process was recorded. */
  readonly spans: readonly Span[];
  readonly comments: readonly { readonly name: string; readonly text: string }[];
}

/** `lbl_ts` is since the start of the recording; without it, since the moment `tstamp` at which the command ran. */
const RELATIVE = '1';

export function readLabels(bytes: Uint8Array, file: string, log: ExperimentLog, problems: ProblemLog): Labels {
  const open = new Map<string, number>();
  const spans: Span[] = [];
  const comments: { name: string; text: string }[] = [];
  eachTag(bytes, file, problems, ({ name: tag, closes, attributes }) => {
    const name = attributes.get('name');
    if (tag !== 'id' || closes || name === undefined) return;
    const comment = attributes.get('comment');
    if (comment !== undefined) comments.push({ name, text: comment });
    const command = attributes.get('cmd') ?? '';
    const time = timeOf(attributes, log);
    if (time === undefined) return;
    if (command.startsWith('start')) {
      if (!open.has(name)) open.set(name, time);
      return;
    }
    const from = open.get(name);
    if (command === '' || from === undefined) return;
    spans.push({ track: `Label: ${name}`, from, to: Math.max(from, time) });
    open.delete(name);
  });
  return { spans, comments };
}

/** Undefined on a machine whose clock is not that of the recording. */
function timeOf(attributes: ReadonlyMap<string, string>, { start, system }: ExperimentLog): number | undefined {
  const text = attributes.get('lbl_ts') ?? '0';
  const own = text.startsWith('-') ? -(relativeTime(text.slice(1)) ?? 0) : relativeTime(text);
  if (own === undefined) return undefined;
  if (attributes.get('relative') === RELATIVE) return Math.max(0, own);
  const now = nanoseconds(attributes.get('tstamp'));
  if (now === undefined || start === undefined || attributes.get('hostname') !== system.get('hostname'))
    return undefined;
  return Math.max(0, own + between(start, now));
}
