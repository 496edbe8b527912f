/** `calls entries`: why methods are reached from outside, and how many only through each. */
import { z } from 'zod';
import { callDominatorsUse } from '../../analysis/callgraph/stages.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { functionSignature } from '../../models/program/names.js';
import { columnsOf, common, detail, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { requireGraph } from './choice.js';

const row = z.object({
  methods: number('Methods', 'count', 'methods that are reachable only through this one, itself included'),
  share: maybe('Methods %', 'ratio', 'share of the methods of the graph'),
  method: text('Entry', 'class, method and parameter types'),
  reason: detail(1, text('Reason', 'why it is an entry; empty if the report does not say')),
});

export const entriesView = defineView({
  name: 'calls-entries',
  version: 1,
  title: 'Entries',
  options: z.object({}),
  shape: { ...listingShape(row), methods: z.number().describe('methods of the graph') },
  needs: (input) => {
    requireGraph(input);
    return { dominators: callDominatorsUse(input.subject) };
  },
  answer: (input, _, { dominators }) => {
    const { program } = input.recording;
    const { entries, reasons, methods } = requireGraph(input);
    const cells = {
      methods: (i: number) => dominators.methods[entries.function[i]],
      share: (i: number) => share(dominators.methods[entries.function[i]], methods.length),
      method: (i: number) => functionSignature(program, entries.function[i]),
      reason: (i: number) => stringAt(reasons, entries.reason[i]),
    };
    return {
      ...common(input),
      methods: methods.length,
      ...listed(cells, { columns: columnsOf(row), count: entries.length, page: input.page, usual: 'methods' }),
    };
  },
});
