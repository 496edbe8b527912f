/**
 * Counts what the code style allows only as an exception, with the TypeScript parser: ways around the types, silenced
 * findings, properties without a seed, long files, long functions and crowded folders. Cost: about 1 ms per file; no
 * types are resolved, and tokens are looked at only in files that may have a directive.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { isTest, sourceFiles } from './source-files.js';

export const ESCAPES = [
  'any',
  'as',
  'nonNull',
  'silenced',
  'unseeded',
  'longFiles',
  'longFunctions',
  'crowdedFolders',
] as const;
export type Escape = (typeof ESCAPES)[number];

/** For each escape the places (`path:line`) where it is used. */
export type Places = Record<Escape, string[]>;

const MAX_FILE_LINES = 400;
/** Tests count, fixtures do not. */
const MAX_FOLDER_FILES = 25;
/** Without blank lines, as Biome counts. */
const MAX_FUNCTION_LINES = 60;
/** What a comment begins with that is a directive; a mention in prose does not count. */
const DIRECTIVE = /^(\/\/+|\/\*+)[\s*]*(biome-ignore|@ts-)/;
/** The same anywhere in a text, perhaps in a string. */
const MAYBE_DIRECTIVE = new RegExp(DIRECTIVE.source.slice(1));

/** The escapes in all sources below the folder of a clone. */
export function findEscapes(root: string): Places {
  const places: Places = {
    any: [],
    as: [],
    nonNull: [],
    silenced: [],
    unseeded: [],
    longFiles: [],
    longFunctions: [],
    crowdedFolders: [],
  };
  const folders = new Map<string, number>();
  for (const path of sourceFiles(root)) {
    findInFile(path, readFileSync(join(root, path), 'utf8'), places);
    const folder = dirname(path);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  for (const [folder, files] of folders) if (files > MAX_FOLDER_FILES) places.crowdedFolders.push(folder);
  return places;
}

function findInFile(path: string, text: string, places: Places): void {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const at = (position: number): string => `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
  if (text.trimEnd().split('\n').length > MAX_FILE_LINES) places.longFiles.push(path);

  const visit = (node: ts.Node): void => {
    const kind = escapeOf(node);
    if (kind !== undefined) places[kind].push(at(node.getStart(file)));
    if (!isTest(path) && isLongFunction(node, file)) places.longFunctions.push(at(node.getStart(file)));
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (!MAYBE_DIRECTIVE.test(text)) return;
  const comments = new Set<number>();
  collectComments(file, file, comments);
  for (const position of comments) if (DIRECTIVE.test(text.slice(position))) places.silenced.push(at(position));
}

function escapeOf(node: ts.Node): Escape | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
    return ts.isConstTypeReference(node.type) ? undefined : 'as';
  }
  if (ts.isNonNullExpression(node)) return 'nonNull';
  if (ts.isCallExpression(node)) return isUnseeded(node) ? 'unseeded' : undefined;
  const declared = ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node);
  return declared && node.exclamationToken !== undefined ? 'nonNull' : undefined;
}

/** A property takes its seed and amount from `runs` of src/testing/amount.ts, or from a constant RUNS made of it. */
function isUnseeded({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!/^fc\.(assert|check|sample)$/.test(expression.getText())) return false;
  const amount = given[1]?.getText() ?? '';
  return (
    !amount.startsWith('runs(') && !(amount === 'RUNS' && /^const RUNS = runs\(/m.test(expression.getSourceFile().text))
  );
}

function isLongFunction(node: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isFunctionLike(node)) return false;
  const text = node.getText(file);
  return (
    text.length > MAX_FUNCTION_LINES &&
    text.split('\n').filter((line) => line.trim() !== '').length > MAX_FUNCTION_LINES
  );
}

/** Comments stand before and behind the tokens, the smallest parts of the tree. */
function collectComments(node: ts.Node, file: ts.SourceFile, positions: Set<number>): void {
  for (const child of node.getChildren(file)) collectComments(child, file, positions);
  if (node.getChildCount(file) > 0) return;
  const before = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
  const behind = ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? [];
  for (const comment of [...before, ...behind]) positions.add(comment.pos);
}
