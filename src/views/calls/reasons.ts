/** `calls why` of a reachability trace: chains of reasons, from the first one to what was asked for. */
import { z } from 'zod';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theOption } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { askedRows, REASON_KINDS, type ReasonTable } from '../../models/callgraph/reason-table.js';
import { REASONS_OPTIONS } from '../../questions/options/calls.js';
import { columnsOf, common, listed, listingShape, maybeText, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';

const row = z.object({
  chain: number('Chain', 'count', 'number of the chain; each begins with another reason'),
  kind: text('', 'type, method, field, constant (an object of the image heap) or text'),
  how: maybeText('How', 'how it is reachable, in the words of the trace'),
  at: maybeText('At', 'place in the source; of a constant, where it was found'),
  element: text('Reason', 'what is reachable, below the reason for it'),
});

export const reasonsView = defineView({
  name: 'calls-reasons',
  version: 1,
  title: 'Why it is reachable',
  options: REASONS_OPTIONS,
  shape: {
    ...listingShape(row),
    elements: z.array(z.string()).describe('what was asked for, 100 at most'),
    chains: z.number().describe('chains in all: one for each first reason of each element'),
  },
  refuses: ['sort'],
  answer: async (input, options) => {
    const table = requireReasons(input);
    const { names } = input.recording.program;
    const startRows = options.element === undefined ? askedRows(table) : rowsNamed(input, table, options.element);
    const chainSets = startRows.map((start) => chainsTo(table, start));
    const shownChains = chainSets.flatMap((chains) =>
      options.chains === 0 ? chains : chains.slice(0, options.chains),
    );
    const chains = chainSets.reduce((sum, { length }) => sum + length, 0);
    const word = (id: number): string | null => (id < 0 ? null : stringAt(names, id));
    const lines = shownChains.flatMap(({ rows }, i) => rows.map((reason) => ({ chain: i + 1, reason })));
    const cells = {
      chain: (i: number) => lines[i].chain,
      kind: (i: number) => REASON_KINDS[table.kind[lines[i].reason]] ?? 'text',
      how: (i: number) => word(table.how[lines[i].reason]),
      at: (i: number) => word(table.place[lines[i].reason]),
      element: (i: number) => stringAt(names, table.name[lines[i].reason]),
    };
    const open = shownChains.filter(({ isWhole }) => !isWhole).length;
    return {
      ...common(input, [
        ...(chains > shownChains.length ? [moreChains(chains - shownChains.length)] : []),
        ...(open > 0
          ? [
              note(
                'no-further-reason',
                `${plural(open, 'chain')} shown: the trace has no further reason, since it prints equal reasons once.`,
              ),
            ]
          : []),
      ]),
      elements: [...new Set(startRows.map((at) => stringAt(names, table.name[at])))].slice(0, 100),
      chains,
      ...(await listed(cells, { columns: columnsOf(row), count: lines.length, input, usual: undefined })),
    };
  },
});

/** Throws `UsageError` for recordings without reasons. */
function requireReasons({ recording: { reasons, name, format } }: ViewInput): ReasonTable {
  if (reasons !== undefined) return reasons;
  throw new UsageError(`${name} has no trace of reasons: it is ${format}`, { code: 'no-reasons' });
}

/**
 * The rows of an element, of those with one name the row with its reasons: a whole name, with or without parameter types, the end of one,
 * or a regular expression. Throws `UsageError` if there is none.
 */
function rowsNamed({ recording: { program, name } }: ViewInput, table: ReasonTable, element: string): number[] {
  const byName = new Map<string, number>();
  for (let at = 0; at < table.length; at++) {
    if (REASON_KINDS[table.kind[at]] === 'text') continue;
    const elementName = stringAt(program.names, table.name[at]);
    if (!byName.has(elementName)) byName.set(elementName, table.expandedAt[at] < 0 ? at : table.expandedAt[at]);
  }
  const chosen = (is: (own: string) => boolean): number[] => [
    ...new Set([...byName].filter(([elementName]) => is(elementName)).map(([, at]) => at)),
  ];
  const without = (elementName: string): string => elementName.replace(/\(.*$/s, '');
  const exact = chosen((elementName) => elementName === element || without(elementName) === element);
  if (exact.length > 0) return exact;
  const ends = chosen(
    (elementName) => elementName.endsWith(`.${element}`) || without(elementName).endsWith(`.${element}`),
  );
  if (ends.length > 0) return ends;
  const pattern = usingPattern(`neither a name nor a regular expression: ${element}`, () => new RegExp(element, 'u'));
  const matching = chosen((elementName) => pattern.test(elementName));
  if (matching.length > 0) return matching;
  throw new UsageError(`nothing in ${name} matches ${element}`, {
    code: 'nothing-matches',
    advice: 'Types, methods and fields are named as in the trace.',
  });
}

interface Chain {
  /** From the first reason on. */
  readonly rows: readonly number[];
  /** False if the trace does not say more, although there must be a reason. */
  readonly isWhole: boolean;
}

/** The shortest chain from each first reason to a row: whole ones first, then the shortest; O(rows). */
function chainsTo(table: ReasonTable, start: number): Chain[] {
  const { parent, kind, expandedAt, length } = table;
  const reasons: number[][] = Array.from({ length }, () => []);
  for (let at = 0; at < length; at++) if (parent[at] >= 0) reasons[parent[at]]?.push(at);
  const predecessors = new Int32Array(length).fill(-1);
  const queue = [start];
  const seenRows = new Set(queue);
  const chains: Chain[] = [];
  for (const at of queue) {
    const expanded = expandedAt[at] < 0 ? at : expandedAt[at];
    const next = (reasons[expanded] ?? []).filter((reason) => !seenRows.has(reason));
    if ((reasons[expanded] ?? []).length === 0) {
      const reasonKind = REASON_KINDS[kind[at]];
      chains.push({ rows: back(predecessors, at), isWhole: reasonKind === 'text' || reasonKind === 'constant' });
    }
    for (const reason of next) {
      seenRows.add(reason);
      predecessors[reason] = at;
      queue.push(reason);
    }
  }
  return [...chains.filter(({ isWhole }) => isWhole), ...chains.filter(({ isWhole }) => !isWhole)];
}

function back(predecessors: Int32Array, end: number): number[] {
  const rows: number[] = [];
  for (let at = end; at >= 0; at = predecessors[at]) rows.push(at);
  return rows;
}

function moreChains(count: number): Note {
  return note('more-paths', phrase`${plural(count, 'more chain')}: ${theOption('paths', { value: 0 })} shows each.`, {
    action: { set: { paths: 0 } },
  });
}
