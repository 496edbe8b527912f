/** Which format an output has: by its option, or by the name of the file. */
import { UsageError } from '../base/errors.js';
import { phrase, theOption, theTransform } from '../base/phrase.js';
import type { Export, Format } from '../formats/format.js';
import { EXPORTS, FORMATS } from '../formats/registry.js';
import type { Recording } from '../models/recording.js';
import { isReport } from './report-names.js';

const KINDS: readonly (Format | Export)[] = [...FORMATS, ...EXPORTS];

/**
 * Whether a file of this name, in this format if given, may be a part of a recording that `EventCutter` writes. `of`: the format of the
 * recording; if it is not known yet, any.
 */
export function maybeCut(path: string, named: string | undefined, of?: string): boolean {
  const formats = FORMATS.filter((format) => isCut(format) && (of === undefined || of === format.id));
  if (named !== undefined) return formats.some(({ id }) => id === named);
  return formats.some((format) => path === '-' || hasEnding(path, format));
}

/** Whether an output of this name is a directory. */
export function endsAsFolder(path: string): boolean {
  return FORMATS.some(({ writer }) => writer?.set?.inFolder === true && hasEnding(path, writer.set));
}

/** Whether files of this name are a set that the format writes. */
export function endsAsSet(path: string, { writer }: Pick<Format, 'writer'>): boolean {
  return writer?.set !== undefined && hasEnding(path, writer.set);
}

function hasEnding(path: string, { extensions }: { readonly extensions: readonly string[] }): boolean {
  const plain = path.replace(/\.gz$/, '');
  return extensions.some((extension) => plain.endsWith(`.${extension}`));
}

/** What is behind the last dot of a name without `.gz`; a path without one as it is. */
function endingOf(path: string): string {
  const plain = path.replace(/\.gz$/, '');
  return plain.slice(plain.lastIndexOf('.') + 1);
}

/** The given format, else the one for the extension of `path`; for standard output, and an extension like that of the recording, its own. */
export function formatFor(recording: Recording, path: string, named: string | undefined): Writable {
  if (maybeCut(path, named) && (path !== '-' || named !== undefined))
    throw new UsageError(
      `cannot write ${recording.name} as ${named ?? path}: such files are written only from others of their format`,
      {
        code: 'other-format',
        advice: 'The stacks of any recording can be written as .collapsed and .speedscope.json.',
      },
    );
  if (named !== undefined) return formatNamed(named);
  const format = KINDS.find((candidate) =>
    path === '-'
      ? candidate.id === recording.format
      : hasEnding(path, candidate) || endsAsSet(path, candidate) || isReport(path, candidate),
  );
  if (format !== undefined && isWritable(format)) return format;
  const sameFormat = KINDS.find(({ id }) => id === recording.format);
  if (sameFormat !== undefined && isWritable(sameFormat) && endingOf(path) === endingOf(recording.name))
    return sameFormat;
  const endings = KINDS.filter(isCopied).flatMap(({ extensions, writer }) =>
    [...extensions, ...(writer?.set?.extensions ?? [])].map((extension) => `.${extension}`),
  );
  throw new UsageError(
    path === '-'
      ? `a recording in the format ${recording.format} cannot be written in that format`
      : `${path}: unknown output extension`,
    {
      code: 'unknown-output-format',
      advice: phrase`Use ${endings.join(', ')}, each also with .gz, or name the format with ${theOption('format', { choose: 'FORMAT' })}.`,
      action: { choose: ['format'] },
    },
  );
}

/** A format with a writer, of one file or of several. */
export type Writable = Export;

function isWritable(format: Format | Export): format is Writable {
  return format.writer !== undefined;
}

/** Whether `convert` writes files of a format. */
function isCopied(format: Format | Export): boolean {
  return isWritable(format) || isCut(format);
}

/** Whether chosen events of such files are written. */
function isCut({ events }: Pick<Format, 'events'>): boolean {
  return events?.cutter !== undefined;
}

/** Throws `UsageError` if `path` has the extension of another format than the one that `operation` writes. */
export function refuseOtherEnding(
  path: string,
  { id, extensions }: Pick<Format, 'id' | 'extensions'>,
  operation: string,
): void {
  const other = KINDS.filter(isCopied).find((format) => hasEnding(path, format));
  if (other === undefined || other.id === id) return;
  const first = `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}`;
  throw new UsageError(`${path}: ${operation} writes only .${extensions.join(', .')}`, {
    code: 'other-extension',
    advice: phrase`${first} first, then ${theTransform('convert')} the result.`,
  });
}

function formatNamed(id: string): Writable {
  const format = KINDS.find((each) => each.id === id);
  if (format !== undefined && isWritable(format)) return format;
  throw new UsageError(`cannot write the format '${id}'`, {
    code: 'unknown-output-format',
    advice: `Output formats: ${writableFormats().join(', ')}.`,
  });
}

/** Ids of the formats that any recording can be written in. */
export function writableFormats(): string[] {
  return KINDS.filter(isWritable).map(({ id }) => id);
}

/** The same, with those that `convert` writes from their own files only. */
export function convertedFormats(): string[] {
  return KINDS.filter(isCopied).map(({ id }) => id);
}
