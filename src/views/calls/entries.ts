/** `calls entries`: why methods are reached from outside, and how many only through each. */
import { z } from 'zod';
import { reachedOnlyThrough } from '../../analysis/callgraph/only-through.js';
import { callIndexUse } from '../../analysis/callgraph/stages.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId } from '../../models/program/program.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { requireGraph } from './choice.js';

const row = z.object({
  methods: number('Methods', 'count', 'methods that no other entry leads to'),
  share: maybe('Methods %', 'ratio', 'share of the methods of the graph'),
  method: text('Entry', 'class, method and parameter types'),
  reason: detail(1, text('Reason', 'why it is an entry; empty if the report does not say')),
  handle: HANDLE,
});

export const entriesView = defineView({
  name: 'calls-entries',
  version: 2,
  title: 'Entries',
  options: NO_OPTIONS,
  shape: { ...listingShape(row), methods: z.number().describe('methods of the graph') },
  needs: (input) => {
    requireGraph(input);
    return { index: callIndexUse(input.subject) };
  },
  answer: async (input, _, { index }) => {
    const { program } = input.recording;
    const { entries, reasons, methods } = requireGraph(input);
    const { ofEntry, only } = await input.kept('only', bytesOfEntries, () => {
      const { ofEntry, count } = distinct(entries.function);
      return { ofEntry, only: reachedOnlyThrough(index, entries.function, ofEntry, count) };
    });
    const cells = {
      methods: (i: number) => only[ofEntry[i]],
      share: (i: number) => share(only[ofEntry[i]], methods.length),
      method: (i: number) => functionSignature(program, entries.function[i]),
      reason: (i: number) => stringAt(reasons, entries.reason[i]),
    };
    return {
      ...common(input),
      methods: methods.length,
      ...(await listed(cells, {
        columns: columnsOf(row),
        count: entries.length,
        input,
        usual: 'methods',
        handle: (i) => functionHandle(program, entries.function[i]),
      })),
    };
  },
});

/** By entry: its method; by method: what only it leads to. */
interface OnlyThrough {
  readonly ofEntry: Int32Array;
  readonly only: Int32Array;
}

function bytesOfEntries({ ofEntry, only }: OnlyThrough): number {
  return ofEntry.byteLength + only.byteLength;
}

/** Numbers from 0 of the methods; entries of the same method, with two reasons, have the same. */
function distinct(functions: Int32Array): { readonly ofEntry: Int32Array; readonly count: number } {
  const groupOf = new Map<FunctionId, number>();
  const ofEntry = functions.map((id) => {
    const group = groupOf.get(id) ?? groupOf.size;
    groupOf.set(id, group);
    return group;
  });
  return { ofEntry, count: groupOf.size };
}
