/** `source`: a source file, or the lines of one method, with what the recording knows of each line, also of those without. */
import { z } from 'zod';
import { MissingError, UsageError } from '../../base/errors.js';
import { sourcePlace } from '../../models/program/code.js';
import { common, listingShape } from '../listing.js';
import { METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { strayNotes } from '../pgo/fit.js';
import { type Code, defineView } from '../question.js';
import { classesBeside, FileLines, fileOf, targetOf, usualFile } from './file-lines.js';
import { NOTHING_OBSERVED, observedIn } from './observed.js';
import { metricBesideCode, valuesByPlace } from './place-values.js';
import { codeColumns, codeRow, pageRows } from './rows.js';

export const sourceView = defineView({
  name: 'source',
  version: 1,
  title: 'Annotated source',
  options: z.object({
    name: z.string(),
    metric: z.string().optional(),
    disasm: z.boolean().default(false),
  }),
  shape: {
    ...listingShape(codeRow),
    source: z.string().describe('the source file'),
    methods: z.array(z.string()).describe('the methods that were meant; empty where a whole file is shown'),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }).nullable(),
  },
  refuses: ['sort'],
  prepare: async (input, options, library): Promise<Code> => {
    if (library.sources === undefined)
      throw new UsageError('annotated source needs the source', 'Name where it is with --source-path PATH.');
    const { program } = input.recording;
    const target = targetOf(program, options.name, () => library.classes?.names() ?? []);
    const classes = await classesBeside(input, library, target.className);
    const file =
      classes?.get(target.className)?.sourceFile ?? fileOf(program, target.functions) ?? usualFile(target.className);
    const source = await library.sources.find(sourcePlace(target.className, file));
    if (source === undefined)
      throw new MissingError(
        `${library.sources.name} has no ${file} of ${target.className}`,
        'Is it the folder that packages begin in?',
      );
    return { source, ...(classes === undefined ? {} : { classes }) };
  },
  answer: (input, options) => {
    const { source } = input.code;
    if (source === undefined) throw new Error('source is answered from a source file');
    const { profile, recording, code } = input;
    const lines = new FileLines(recording, code.classes, source, options.name);
    lines.refuseWithoutCode();
    if (profile !== undefined) lines.refuseWithoutPlaces(recording.name);
    const metric = profile && metricBesideCode(recording, profile, options.metric);
    const values = profile && metric && valuesByPlace(profile, metric, (id) => lines.placeOf(id), lines.beyond + 1);
    const observed = profile ? observedIn(profile, recording.program, lines.functions, code.classes) : NOTHING_OBSERVED;
    const rows = lines.rows(values, observed.placed, options.disasm);
    const meant = lines.target.isMethod ? new Set(lines.target.functions) : lines.functions;
    const strays = strayNotes(observed.fit(meant), 'are left out of the lines');
    return {
      ...common(input, [...lines.notes(values), ...strays]),
      source: source.name,
      methods: lines.target.isMethod ? [options.name] : [],
      metric: values === undefined ? null : { ...metricOf(values.metric), sum: values.sum },
      columns: codeColumns(rows, values),
      total: rows.length,
      offset: input.page.offset,
      rows: pageRows(rows, input.page),
    };
  },
});
