/** Call tree reports of GraalVM as tables in a tree, recognised by file names. */
import type { Claim, FileSet, NamedMembers } from '../format.js';
import { memberPaths, splitPath } from '../shared/member-paths.js';

/** Report name, then optionally the image and the time; links without them are in the same folder. */
const TABLE =
  /^(?:csv_)?call_tree_(methods|invokes|targets|vm|virtual_methods|entry_points|direct_edges|virtual_edges|override_by_edges)((?:_.{1,200}?)?)\.csv(?:\.gz)?$/;

interface CallTreeSet extends FileSet {
  readonly report: string;
  readonly parts: Map<string, string>;
}

/** The tables of call tree reports; time: linear in the number of members. */
export function claimCallTrees(tree: NamedMembers): Claim | undefined {
  const sets = new Map<string, CallTreeSet>();
  for (const path of memberPaths(tree)) {
    const [folder, name] = splitPath(path);
    const match = TABLE.exec(name);
    const table = match?.[1];
    if (table === undefined) continue;
    const report = match?.[2] ?? '';
    const key = `${folder}/${report}`;
    const set = sets.get(key) ?? { folder, report, parts: new Map<string, string>() };
    set.parts.set(table, path);
    sets.set(key, set);
  }
  const whole = [...sets.values()].filter((set) => generation(set.parts) !== undefined);
  const dated = whole.filter((set) => set.report !== '' || !whole.some((other) => twin(set, other)));
  const first = dated[0];
  if (first === undefined) return undefined;
  return {
    title: 'GraalVM call tree report as tables (CSV)',
    because: `the tables ${[...first.parts.keys()].sort().join(', ')}, written ${generation(first.parts)}`,
    recordings: dated.map(({ folder, parts }) => ({ folder, parts })),
  };
}

/** Links without image and time refer to the newest report beside them. */
function twin(link: CallTreeSet, other: CallTreeSet): boolean {
  return other !== link && other.report !== '' && other.folder === link.folder;
}

function generation(parts: ReadonlyMap<string, string>): string | undefined {
  if (!parts.has('methods')) return undefined;
  if (parts.has('invokes') && parts.has('targets')) return 'by GraalVM 24.1 or later';
  return parts.has('direct_edges') && parts.has('virtual_edges') ? 'by GraalVM before 24.1' : undefined;
}
