/** `calls methods` and `calls entries --by`: methods and entries of a report by package, class, loader, module or reason. */
import { z } from 'zod';
import { reachedOnlyThrough } from '../../analysis/callgraph/only-through.js';
import { callIndexUse } from '../../analysis/callgraph/stages.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { phrase, theInput } from '../../base/phrase.js';
import { knownSum, share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { className } from '../../models/program/names.js';
import type { FunctionId } from '../../models/program/program.js';
import { ENTRY_GROUPS, type EntryGrouping, GROUPS_OPTIONS } from '../../questions/options/calls.js';
import { columnsOf, common, listed, listingShape, maybe, number, text } from '../listing.js';
import { groupName } from '../method-groups.js';
import { defineView, type ViewInput } from '../question.js';
import { requireGraph } from './choice.js';

const row = z.object({
  methods: maybe('Methods', 'count', 'methods of the report in the group; null for reasons'),
  share: maybe('Methods %', 'ratio', 'share of the methods of the report'),
  code_bytes: maybe('Code', 'bytes', 'machine code of these methods; null if the report has no sizes'),
  entries: number('Entries', 'count', 'entries in the group'),
  only: number('Reached only so', 'count', 'methods that entries of other groups do not lead to'),
  name: text('Name', 'package, class, module, loader or reason'),
});

export const callGroupsView = defineView({
  name: 'calls-groups',
  version: 1,
  title: 'Methods and entries by group',
  options: GROUPS_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(ENTRY_GROUPS),
    methods: z.number().describe('methods of the report'),
    entries: z.number().describe('entries of the report'),
  },
  needs: (input, { by }) => {
    requireGraph(input);
    if (by === 'module' && input.library.classes === undefined)
      throw new UsageError('modules are unknown: reports have none', {
        code: 'needs-classes',
        advice: phrase`Pass the classes of the program: ${theInput('classes', { choose: 'PATH' })}.`,
        action: { give: ['classes'] },
      });
    return { index: callIndexUse(input.subject) };
  },
  answer: async (input, { show, by }, { index }) => {
    const graph = requireGraph(input);
    const { only, ...groups } = await input.kept('groups', bytesOfGroups, () => {
      const groups = groupsOf(input, graph, by);
      const only = reachedOnlyThrough(index, graph.entries.function, groups.ofEntry, groups.names.length);
      return { ...groups, only };
    });
    const rows = groups.rows.filter(
      (group) => (show === 'entries' ? groups.entries[group] : groups.methods[group]) > 0,
    );
    const isMissing = by === 'reason';
    const cells = {
      methods: (i: number) => (isMissing ? null : groups.methods[rows[i]]),
      share: (i: number) => (isMissing ? null : share(groups.methods[rows[i]], graph.methods.length)),
      code_bytes: (i: number) => known(groups.code[rows[i]]),
      entries: (i: number) => groups.entries[rows[i]],
      only: (i: number) => only[rows[i]],
      name: (i: number) => groups.names[rows[i]],
    };
    const hidden = new Set([
      ...(isMissing ? ['methods', 'share'] : []),
      ...(graph.codeBytes === undefined || isMissing ? ['code_bytes'] : []),
      ...(graph.entries.length === 0 ? ['entries', 'only'] : []),
    ]);
    const columns = columnsOf(row).filter(({ key }) => !hidden.has(key));
    return {
      ...common(input),
      by,
      methods: graph.methods.length,
      entries: graph.entries.length,
      ...(await listed(cells, {
        columns,
        count: rows.length,
        input,
        usual: show === 'entries' ? 'only' : 'methods',
      })),
    };
  },
});

function known(sum: number): number | null {
  return Number.isNaN(sum) ? null : sum;
}

interface Groups {
  readonly rows: readonly number[];
  readonly names: readonly string[];
  /** By group. `code` is NaN where no size is known. */
  readonly methods: Int32Array;
  readonly entries: Int32Array;
  readonly code: Float64Array;
  readonly ofEntry: Int32Array;
}

/** Four numbers and a name of each group. */
function bytesOfGroups({ names, ofEntry }: Groups): number {
  return 100 * names.length + ofEntry.byteLength;
}

function groupsOf(input: ViewInput, { methods, entries, reasons, codeBytes }: CallGraph, by: EntryGrouping): Groups {
  const groupIds = new Map<string, number>();
  const names: string[] = [];
  const group = (name: string): number => {
    let id = groupIds.get(name);
    if (id === undefined) {
      id = names.push(name) - 1;
      groupIds.set(name, id);
    }
    return id;
  };
  const nameOf = namesBy(input, by);
  const ofMethod = by === 'reason' ? new Int32Array(0) : methods.map((id) => group(nameOf(id)));
  const reasonOf = (i: number) => group(stringAt(reasons, entries.reason[i]) || '<no reason in the report>');
  const ofEntry = Int32Array.from(entries.function, (id, i) => (by === 'reason' ? reasonOf(i) : group(nameOf(id))));
  const code = new Float64Array(names.length).fill(Number.NaN);
  for (const [i, id] of ofMethod.entries()) code[id] = knownSum(code[id], codeBytes?.[i] ?? Number.NaN);
  const counted = (groupOf: Int32Array): Int32Array => {
    const counts = new Int32Array(names.length);
    for (const id of groupOf) counts[id]++;
    return counts;
  };
  return { rows: [...names.keys()], names, methods: counted(ofMethod), entries: counted(ofEntry), code, ofEntry };
}

/** The name of a method's group; each class is named once. */
function namesBy(input: ViewInput, by: EntryGrouping): (id: FunctionId) => string {
  const { program } = input.recording;
  const { classes, functions, names } = program;
  const typeNames = new Map<number, string>();
  const nameOf = (type: number): string => {
    if (by === 'loader') {
      const loader = type < 0 ? NONE : (classes.module?.[type] ?? NONE);
      return loader < 0 ? '<unknown loader>' : stringAt(names, loader);
    }
    return groupName(by === 'reason' ? 'class' : by, className(program, type), () => '', input.library.classes);
  };
  return (id) => {
    const type = functions.class[id];
    const name = typeNames.get(type) ?? nameOf(type);
    typeNames.set(type, name);
    return name;
  };
}
