/** `heap paths` of recordings without a heap dump: how the objects are held that the recorder sampled and found alive. */
import { heaviest } from '../../analysis/heap/merged-paths.js';
import { type SampledPaths, sampledPaths } from '../../analysis/heap/sampled-paths.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { OLD_OBJECT_EVENTS, type OldObjectEvents } from '../../models/events/memory.js';
import { REFERENCES, type ReferenceRows } from '../../models/heap/references.js';
import { lastDump } from '../../models/profile/moment.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { ViewInput } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { addressText, idOfAddress } from './choice.js';
import { classFilter } from './classes.js';

/** Options that only heap dumps can answer. */
interface HeapOptions {
  readonly without: readonly string[];
  readonly roots: 'vm' | 'mat';
  readonly sizes: 'vm' | 'mat';
}

/** Whether a recording has such objects, and no heap dump. */
export function hasSampledPaths({ recording }: Pick<ViewInput, 'recording'>): boolean {
  return recording.references !== undefined && (recording.heaps ?? []).length === 0;
}

interface Choice extends HeapOptions {
  readonly object?: string | undefined;
  readonly class?: string | undefined;
  readonly merge: boolean;
}

/** The rows of the paths, and notes. Throws `UsageError` if no object is selected. */
export async function sampledAnswer(input: ViewInput, choice: Choice) {
  const { program, references: table } = input.recording;
  if (choice.without.length > 0 || choice.roots !== 'vm' || choice.sizes !== 'vm')
    throw new UsageError(
      phrase`${theOption('without')}, ${theOption('roots')} and ${theOption('sizes')} need a heap dump: this recording has only paths that the VM chose`,
      { code: 'needs-heap-dump', action: { omit: ['without', 'roots', 'sizes'] } },
    );
  const events = OLD_OBJECT_EVENTS.of(input.profile);
  if (table === undefined || events === undefined)
    return { rows: [], total: 0, selected: 0, unreachable: 0, notes: [] };
  if (input.unscoped.has(OLD_OBJECT_EVENTS.kind))
    throw new UsageError('sampled objects of this recording cannot be selected by this scope', {
      code: 'not-in-scope',
    });
  const references = REFERENCES.rows(table);
  const selected = selectedRows(program, events, references, choice);
  const paths = await input.kept('sampled paths', bytesOfPaths, () =>
    sampledPaths({ events, selected, references }, choice.merge),
  );
  const shownNodes = heaviest(paths.parent, paths.objects, input.page.limit);
  const unreachable = selected.filter((row) => rootText(program, events, row) === null).length;
  return {
    rows: rowsOf(paths, shownNodes, { program, events, references, count: selected.length }),
    total: paths.length,
    selected: selected.length,
    unreachable,
    notes: [
      note(
        'old-objects-sampled',
        'The recorder sampled these objects when they were allocated, and found them alive; it keeps few of them.',
      ),
      ...(unreachable === 0
        ? []
        : [
            note(
              'no-roots',
              `The recording has no root of ${plural(unreachable, 'object')}: path-to-gc-roots=true records more of them.`,
            ),
          ]),
    ],
  };
}

/** Columns of a tree: five of eight bytes at most. */
function bytesOfPaths({ length }: SampledPaths): number {
  return 40 * length;
}

function selectedRows(
  program: Program,
  events: OldObjectEvents,
  references: ReferenceRows,
  { object, class: pattern }: Choice,
): number[] {
  const last = events.dump && lastDump(events.dump);
  const address = object === undefined ? undefined : idOfAddress({}, object);
  const isChosen = classFilter(program, pattern);
  const selected = Array.from(events.class.keys()).filter((row) => {
    if (last !== undefined && events.dump?.[row] !== last) return false;
    const type = events.class[row];
    if (pattern !== undefined && (type < 0 || !isChosen(type))) return false;
    return address === undefined || references.address[events.reference?.[row] ?? NONE] === address;
  });
  if (selected.length > 0) return selected;
  throw new UsageError(
    object === undefined
      ? `no sampled object is of a class that matches ${pattern}`
      : `no sampled object is at ${object}`,
    { code: 'nothing-matches' },
  );
}

/** The words of the recorder for the root; null if it found none. */
function rootText(program: Program, events: OldObjectEvents, row: number): string | null {
  const text = (key: 'root' | 'root_system' | 'root_description'): string => {
    const name = events[key]?.[row] ?? NONE;
    return name < 0 ? '' : stringAt(program.names, name);
  };
  const kind = text('root') === '<unknown>' ? '' : text('root');
  const words = [text('root_system'), kind, text('root_description')].filter((word) => word !== '');
  return words.length === 0 ? null : words.join(', ');
}

function rowsOf(
  tree: SampledPaths,
  shownNodes: readonly number[],
  source: {
    readonly program: Program;
    readonly events: OldObjectEvents;
    readonly references: ReferenceRows;
    readonly count: number;
  },
) {
  const { program, events, references, count } = source;
  const isOne = (at: number): boolean => tree.members[at] === 1;
  const address = (at: number): number => references.address[tree.reference[at]];
  const cells = {
    id: (at: number) => at,
    parent: (at: number) => tree.parent[at],
    depth: (at: number) => tree.depth[at],
    objects: (at: number) => tree.objects[at],
    share: (at: number) => share(tree.objects[at], count),
    shallow: (at: number) => (Number.isNaN(tree.bytes[at]) ? null : tree.bytes[at]),
    root: (at: number) => (tree.parent[at] < 0 ? rootText(program, events, tree.event[at]) : null),
    address: (at: number) => (isOne(at) && address(at) > 0 ? addressText({}, address(at)) : null),
    held: (at: number) => (tree.parent[at] < 0 ? null : heldText(program, references, tree.reference[at], isOne(at))),
    name: (at: number) => nameOf(program, references, tree.reference[at], tree.members[at]),
  };
  return rowsOfCells(cells, shownNodes);
}

/** `elementData`, `[5]`, `[…]` of several elements; with the number of objects between that are not recorded. */
function heldText(program: Program, { field, index, skipped }: ReferenceRows, row: number, isOne: boolean): string {
  const element = index[row] < 0 ? '' : isOne ? `[${index[row]}]` : '[…]';
  const name = field[row] < 0 ? element : stringAt(program.names, field[row]);
  return skipped[row] > 0 ? `${name} … ${plural(skipped[row], 'object')} not recorded` : name;
}

function nameOf(program: Program, { class: type, description }: ReferenceRows, row: number, members: number): string {
  const name = type[row] < 0 ? '<unknown class>' : className(program, type[row]);
  if (members > 1) return `${name} × ${members}`;
  return description[row] < 0 ? name : `${name} (${stringAt(program.names, description[row])})`;
}
