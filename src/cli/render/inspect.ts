/** An object of a heap dump as a page of text: class and sizes, referrers and path from a root, then the table of its values. */
import { formatBytes, formatCount, plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import type { ResultOf } from '../../views/index.js';
import { asListing, type RenderOptions } from './render.js';
import { table } from './table.js';

type Inspected = ResultOf<'heap-inspect'>;
type Shown = NonNullable<Inspected['referrers']>['shown'][number];

export async function inspectPage(result: Inspected, { colour, width = 0 }: RenderOptions): Promise<string> {
  const { columns, rows } = asListing(result);
  const used = columns.filter(({ key }) => rows.some((row) => row[key] !== null));
  const values = rows.length === 0 ? '' : (await table('', { columns: used, rows }, colour, width)).text;
  // The table has a heading of its own, which this page's first line replaces.
  return `${headLines(result).join('\n')}\n${rows.length === 0 ? '' : `\n${values.slice(values.indexOf('\n') + 1)}`}`;
}

function headLines(result: Inspected): string[] {
  const { object } = result;
  return [
    `# ${readable(result.recording)}`,
    `${readable(object.object)} @ ${object.address}`,
    ...textLines(object),
    '',
    ...(object.shallow === null ? [] : [`  shallow    ${formatBytes(object.shallow)}`]),
    ...(result.graph ? [`  retained   ${retainedText(object) ?? 'nothing: no root leads to it'}`] : []),
    ...(object.elements === null ? [] : [`  elements   ${formatCount(object.elements)}`]),
    ...(object.loader === null ? [] : [`  loader     ${readable(object.loader)}`]),
    ...(result.roots.length === 0 ? [] : [`  root       ${result.roots.join(', ')}`]),
    ...stackLines(result),
    ...(result.allocated === null
      ? []
      : ['', 'Allocated in', ...result.allocated.map((frame) => `  ${readable(frame)}`)]),
    ...dominatorLines(result),
    ...pathLines(result),
    ...referrerLines(result),
  ];
}

/** Characters of a string that people see. */
const MOST_CHARACTERS = 200;

function textLines({ text }: Inspected['object']): string[] {
  if (text === null) return [];
  if (text.redacted) return [`  ${plural(text.length, 'character')}, all NUL: the dump seems to be redacted`];
  const beginning = text.text.slice(0, MOST_CHARACTERS);
  const more = text.length > beginning.length ? ` … (${formatCount(text.length)} characters)` : '';
  return [`  "${readable(beginning)}"${more}`];
}

function stackLines({ stack }: Inspected): string[] {
  if (stack === null) return [];
  const lines = stack.flatMap(({ frame, locals }) => [
    `  ${frame === null ? '<no known frame>' : readable(frame)}`,
    ...locals.map((local) => `      ${objectLine(local)}`),
  ]);
  return ['', 'Stack, with the objects that each frame holds', ...lines];
}

function retainedText({ retained, retained_objects: objects }: Omit<Shown, 'names'>): string | undefined {
  if (retained !== null) return formatBytes(retained);
  return objects === null ? undefined : plural(objects, 'object');
}

function objectLine(object: Omit<Shown, 'names'>): string {
  const retained = retainedText(object);
  return `${readable(object.object)} @ ${object.address}${retained === undefined ? '' : `, retains ${retained}`}`;
}

function namedLine(object: Shown): string {
  const names = object.names === null || object.names.length === 0 ? '' : ` by ${readable(object.names.join(', '))}`;
  return objectLine(object) + names;
}

function moreLine(total: number, listedCount: number): string[] {
  return total > listedCount ? [`  … and ${formatCount(total - listedCount)} more`] : [];
}

function dominatorLines({ dominators }: Inspected): string[] {
  if (dominators === null) return [];
  const { total, shown: objects } = dominators;
  if (total === 0) return ['', 'Only roots dominate it'];
  return ['', 'Dominated by', ...objects.map((one) => `  ${objectLine(one)}`), ...moreLine(total, objects.length)];
}

function pathLines({ path }: Inspected): string[] {
  if (path === null || path.total === 0) return [];
  const { total, shown: steps, roots } = path;
  const head = roots.length === 0 ? '' : `, held as ${roots.join(', ')}`;
  return [
    '',
    `Shortest path from a root${head}`,
    ...moreLine(total, steps.length),
    ...steps.map((one) => `  ${namedLine(one)}`),
  ];
}

function referrerLines({ referrers }: Inspected): string[] {
  if (referrers === null) return [];
  const { total, shown: objects } = referrers;
  if (total === 0) return ['', 'No object refers to it'];
  return ['', 'Referred to by', ...objects.map((one) => `  ${namedLine(one)}`), ...moreLine(total, objects.length)];
}
