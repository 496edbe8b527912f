/** What a directory or an archive holds, told by the names of its members: an experiment, or the tables of a call tree. */

/** The little of a file tree that is needed here. */
export interface NamedMembers {
  readonly members: readonly { readonly path: string }[];
}

export interface TreeGuess {
  /** Id of the format or kind, as in the tables of formats. */
  readonly id: 'experiment' | 'call-tree-csv';
  readonly title: string;
  readonly because: string;
  /** The recordings in the tree, in the order of their paths. */
  readonly recordings: readonly TreeRecording[];
}

export interface TreeRecording {
  /** Folder of the recording without a slash at its end; empty for the tree itself. */
  readonly folder: string;
  /** Paths of its members by role: a file name of the experiment, or a table such as `methods`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Throws nothing; undefined where the tree is neither. Time: linear in the number of members. */
export function detectTree(tree: NamedMembers): TreeGuess | undefined {
  const paths = tree.members.map((member) => member.path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
  return detectExperiments(paths) ?? detectCallTrees(paths);
}

function split(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [slash < 0 ? '' : path.slice(0, slash), path.slice(slash + 1)];
}

/** A folder with log.xml beside map.xml or overview; those within it are its descendants and come with it. */
function detectExperiments(paths: readonly string[]): TreeGuess | undefined {
  const folders = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const [folder, name] = split(path);
    const files = folders.get(folder) ?? new Map<string, string>();
    if (name !== '') files.set(name, path);
    folders.set(folder, files);
  }
  const found = new Set<string>();
  for (const [folder, files] of folders) {
    if (files.has('log.xml') && (files.has('map.xml') || files.has('overview'))) found.add(folder);
  }
  const founders = [...found].filter((folder) => !parents(folder).some((parent) => found.has(parent))).sort();
  const first = founders[0];
  if (first === undefined) return undefined;
  const descendants = found.size - founders.length;
  const more = descendants === 0 ? '' : `, and ${descendants} descendant experiments`;
  return {
    id: 'experiment',
    title: 'experiment of gprofng or the Sun Studio Performance Analyzer',
    because: `log.xml and map.xml in ${first === '' ? 'it' : first}${more}`,
    recordings: founders.map((folder) => ({ folder, parts: folders.get(folder) ?? new Map() })),
  };
}

/** All folders that a folder lies in, the tree itself included. */
function parents(folder: string): string[] {
  if (folder === '') return [];
  const above = [''];
  for (let slash = folder.indexOf('/'); slash >= 0; slash = folder.indexOf('/', slash + 1)) {
    above.push(folder.slice(0, slash));
  }
  return above;
}

/** Report name, then optionally the image and the time; links without them lie beside. */
const TABLE =
  /^(?:csv_)?call_tree_(methods|invokes|targets|vm|virtual_methods|entry_points|direct_edges|virtual_edges|override_by_edges)((?:_.{1,200}?)?)\.csv(?:\.gz)?$/;

interface CallTreeSet extends TreeRecording {
  readonly report: string;
  readonly parts: Map<string, string>;
}

function detectCallTrees(paths: readonly string[]): TreeGuess | undefined {
  const sets = new Map<string, CallTreeSet>();
  for (const path of paths) {
    const [folder, name] = split(path);
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
    id: 'call-tree-csv',
    title: 'GraalVM call tree report as tables (CSV)',
    because: `the tables ${[...first.parts.keys()].sort().join(', ')}, written ${generation(first.parts)}`,
    recordings: dated.map(({ folder, parts }) => ({ folder, parts })),
  };
}

/** Links without image and time stand for the newest report beside them. */
function twin(link: CallTreeSet, other: CallTreeSet): boolean {
  return other !== link && other.report !== '' && other.folder === link.folder;
}

function generation(parts: ReadonlyMap<string, string>): string | undefined {
  if (!parts.has('methods')) return undefined;
  if (parts.has('invokes') && parts.has('targets')) return 'by GraalVM 24.1 or later';
  return parts.has('direct_edges') && parts.has('virtual_edges') ? 'by GraalVM before 24.1' : undefined;
}
