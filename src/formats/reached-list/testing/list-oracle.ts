/** What must be seen in a damaged list: a second reading by expressions on whole lines. Only the kind of the list is that of the probe. */
import { decodeUtf8 } from '../../../base/text.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { headOf } from '../../capabilities/probe.js';
import { type ListKind, listKindOf } from '../probe.js';

const TYPE = String.raw`[^,;()[\]]+(?:\[\])*`;
const METHOD = new RegExp(`^.+\\.[^.]+\\((?:${TYPE}(?:, ${TYPE})*)?\\):${TYPE}$`, 's');
/** Types of parameters or elements that are `void`. */
const VOID = /(?:\(|, )void(?:\[\])*(?:,|\):)[^(]*$|\):void\[[^(]*$/s;
const LOADER = /^(?:null|app|platform|err|[\w$.]+):/;

export interface PlainList {
  readonly names: ReadonlySet<string>;
  readonly faulty: boolean;
}

export function plainList(bytes: Uint8Array, { listed, flags }: ListKind): PlainList {
  const text = decodeUtf8(bytes, 0, bytes.length).replace(/^\ufeff/, '');
  const names = new Set<string>();
  let faulty = !text.endsWith('\n');
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  for (const whole of [...lines.map((line) => line.replace(/\r$/, '')), ...(rest === '' ? [] : [rest])]) {
    const tab = flags ? whole.lastIndexOf('\t') : whole.length;
    const name = whole.slice(0, Math.max(tab, 0));
    const own = name.replace(LOADER, '');
    const isName = listed === 'methods' ? METHOD.test(own) && !VOID.test(own) : own !== '' && !/[\0- ()]/.test(own);
    if (tab < 0 || !isName || names.has(name)) faulty = true;
    else names.add(name);
  }
  return { names, faulty };
}

export function listOracle(): Judge {
  return (mutated, outcome) => {
    const kind = listKindOf(headOf('list', mutated, true))?.kind;
    // Damage to loaders, and names whose bytes are no UTF-8, may be seen in two ways.
    const text = decodeUtf8(mutated, 0, mutated.length);
    if (
      kind === undefined ||
      text.includes('\ufffd') ||
      !text.split('\n').every((line) => line === '' || LOADER.test(line))
    )
      return { input: 'ambiguous' };
    const wanted = plainList(mutated, kind);
    const input = wanted.faulty ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return wanted.names.size === 0 ? { input } : { input, fault: { code: 'refused', detail: outcome.message } };
    const found = outcome.recording.sections[0]?.entries ?? -1;
    if (found !== wanted.names.size)
      return { input, fault: { code: 'differs', detail: `${wanted.names.size} names, ${found} read` } };
    if (outcome.problems.list.length > 0 === wanted.faulty) return { input };
    const detail = outcome.problems.list[0]?.message ?? 'nothing was reported';
    return { input, fault: { code: wanted.faulty ? 'silent' : 'false alarm', detail } };
  };
}

/** Offsets at which lines begin. */
export function listEdges(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => at === 0 || bytes[at - 1] === 10);
}
