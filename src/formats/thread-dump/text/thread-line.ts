/** The lines of a thread other than its header, its frames and its locks; without indentation, which means nothing. */
import { AGENT_WORDS } from '../dialects/agent.js';
import type { ThreadHeader } from './header.js';

export type ThreadLine =
  | { readonly kind: 'state'; readonly status: string }
  | { readonly kind: 'synchronizers' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'carrying'; readonly status: string }
  | { readonly kind: 'mounted'; readonly number: number };

const STATE = 'java.lang.Thread.State: ';
const OWNED = /^(?:Locked ownable synchronizers:|Number of locked synchronizers = \d{1,9})$/;
const MOUNTED = /^Mounted virtual thread #(\d{1,15})$/;
const CARRYING = /^(Carrying virtual thread #\d{1,15})$/;
/** The VM's lines about its compiler threads. */
const WORK = /^(?:No compile task|Compiling: )/;
/** `ThreadInfo` leaves out frames behind the eighth. */
const CUT = '...';

/** The state that a line gives; undefined for other text. */
export function statusIn(text: string): string | undefined {
  return text.startsWith(STATE) ? text.slice(STATE.length).trimEnd() : undefined;
}

/** What a line says of its thread, in a dump with threads of this writer; undefined for other text. */
export function threadLine(text: string, by: ThreadHeader['by']): ThreadLine | undefined {
  const status = statusIn(text);
  if (status !== undefined) return { kind: 'state', status };
  if (OWNED.test(text)) return { kind: 'synchronizers' };
  if (text === CUT && by === 'management') return { kind: 'cut' };
  const carrying = CARRYING.exec(text)?.[1];
  if (carrying !== undefined) return { kind: 'carrying', status: carrying };
  const mounted = MOUNTED.exec(text)?.[1];
  if (mounted !== undefined) return { kind: 'mounted', number: Number(mounted) };
  return WORK.test(text) || (by === 'agent' && AGENT_WORDS.test(text)) ? { kind: 'empty' } : undefined;
}
