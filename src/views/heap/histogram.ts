/** `heap histogram`: objects and bytes of each class, package or class loader at one moment. */
import { z } from 'zod';
import type { ClassLevel, ClassLevels } from '../../analysis/heap/class-levels.js';
import { classHandle } from '../../analysis/identity/named-classes.js';
import { type Note, note } from '../../base/note.js';
import { accumulated, share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { formatCount, plural } from '../../base/units.js';
import type { Program } from '../../models/program/program.js';
import { HISTOGRAM_OPTIONS } from '../../questions/options/heap.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { NO_SIZES } from './choice.js';
import { classFilter, dumpNotes, requireLevels } from './classes.js';
import { levelRows } from './level-groups.js';

const row = z.object({
  bytes: maybe(
    'Bytes',
    'bytes',
    'shallow size: bytes of the objects themselves, without referenced objects; null if the file has no sizes',
  ),
  share: maybe('Bytes %', 'ratio', 'share of the bytes of all classes; of the objects if the file has no sizes'),
  accum: detail(1, maybe('Accum %', 'ratio', 'share of this class and all larger ones')),
  objects: number('Objects', 'count', 'number of objects'),
  elements: detail(1, maybe('Elements', 'count', 'elements of all arrays of the class')),
  class: text('Class', 'class of the objects, or name of the group'),
  module: detail(2, text('Module', 'Java module or class loader, if known')),
  handle: HANDLE,
});

export const histogramView = defineView({
  name: 'heap-histogram',
  version: 1,
  title: 'Class histogram',
  options: HISTOGRAM_OPTIONS,
  shape: {
    ...listingShape(row),
    dump: z.number().int().describe('number of the dump shown, from 1'),
    dumps: z.number().int().describe('dumps in the recording'),
    classes: z.number().int().describe('classes with objects, shown or not'),
    objects: z.number().describe('of all classes'),
    bytes: z.number().nullable().describe('of all classes; null if the file has no sizes'),
  },
  answer: async (input, options) => {
    const { program } = input.recording;
    const levels = requireLevels(input);
    const isSized = levels.classes.some((level) => level.bytes !== null);
    // Shares of objects where sizes are unknown.
    const weight = (level: ClassLevel): number => (isSized ? (level.bytes ?? 0) : level.objects);
    const total = levels.classes.reduce((sum, level) => sum + weight(level), 0);
    const every = levelRows(input, levels, () => true, options.by);
    const sums = accumulated(every.map(weight));
    const upTo = new Map(every.map((level, i) => [level.class, sums[i]]));
    const isChosen = classFilter(program, options.class, input.base?.recording.program);
    const shownLevels = options.class === undefined ? every : levelRows(input, levels, isChosen, options.by);
    const chosen = levels.classes.filter((level) => isChosen(level.class)).length;
    const cells = {
      bytes: (i: number) => shownLevels[i].bytes,
      share: (i: number) => share(weight(shownLevels[i]), total),
      accum: (i: number) => (options.by === 'class' ? share(upTo.get(shownLevels[i].class) ?? 0, total) : null),
      objects: (i: number) => shownLevels[i].objects,
      elements: (i: number) => shownLevels[i].elements,
      class: (i: number) => shownLevels[i].name,
      module: (i: number) => moduleName(program, shownLevels[i]),
    };
    return {
      ...common(input, notes(levels, chosen, options)),
      dump: levels.dump,
      dumps: levels.dumps,
      classes: levels.classes.length,
      objects: levels.classes.reduce((sum, level) => sum + level.objects, 0),
      bytes: isSized ? total : null,
      ...(await listed(cells, {
        columns: columnsOf(row)
          .filter(({ key }) => tells(program, every, key, options.by))
          .map((column) => {
            if (column.key === 'class') return { ...column, title: TITLES[options.by] };
            return isSized || column.key !== 'share' ? column : { ...column, title: 'Objects %' };
          }),
        count: shownLevels.length,
        input,
        usual: isSized ? 'bytes' : 'objects',
        handle: (i) => (options.by === 'class' ? classHandle(program, shownLevels[i].class) : undefined),
      })),
    };
  },
});

/** Whether a column has values in this recording. */
function tells(program: Program, all: readonly ClassLevel[], key: string, by: keyof typeof TITLES): boolean {
  if (key === 'accum' && by !== 'class') return false;
  if (key === 'bytes') return all.length === 0 || all.some((level) => level.bytes !== null);
  if (key === 'elements') return all.some((level) => level.elements !== null);
  return key !== 'module' || (by === 'class' && program.classes.module !== undefined);
}

const TITLES = { class: 'Class', package: 'Package', loader: 'Loader' };

function moduleName(program: Program, level: ClassLevel): string {
  const module = level.class < 0 ? -1 : (program.classes.module?.[level.class] ?? -1);
  return module < 0 ? '' : stringAt(program.names, module);
}

function notes(
  levels: ClassLevels,
  shownCount: number,
  { class: pattern, by }: { readonly class?: string | undefined; readonly by: keyof typeof TITLES },
): Note[] {
  const unsized = levels.classes.length > 0 && levels.classes.every(({ bytes }) => bytes === null);
  const all = levels.classes.length;
  const chosen =
    pattern === undefined
      ? []
      : [
          note(
            'matching',
            `${formatCount(shownCount)} of ${plural(all, 'class', 'classes')} ${shownCount === 1 ? 'matches' : 'match'}; shares refer to all.`,
          ),
        ];
  const several =
    levels.repeated === 0 || by !== 'class'
      ? []
      : [
          note(
            'several-loaders',
            `${plural(levels.repeated, 'class occurs', 'classes occur')} several times (several loaders); each is one row here.`,
          ),
        ];
  return [...dumpNotes(levels), ...chosen, ...several, ...(unsized ? [NO_SIZES] : [])];
}
