/**
 * `source`: a source file, or the lines of one method, with the recording's values of each line, also lines without
 * values.
 */
import { z } from 'zod';
import { exclusiveUse } from '../../analysis/stacks/stages.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { phrase, theInput } from '../../base/phrase.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type Stage, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { type SourceFinder, type SourceText, sourcePlace } from '../../models/program/code.js';
import { SOURCE_OPTIONS } from '../../questions/options/recording.js';
import { common, listingShape } from '../listing.js';
import { METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { strayNotes } from '../pgo/fit.js';
import { defineView, type ViewInput } from '../question.js';
import { sourceBytes } from './disasm.js';
import { classesBeside, FileLines, fileOf, targetOf, usualFile } from './file-lines.js';
import { NativeInstructions, type NativeListing, nativeListingStage } from './native-disasm.js';
import { NativeLines, type NativeSource, nativeSourceStage, nativeTarget, unknownName } from './native-source.js';
import { NOTHING_OBSERVED, observedIn } from './observed.js';
import { metricBesideCode, type PlaceValues, valuesByPlace } from './place-values.js';
import { codeColumns, codeRow, pageRows } from './rows.js';

export const sourceView = defineView({
  name: 'source',
  version: 1,
  title: 'Annotated source',
  options: SOURCE_OPTIONS,
  shape: {
    ...listingShape(codeRow),
    source: z.string().describe('the source file'),
    methods: z.array(z.string()).describe('the selected methods; empty if a whole file is shown'),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }).nullable(),
  },
  refuses: ['sort'],
  needs: (input, { name, metric: id, disasm }) => {
    const { classes, sources, disassembler } = input.library;
    const metric = metricBesideCode(input, id);
    const exclusive = metric && exclusiveUse(input.subject, metric);
    if (nativeTarget(input.recording.program, name) !== undefined) {
      const native = use(nativeSourceStage, [input.subject], { sources, name });
      if (!disasm) return { native, exclusive };
      if (disassembler === undefined)
        throw new UsageError('native code needs a disassembler, and this session was opened without one', {
          code: 'needs-disassembler',
        });
      const listingChoice = { sources, disassembler, name, files: true };
      return { native, listing: use(nativeListingStage, [input.subject], listingChoice), exclusive };
    }
    if (sources === undefined)
      throw unknownName(input.recording.program, name, 'source path', {
        code: 'needs-sources',
        advice: phrase`Pass the source folder or archive with ${theInput('sources', { choose: 'PATH' })}.`,
        action: { give: ['sources'] },
      });
    return { file: use(sourceStage, [input.subject], { classes, sources, name }), exclusive };
  },
  answer: (input, options, { file, native, listing, exclusive }) => {
    if (native !== undefined) return nativeAnswer(input, options, { native, listing, exclusive });
    if (file === undefined) throw new Error('source: neither bytecode nor native code');
    const { source, classes } = file;
    const { profile, recording } = input;
    const lines = new FileLines(recording, classes, source, options.name);
    lines.refuseWithoutCode();
    if (profile !== undefined) lines.refuseWithoutPlaces(recording.name);
    const metric = metricBesideCode(input, options.metric);
    const values =
      profile &&
      metric &&
      exclusive &&
      valuesByPlace(profile, metric, exclusive, (id) => lines.placeOf(id), lines.beyond + 1);
    const observed = profile ? observedIn(profile, recording.program, lines.functions, classes) : NOTHING_OBSERVED;
    const rows = lines.rows(values, observed.placed, options.disasm);
    const meant = lines.target.isMethod ? new Set(lines.target.functions) : lines.functions;
    const strays = strayNotes(observed.fit(meant), 'are not in the lines');
    return {
      ...common(input, [...lines.notes(values, options.error), ...strays]),
      source: source.name,
      methods: lines.target.isMethod ? [options.name] : [],
      metric: values === undefined ? null : { ...metricOf(values.metric), sum: values.sum },
      columns: codeColumns(rows, values, options.error),
      total: rows.length,
      offset: input.page.offset,
      rows: pageRows(rows, input.page),
    };
  },
});

/** The answer for native code; `listing`: with its instructions. */
function nativeAnswer(
  input: ViewInput,
  { name, metric: id, error }: { readonly name: string; readonly metric?: string | undefined; readonly error: boolean },
  { native, listing, exclusive }: NativeValues,
) {
  const { profile, recording } = input;
  const target = nativeTarget(recording.program, name);
  if (target === undefined)
    throw new MissingError(`the recording has no function or source file ${name}`, { code: 'no-function' });
  const lines = new NativeLines(recording.program, target, native);
  const code = listing && new NativeInstructions(recording.program, listing);
  const metric = metricBesideCode(input, id);
  const valuesOf = (placeOf: (location: number) => number, count: number): PlaceValues | undefined =>
    profile && metric && exclusive && valuesByPlace(profile, metric, exclusive, placeOf, count);
  const values = valuesOf((at) => lines.placeOf(at), lines.beyond + 1);
  const ofCode = code && valuesOf((at) => code.placeOf(at), code.count);
  const rows = lines.rows(values, code && ((from, to) => code.byLine(ofCode, from, to)));
  return {
    ...common(input, lines.notes(values, error)),
    source: native.source.name,
    methods: target.isFunction ? [name] : [],
    metric: values === undefined ? null : { ...metricOf(values.metric), sum: values.sum },
    columns: codeColumns(rows, values, error),
    total: rows.length,
    offset: input.page.offset,
    rows: pageRows(rows, input.page),
  };
}

/** What the answer for native code is made of. */
interface NativeValues {
  readonly native: NativeSource;
  readonly listing: NativeListing | undefined;
  readonly exclusive: Float64Array | undefined;
}

/** A source file and the classes compiled from it. */
interface SourceFile {
  readonly source: SourceText;
  readonly classes: ClassSet | undefined;
}

interface SourceWanted {
  readonly classes: ClassPath | undefined;
  readonly sources: SourceFinder;
  readonly name: string;
}

const sourceStage: Stage<SourceFile, SourceWanted> = {
  name: 'source file',
  version: 1,
  key: ({ classes, sources, name }) => JSON.stringify([classes?.id, sources.id, name]),
  run: async ([{ snapshot }], { classes: path, sources, name }, _, work) => {
    const { program } = snapshot.recording;
    const target = targetOf(program, name, () => path?.names() ?? []);
    const classes = await classesBeside(path, target.className, work);
    const file =
      classes?.get(target.className)?.sourceFile ?? fileOf(program, target.functions) ?? usualFile(target.className);
    const source = await sources.find(sourcePlace(target.className, file));
    if (source === undefined)
      throw new MissingError(`${sources.name} has no ${file} of ${target.className}`, {
        code: 'no-source',
        advice: phrase`${theInput('sources')} must be the folder that contains the top-level packages.`,
        action: { give: ['sources'] },
      });
    return { source, classes };
  },
  bytes: ({ source, classes }) => sourceBytes(source) + (classes?.bytes ?? 0),
};
