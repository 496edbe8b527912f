/** `heap histogram`: objects and bytes of each class at one moment. */
import { z } from 'zod';
import type { ClassLevel, ClassLevels } from '../../analysis/heap/class-levels.js';
import { accumulated, share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { formatCount, plural } from '../../base/units.js';
import type { Program } from '../../models/program/program.js';
import { columnsOf, common, detail, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { classFilter, dumpNotes, levelName, requireLevels } from './classes.js';

const row = z.object({
  bytes: number('Bytes', 'bytes', 'shallow size: bytes of the objects themselves, without referenced objects'),
  share: maybe('Bytes %', 'ratio', 'share of the bytes of all classes'),
  accum: detail(1, maybe('Accum %', 'ratio', 'share of this class and all larger ones')),
  objects: number('Objects', 'count', 'number of objects'),
  elements: detail(1, maybe('Elements', 'count', 'elements of all arrays of the class')),
  class: text('Class', 'class of the objects'),
  module: detail(2, text('Module', 'Java module or class loader, if known')),
});

export const histogramView = defineView({
  name: 'heap-histogram',
  version: 1,
  title: 'Class histogram',
  options: z.object({ class: z.string().optional() }),
  shape: {
    ...listingShape(row),
    dump: z.number().int().describe('number of the dump shown, from 1'),
    dumps: z.number().int().describe('dumps in the recording'),
    classes: z.number().int().describe('classes with objects, shown or not'),
    objects: z.number().describe('of all classes'),
    bytes: z.number().describe('of all classes'),
  },
  answer: (input, options) => {
    const { program } = input.recording;
    const levels = requireLevels(input);
    const all = levels.classes;
    const bytes = all.reduce((sum, level) => sum + level.bytes, 0);
    const sums = accumulated(all.map((level) => level.bytes));
    const wanted = classFilter(program, options.class);
    const shown = [...all.keys()].filter((i) => wanted(all[i].class));
    const cells = {
      bytes: (i: number) => all[shown[i]].bytes,
      share: (i: number) => share(all[shown[i]].bytes, bytes),
      accum: (i: number) => share(sums[shown[i]], bytes),
      objects: (i: number) => all[shown[i]].objects,
      elements: (i: number) => all[shown[i]].elements,
      class: (i: number) => levelName(program, all[shown[i]].class),
      module: (i: number) => moduleName(program, all[shown[i]]),
    };
    return {
      ...common(input, notes(levels, shown.length, options.class)),
      dump: levels.dump,
      dumps: levels.dumps,
      classes: all.length,
      objects: all.reduce((sum, level) => sum + level.objects, 0),
      bytes,
      ...listed(cells, {
        columns: columnsOf(row).filter(({ key }) => tells(program, all, key)),
        count: shown.length,
        page: input.page,
        usual: 'bytes',
      }),
    };
  },
});

/** Whether a column has values in this recording. */
function tells(program: Program, all: readonly ClassLevel[], key: string): boolean {
  if (key === 'elements') return all.some((level) => level.elements !== null);
  return key !== 'module' || program.classes.module !== undefined;
}

function moduleName(program: Program, level: ClassLevel): string {
  const module = program.classes.module?.[level.class] ?? -1;
  return module < 0 ? '' : stringAt(program.names, module);
}

function notes(levels: ClassLevels, shown: number, pattern: string | undefined): string[] {
  const all = levels.classes.length;
  const chosen =
    pattern === undefined
      ? []
      : [
          `${formatCount(shown)} of ${plural(all, 'class', 'classes')} ${shown === 1 ? 'matches' : 'match'}; shares refer to all.`,
        ];
  const several =
    levels.repeated === 0
      ? []
      : [
          `${plural(levels.repeated, 'class occurs', 'classes occur')} several times (several loaders); each is one row here.`,
        ];
  return [...dumpNotes(levels), ...chosen, ...several];
}
