/** `pgo types`: the types that a profile lists, also those without any count, with their numbers in the file. */
import { z } from 'zod';
import { type TypeSums, typeSums } from '../../analysis/coverage/symbol-sums.js';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { classHandle } from '../../analysis/identity/named-classes.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { type Note, note } from '../../base/note.js';
import { plural } from '../../base/units.js';
import { className } from '../../models/program/names.js';
import { CLASS_KINDS, type Program } from '../../models/program/program.js';
import { LISTED_TYPES_OPTIONS } from '../../questions/options/pgo.js';
import { classFilter } from '../heap/classes.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { requireSymbols } from './symbols.js';

const row = z.object({
  file_id: maybe('Id', 'none', 'number in the file'),
  methods: number('Methods', 'count', 'methods of the type that the profile lists'),
  calls: number('Calls', 'count', 'calls of these methods, over all contexts'),
  receivers: number('Virtual calls', 'count', 'virtual calls on objects of the type'),
  checks: detail(2, number('Type checks', 'count', 'type checks of objects of the type')),
  monitors: detail(1, number('Synchronised', 'count', 'monitors of its objects that were entered')),
  type: text('Type', 'as in Java sources'),
  handle: HANDLE,
});

export const typesView = defineView({
  name: 'pgo-types',
  version: 1,
  title: 'Types',
  options: LISTED_TYPES_OPTIONS,
  shape: listingShape(row),
  answer: async (input, options) => {
    const { program } = input.recording;
    const profile = requireSymbols(input);
    const sums = await input.kept('types', bytesOfSums, () => typeSums(profile, program));
    const rows = rowsWhere(program.classes.length, classFilter(program, options.class));
    const cells = {
      file_id: (i: number) => fileIdOf(program.classes, rows[i]),
      methods: (i: number) => sums.methods[rows[i]],
      calls: (i: number) => sums.calls[rows[i]],
      receivers: (i: number) => sums.receivers[rows[i]],
      checks: (i: number) => sums.checks[rows[i]],
      monitors: (i: number) => sums.monitors[rows[i]],
      type: (i: number) => className(program, rows[i]),
    };
    return {
      ...common(input, missingNotes(program, rows)),
      ...(await listed(cells, {
        columns: columnsOf(row),
        count: rows.length,
        input,
        usual: undefined,
        handle: (i) => classHandle(program, rows[i]),
      })),
    };
  },
});

function bytesOfSums({ calls }: TypeSums): number {
  return 36 * calls.length;
}

const MISSING = CLASS_KINDS.indexOf('missing');

/** Says how many types only records and signatures have. */
function missingNotes({ classes }: Program, types: Int32Array): Note[] {
  const missing = types.filter((id) => classes.kind[id] === MISSING).length;
  return missing === 0
    ? []
    : [
        note(
          'not-in-tables',
          `${plural(missing, 'type')} ${missing === 1 ? 'is' : 'are'} used by records or signatures, but not listed in the file: only the number is known.`,
          { about: { column: 'type' } },
        ),
      ];
}
