/**
 * Counts what the code style allows only as an exception, with the bundler's parser: ways around the types, silenced
 * findings, properties without a seed, long files, long functions and crowded folders. Cost: less than 1 ms a file; no
 * types are resolved.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
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
  const { program, comments, errors } = parseSync(path, text);
  if (program.body.length === 0 && errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const at = ({ start }: Range): string => `${path}:${lineStarts.filter((lineStart) => lineStart <= start).length}`;
  if (text.trimEnd().split('\n').length > MAX_FILE_LINES) places.longFiles.push(path);

  new Visitor({
    ...escapeVisitor(text, (kind, node) => places[kind].push(at(node))),
    ...(isTest(path) ? {} : functionVisitor(text, (node) => places.longFunctions.push(at(node)))),
  }).visit(program);
  for (const comment of comments)
    if (DIRECTIVE.test(text.slice(comment.start, comment.end))) places.silenced.push(at(comment));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type VisitorObject = ConstructorParameters<typeof Visitor>[0];

function escapeVisitor(text: string, found: (kind: Escape, node: Range) => void): VisitorObject {
  const typed = (node: ESTree.TSAsExpression | ESTree.TSTypeAssertion): void => {
    const { typeAnnotation: type } = node;
    const isConst =
      type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
    if (!isConst) found('as', node);
  };
  const declared = (node: ESTree.VariableDeclarator | ESTree.PropertyDefinition): void => {
    if (node.definite === true) found('nonNull', node);
  };
  return {
    TSAnyKeyword: (node) => found('any', node),
    TSAsExpression: typed,
    TSTypeAssertion: typed,
    TSNonNullExpression: (node) => found('nonNull', node),
    VariableDeclarator: declared,
    PropertyDefinition: declared,
    CallExpression: (node) => {
      if (isUnseeded(node, text)) found('unseeded', node);
    },
  };
}

/** A property takes its seed and amount from `runs` of src/testing/amount.ts, or from a constant RUNS made of it. */
function isUnseeded({ callee, arguments: [, given] }: ESTree.CallExpression, text: string): boolean {
  if (!/^fc\.(assert|check|sample)$/.test(text.slice(callee.start, callee.end))) return false;
  const amount = given === undefined ? '' : text.slice(given.start, given.end);
  return !amount.startsWith('runs(') && !(amount === 'RUNS' && /^const RUNS = runs\(/m.test(text));
}

function functionVisitor(text: string, found: (node: Range) => void): VisitorObject {
  const isLong = ({ start, end }: Range): boolean => {
    const lines = text.slice(start, end).split('\n');
    return lines.filter((line) => line.trim() !== '').length > MAX_FUNCTION_LINES;
  };
  const check = (node: Range): void => {
    if (node.end - node.start > MAX_FUNCTION_LINES && isLong(node)) found(node);
  };
  return {
    FunctionDeclaration: check,
    // Methods have one, too.
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  };
}
