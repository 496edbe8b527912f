/**
 * Reports of GraalVM Native Image as tables: the CSV call tree in its three generations, recognised by their headers,
 * and the JSON reports. Two of the older tables (one column, or no unique ones) need their file name for certainty.
 */

import { type Guess, type Head, type KnownKind, NO_GUESS } from '../format.js';
import { filledLines, share, textOf } from '../shared/head-text.js';
import { outlineOf } from '../shared/json-outline.js';
import { claimCallTrees } from './call-tree-set.js';
import { guess } from './marks.js';

interface Table {
  readonly heading: string;
  readonly table: string;
  readonly since: string;
  /** Shape of the rows, if the header alone is too common. */
  readonly row?: RegExp;
  /** Confidence without a matching file name. */
  readonly unnamed: number;
}

const OLD = 'before GraalVM 24.1';
const NEW = 'since GraalVM 24.1';
const METHOD_COLUMNS = 'Id,Name,Type,Parameters,Return,Display,Flags';

const TABLES: readonly Table[] = [
  { heading: `${METHOD_COLUMNS},IsEntryPoint`, table: 'methods', since: NEW, unnamed: 1 },
  { heading: 'Id,MethodId,BytecodeIndexes,TargetId,IsDirect', table: 'invokes', since: NEW, unnamed: 1 },
  { heading: 'Id,MethodId,BytecodeIndexes,IsDirect', table: 'invokes', since: NEW, unnamed: 0.9 },
  { heading: 'InvokeId,TargetId', table: 'targets', since: NEW, unnamed: 0.9 },
  { heading: METHOD_COLUMNS, table: 'methods or virtual_methods', since: OLD, unnamed: 1 },
  { heading: 'StartId,EndId,BytecodeIndexes', table: 'direct_edges or virtual_edges', since: OLD, unnamed: 1 },
  { heading: 'StartId,EndId', table: 'override_by_edges', since: OLD, unnamed: 0.9 },
  { heading: 'Id,Name', table: 'vm', since: OLD, row: /^0,VM$/, unnamed: 0.7 },
  { heading: 'Id', table: 'entry_points', since: OLD, row: /^\d{1,10}$/, unnamed: 0.3 },
];

const NAMED =
  /^(?:csv_)?call_tree_(?:methods|invokes|targets|vm|virtual_methods|entry_points|direct_edges|virtual_edges|override_by_edges)(?:_|\.)/;
/** A row of virtual_methods, which had no header before August 2022. */
const METHOD_ROW = /^\d{1,10},[^,]{1,200},[^,]{1,300},[^,]{1,300},[^,]{1,300},[^,]{1,300},[a-zA-Z]{0,12}$/;

function probeCsv(head: Head): Guess {
  const [first, ...rows] = filledLines(head, 'keep', 50).map((line) => line.trim());
  if (first === undefined || textOf(head).binary) return NO_GUESS;
  const named = NAMED.test(head.name);
  const table = TABLES.find((candidate) => candidate.heading === first);
  if (table !== undefined && (table.row === undefined || share(rows, table.row) >= 0.9)) {
    return guess(named ? 1 : table.unnamed, `its columns are ${first}: the table ${table.table}, ${table.since}`);
  }
  if (named && share([first, ...rows], METHOD_ROW) >= 0.9)
    return guess(0.8, 'rows of virtual_methods, without a header');
  return named ? guess(0.3, 'a file name of such a table') : NO_GUESS;
}

function probeStatistics(head: Head): Guess {
  const { root, keys } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const total = keys.filter((key) => /^total_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  const app = keys.filter((key) => /^app_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  if (total.length > 0 && app.length > 0) return guess(1, `keys ${total[0]} and ${app[0]}`);
  return total.length > 0 ? guess(0.5, `a key ${total[0]}`) : NO_GUESS;
}

function probeBuildOutput(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const sections = ['general_info', 'analysis_results', 'image_details', 'resource_usage'].filter(
    (key) => marks.get(key)?.kind === 'object',
  );
  const graal = ['general_info/graal_compiler', 'general_info/graalvm_version', 'general_info/java_version'];
  const told = sections.includes('general_info') && graal.some((path) => marks.has(path));
  if (sections.length >= 2)
    return guess(told || sections.includes('analysis_results') ? 1 : 0.7, `keys ${sections.join(', ')}`);
  return told ? guess(0.6, 'general_info of a native-image build') : NO_GUESS;
}

function probeDashboard(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const parts = ['points-to/type-flows', 'code-breakdown/code-size', 'heap-breakdown/heap-size'];
  const part = parts.find((path) => marks.get(path)?.kind === 'array');
  return part === undefined ? NO_GUESS : guess(1, `it has ${part.replace('/', '.')}`);
}

function probeReachability(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'array' || marks.get('[]/packages')?.kind !== 'object') return NO_GUESS;
  const types = [...marks.keys()].some((path) => path.startsWith('[]/packages/') && path.endsWith('/types'));
  return guess(types ? 1 : 0.6, `an array of modules with packages${types ? ' and types' : ''}`);
}

export const POINTS_TO_TABLE_KINDS: readonly KnownKind[] = [
  {
    id: 'call-tree-csv',
    title: 'table of a GraalVM call tree (CSV)',
    advice: 'Open the directory that contains all tables of the report.',
    probe: probeCsv,
    claims: claimCallTrees,
  },
  {
    id: 'analysis-statistics',
    title: 'statistics of a points-to analysis (analysis_stats)',
    article: '',
    advice: 'It is a JSON object of totals; any JSON viewer shows it.',
    probe: probeStatistics,
  },
  {
    id: 'native-image-build-output',
    title: 'build output of GraalVM Native Image in JSON',
    advice: 'It is a JSON object of totals; any JSON viewer shows it.',
    probe: probeBuildOutput,
  },
  {
    id: 'native-image-dashboard',
    title: 'GraalVM dashboard dump in JSON',
    advice: 'It holds type flows, code sizes and heap sizes; the tool that displayed it was withdrawn.',
    probe: probeDashboard,
  },
  {
    id: 'reachability-json',
    title: 'reachability dump of a GraalVM fork (modules, packages, types)',
    advice: 'The native-image-visualizations project displays it.',
    probe: probeReachability,
  },
];
