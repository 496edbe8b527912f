/**
 * Reads the tables of a report (docs/formats/call-tree.md) of any size: a row is parsed in place, and becomes rows of the graph. Memory: a
 * window of 1 MiB; 29 bytes a call and 9 a target, twice that while columns grow; methods (`method-table.ts`).
 */
import { ByteInterner } from '../../../base/columns/hash.js';
import { FormatError } from '../../../base/errors.js';
import { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { MetadataEntry, Recording } from '../../../models/recording.js';
import type { FileSet } from '../../capabilities/sets.js';
import { splitPath } from '../../shared/member-paths.js';
import { Tables } from './rows.js';
import { SEVEN_TABLES, THREE_TABLES, tableFileOf } from './set-names.js';
import { readSeven } from './seven-tables.js';
import { readThree } from './three-tables.js';

/** Reads the files of a set, which are decompressed. Throws `FormatError` if there is no table of methods. */
export async function readCallTreeSet(tree: FileTree, set: FileSet, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const tables = new Tables(tree, set, problems, work);
  if (!tables.has('methods')) throw without(set);
  const isNew =
    (await tables.heading('methods')) === THREE_TABLES.methods ||
    (set.parts.has('invokes') && !set.parts.has('direct_edges'));
  const texts = new ByteInterner();
  const kept = await (isNew ? readThree(tables, texts) : readSeven(tables, texts));
  if (kept.program.functions.length === 0)
    throw new FormatError({
      format: 'call-tree',
      offset: 0,
      expected: `rows of methods in ${tables.nameOf('methods')}`,
      found: 'none that can be read',
    });
  const own: object = isNew ? THREE_TABLES : SEVEN_TABLES;
  const others = [...set.parts.keys()].filter((table) => !Object.hasOwn(own, table));
  if (others.length > 0)
    tables.problem('methods', {
      code: 'call-tree-table',
      severity: 'warning',
      message: `tables of another version of GraalVM beside it are not read: ${others.join(', ')}`,
    });
  return {
    name: tables.nameOf('methods'),
    format: 'call-tree',
    metadata: namedIn(set),
    ...kept,
    problems: problems.finish(),
    complete: !tables.lost,
  };
}

function without({ parts }: FileSet): FormatError {
  return new FormatError({
    format: 'call-tree',
    offset: 0,
    expected: 'the table of methods beside the other tables of the report',
    found: `only ${[...parts.keys()].join(', ')}`,
    advice: 'Open the directory with all tables of the report.',
  });
}

/** Image and time, as in the name of the table of methods. */
function namedIn(set: FileSet): MetadataEntry[] {
  const file = tableFileOf(splitPath(set.parts.get('methods') ?? '')[1]);
  return [
    { key: 'image', value: file?.image ?? '' },
    { key: 'time', value: file?.time ?? '' },
  ].filter(({ value }) => value !== '');
}
