/**
 * Names of reports, as the tool that writes them gives them: `call_tree_<image>_<yyyyMMdd_HHmmss>.txt`, with a link `call_tree.txt` to the
 * latest.
 */
import { UsageError } from '../base/errors.js';
import type { Format } from '../formats/format.js';
import type { Recording } from '../models/recording.js';

/** Image and time in the name of a report. */
const DATED = /^(.+)_(\d{8}_\d{6})\.\w+(?:\.gz)?$/;
/** What a name may end with. */
const ENDINGS = /(?:\.gz|\.txt|\.csv|\.call-tree|\.object-tree|\.hprof|\.zip|\.tar)+$/;

/** A part of a path after its last slash, and the folder with the slash. */
function split(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf('/') + 1;
  return [path.slice(0, at), path.slice(at)];
}

/** Whether a file has the name of a text report of a format. */
export function isReport(path: string, { writer }: Pick<Format, 'writer'>): boolean {
  const [, name] = split(path);
  const reports = writer?.reports;
  return reports !== undefined && name.startsWith(`${reports}_`) && /\.txt(?:\.gz)?$/.test(name);
}

/** The link to the latest report beside one that is written; undefined if the file has another name. */
export function reportLink(path: string, format: Pick<Format, 'writer'>): string | undefined {
  const [folder, name] = split(path);
  if (!isReport(path, format) || !DATED.test(name)) return undefined;
  return `${folder}${format.writer?.reports}.txt${name.endsWith('.gz') ? '.gz' : ''}`;
}

/** The output of a set of files: of one that is named as one of its parts, the name without the part's word. */
export function setOutput(output: string, parts: Iterable<string>, { writer }: Pick<Format, 'writer'>): string {
  const [folder, name] = split(output);
  if (writer?.reports === undefined) return output;
  for (const part of parts) {
    const before = `${writer.reports}_${part}`;
    if (!name.startsWith(`${before}_`)) continue;
    const whole = `${folder}${writer.reports}${name.slice(before.length)}`;
    if (writer.set?.fileName(part, whole) === output) return whole;
  }
  return output;
}

/**
 * The path of a report in `folder`: image and time are those of the report that was read, else the name of the input and `now`, in local
 * time. `tables`: as CSV. Throws `UsageError` for formats without such names.
 */
export function reportPath(
  folder: string,
  { name, metadata }: Pick<Recording, 'name' | 'metadata'>,
  { title, writer }: Pick<Format, 'title' | 'writer'>,
  { tables, now }: { readonly tables: boolean; readonly now: Date },
): string {
  const reports = writer?.reports;
  if (reports === undefined)
    throw new UsageError(`${folder} is a directory`, {
      code: 'is-directory',
      advice: `Give a file name in it for ${title}.`,
    });
  const known = (key: string): string | undefined => metadata.find((entry) => entry.key === key)?.value;
  const [, own] = split(name.replace(/\/+$/, ''));
  const [, dated, day] = DATED.exec(own) ?? [];
  const stem = (dated ?? own.replace(ENDINGS, '')).replace(/^(?:call_tree|object_tree)_(?=.)/, '');
  const image = known('image') ?? stem;
  const time = known('time') ?? day ?? stamp(now);
  const plain = image.replace(/[^\w.+-]/g, '_');
  return `${folder.replace(/\/*$/, '/')}${reports}_${plain === '' ? 'image' : plain}_${time}.${tables ? 'csv' : 'txt'}`;
}

/** `20261121_094728`. */
function stamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
