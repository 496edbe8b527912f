/**
 * Counts what the code style allows only as an exception, with the bundler's parser: ways around the types, silenced
 * findings, properties without a seed, long files, long functions, crowded folders, vague names and repeated names of types.
 * Cost: less than 1 ms a file; no types are resolved.
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
  'vagueNames',
  'repeatedTypes',
] as const;
export type Escape = (typeof ESCAPES)[number];

/** For each escape the places (`path:line`) where it is used. */
export type Places = Record<Escape, string[]>;

const MAX_FILE_LINES = 400;
/** Tests count, fixtures do not. */
const MAX_FOLDER_FILES = 25;
/** Without blank lines, as Biome counts. */
const MAX_FUNCTION_LINES = 60;
/** Words that do not say what a value is: participles, pronouns and prepositions. A name is a noun and its role, such as `knownEntry`. */
const VAGUE_NAMES: ReadonlySet<string> = new Set(
  'known found shown named asked given made taken wanted seen told said kept listed judged printed of own what from'.split(
    ' ',
  ),
);
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
    vagueNames: [],
    repeatedTypes: [],
  };
  /** Of product code: by name, the places that export a type with it. */
  const types = new Map<string, string[]>();
  const folders = new Map<string, number>();
  for (const path of sourceFiles(root)) {
    findInFile(path, readFileSync(join(root, path), 'utf8'), places, types);
    const folder = dirname(path);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  for (const [folder, files] of folders) if (files > MAX_FOLDER_FILES) places.crowdedFolders.push(folder);
  for (const named of types.values()) if (named.length > 1) places.repeatedTypes.push(named.join(' '));
  return places;
}

function findInFile(path: string, text: string, places: Places, types: Map<string, string[]>): void {
  const { program, comments, errors } = parseSync(path, text);
  if (program.body.length === 0 && errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const at = ({ start }: Range): string => `${path}:${lineStarts.filter((lineStart) => lineStart <= start).length}`;
  if (text.trimEnd().split('\n').length > MAX_FILE_LINES) places.longFiles.push(path);

  new Visitor({
    ...escapeVisitor(text, (kind, node) => places[kind].push(at(node))),
    ...(isTest(path) ? {} : functionVisitor(text, (node) => places.longFunctions.push(at(node)))),
    ...(isProduct(path) ? typeVisitor((name, node) => types.set(name, [...(types.get(name) ?? []), at(node)])) : {}),
  }).visit(program);
  new Visitor(nameVisitor((node) => places.vagueNames.push(at(node)))).visit(program);
  for (const comment of comments)
    if (DIRECTIVE.test(text.slice(comment.start, comment.end))) places.silenced.push(at(comment));
}

/** Sources of the product, without what helps its tests. */
function isProduct(path: string): boolean {
  return /^(src|web)\//.test(path) && !isTest(path) && !/(^|\/)(testing|fixtures)\//.test(path);
}

function typeVisitor(found: (name: string, node: Range) => void): VisitorObject {
  return {
    ExportNamedDeclaration: (node) => {
      const { declaration } = node;
      if (declaration?.type === 'TSInterfaceDeclaration' || declaration?.type === 'TSTypeAliasDeclaration')
        found(declaration.id.name, node);
    },
  };
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

/** Vague names of variables and parameters. */
function nameVisitor(found: (node: Range) => void): VisitorObject {
  const vague = (pattern: ESTree.ParamPattern): void => {
    for (const name of boundNames(pattern)) if (VAGUE_NAMES.has(name)) found(pattern);
  };
  const parameters = ({ params }: { readonly params: readonly ESTree.ParamPattern[] }): void => params.forEach(vague);
  return {
    VariableDeclarator: ({ id }) => vague(id),
    FunctionDeclaration: parameters,
    FunctionExpression: parameters,
    ArrowFunctionExpression: parameters,
  };
}

/** The names that a parameter or the left side of a declaration binds. */
function boundNames(pattern: ESTree.ParamPattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'TSParameterProperty':
      return boundNames(pattern.parameter);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'RestElement' ? property : property.value),
      );
  }
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
