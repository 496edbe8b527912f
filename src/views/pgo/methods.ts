/** `pgo methods`: the methods that a profile lists, also those that never ran, with their numbers in the file. */
import { z } from 'zod';
import { type MethodSums, methodSums } from '../../analysis/coverage/symbol-sums.js';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { functionHandle, functionsMatching } from '../../analysis/identity/named-functions.js';
import { originOf } from '../../analysis/origin.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { type Note, note } from '../../base/note.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { formatCount, plural } from '../../base/units.js';
import { className, functionSignature } from '../../models/program/names.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { LISTED_METHODS_OPTIONS, type RunState } from '../../questions/options/pgo.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  HEADLINES,
  listed,
  listingShape,
  maybe,
  maybeText,
  number,
  text,
} from '../listing.js';
import { defineView } from '../question.js';
import { requireSymbols } from './symbols.js';

const row = z.object({
  file_id: maybe('Id', 'none', 'number in the file'),
  state: text('State', 'ran; never: counted as never run; uncounted: it may have run'),
  calls: maybe('Calls', 'count', 'times the method ran, over all contexts; null if its calls were not counted'),
  contexts: detail(2, number('Contexts', 'count', 'contexts with counted calls of the method')),
  origin: detail(1, text('Origin', 'own, jdk, vm or profiler')),
  method: text('Method', 'class, name and parameter types'),
  returns: detail(1, maybeText('Returns', 'return type')),
  signature: detail(3, text('Signature', 'numbers of the declaring type, the return type and the parameter types')),
  handle: HANDLE,
});

const count = z.number().int();

export const methodsView = defineView({
  name: 'pgo-methods',
  version: 1,
  title: 'Methods',
  options: LISTED_METHODS_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    states: z
      .object({ ran: count, never: count, uncounted: count })
      .describe('methods in each state, before the option `state`'),
  },
  answer: async (input, { method, state }) => {
    const { program } = input.recording;
    const profile = requireSymbols(input);
    const sums = await input.kept('methods', bytesOfSums, () => methodSums(profile, program));
    const marks =
      method === undefined
        ? undefined
        : usingPattern(`not a regular expression: ${method}`, () => functionsMatching(program, method));
    const methods = rowsWhere(program.functions.length, (id) => marks === undefined || marks[id] === 1);
    const states = { ran: 0, never: 0, uncounted: 0 };
    for (const id of methods) states[stateOf(sums, id)]++;
    const rows = methods.filter((id) => state === undefined || state.includes(stateOf(sums, id)));
    const cells = {
      file_id: (i: number) => fileIdOf(program.functions, rows[i]),
      state: (i: number) => stateOf(sums, rows[i]),
      calls: (i: number) => (Number.isNaN(sums.calls[rows[i]]) ? null : sums.calls[rows[i]]),
      contexts: (i: number) => sums.contexts[rows[i]],
      origin: (i: number) => originOf(program, rows[i]),
      method: (i: number) => functionSignature(program, rows[i]),
      returns: (i: number) => returnsOf(program, rows[i]),
      signature: (i: number) => signatureOf(program, rows[i]),
    };
    return {
      ...common(input, missingNotes(program, methods)),
      headlines: [
        `${plural(methods.length, 'method')}: ${formatCount(states.ran)} ran, ${formatCount(states.never)} counted as never run, ${formatCount(states.uncounted)} not counted`,
      ],
      states,
      ...(await listed(cells, {
        columns: columnsOf(row),
        count: rows.length,
        input,
        usual: undefined,
        handle: (i) => functionHandle(program, rows[i]),
      })),
    };
  },
});

const STATE_OF = { ran: 'ran', zero: 'never', none: 'uncounted' } as const satisfies Record<string, RunState>;

function stateOf({ runs }: MethodSums, id: FunctionId): RunState {
  return STATE_OF[runs.ran(id)];
}

function bytesOfSums({ calls }: MethodSums): number {
  return 20 * calls.length;
}

/** The return type; null if the method has no signature. */
function returnsOf(program: Program, id: FunctionId): string | null {
  const { signature, signatureStart } = program.functions;
  const start = signatureStart[id];
  return start < signatureStart[id + 1] ? className(program, signature[start]) : null;
}

/** As the file has it: numbers of types, separated by commas; empty if the method has none. */
function signatureOf({ functions, classes }: Program, id: FunctionId): string {
  const types = functions.signature.subarray(functions.signatureStart[id], functions.signatureStart[id + 1]);
  const all = functions.class[id] < 0 ? [...types] : [functions.class[id], ...types];
  return all.map((type) => fileIdOf(classes, type) ?? '?').join(', ');
}

const MISSING = FUNCTION_KINDS.indexOf('missing');

/** Says how many methods only contexts have. */
function missingNotes({ functions }: Program, methods: Int32Array): Note[] {
  const missing = methods.filter((id) => functions.kind[id] === MISSING).length;
  return missing === 0
    ? []
    : [
        note(
          'not-in-tables',
          `${plural(missing, 'method')} ${missing === 1 ? 'is' : 'are'} used by contexts, but not listed in the file: only the number is known.`,
          { about: { column: 'method' } },
        ),
      ];
}
