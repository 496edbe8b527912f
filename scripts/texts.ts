/**
 * Finds in our sources what the product says below its fronts: codes of notes and errors, and texts with flags of a command line, which only a front may
 * write. With the bundler's parser; less than 1 ms a file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { isTest, sourceFiles } from './source-files.js';

/** Rooms below the fronts. */
const ROOMS = /^src\/(base|bytes|models|formats|code|analysis|questions|views|session|transform|live|library)\//;
const HELPER = /(^|\/)(testing|fixtures)\//;

export interface SaidTexts {
  readonly noteCodes: ReadonlySet<string>;
  readonly errorCodes: ReadonlySet<string>;
  /** `path: text` of each literal with a flag. */
  readonly flags: readonly string[];
}

/** What the sources below the folder of a clone say. */
export function findTexts(root: string): SaidTexts {
  const flags: string[] = [];
  const texts = { noteCodes: new Set<string>(), errorCodes: new Set<string>(), flags };
  for (const path of sourceFiles(root))
    if (!isTest(path) && !HELPER.test(path)) findInFile(path, readFileSync(join(root, path), 'utf8'), texts);
  return texts;
}

function findInFile(
  path: string,
  text: string,
  { noteCodes, errorCodes, flags }: { noteCodes: Set<string>; errorCodes: Set<string>; flags: string[] },
): void {
  // Examples are command lines: help prints them, and tests run them.
  let examples = 0;
  const flag = (value: string): void => {
    if (examples === 0 && ROOMS.test(path) && /(^|[^\w-])--[a-z]/.test(value)) flags.push(`${path}: ${value}`);
  };
  let makesNotes = false;
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (source.value.endsWith('base/note.js')) makesNotes ||= specifiers.some(({ local }) => local.name === 'note');
    },
    CallExpression({ callee, arguments: [first] }) {
      if (makesNotes && callee.type === 'Identifier' && callee.name === 'note')
        for (const code of textsOf(first)) noteCodes.add(code);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type !== 'Identifier' || !callee.name.endsWith('Error')) return;
      for (const each of given)
        if (each.type === 'ObjectExpression') for (const code of textsOf(memberOf(each, 'code'))) errorCodes.add(code);
    },
    ObjectExpression(node) {
      const details = memberOf(node, 'advice') ?? memberOf(node, 'lines');
      if (details !== undefined && memberOf(node, 'severity') === undefined)
        for (const code of textsOf(memberOf(node, 'code'))) errorCodes.add(code);
    },
    Property({ key }) {
      if (isExamples(key)) examples++;
    },
    'Property:exit'({ key }) {
      if (isExamples(key)) examples--;
    },
    PropertyDefinition({ static: isStatic, key, value }) {
      if (isStatic && key.type === 'Identifier' && key.name === 'code')
        for (const code of textsOf(value ?? undefined)) errorCodes.add(code);
    },
    Literal({ value }) {
      if (typeof value === 'string') flag(value);
    },
    TemplateElement({ value: { cooked } }) {
      flag(cooked ?? '');
    },
  }).visit(parseSync(path, text).program);
}

function isExamples(key: { readonly type: string; readonly name?: unknown }): boolean {
  return key.type === 'Identifier' && key.name === 'examples';
}

function memberOf({ properties }: ESTree.ObjectExpression, name: string): ESTree.Expression | undefined {
  for (const each of properties)
    if (each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name) return each.value;
  return undefined;
}

/** The texts that an expression may be: a literal, or one of two. */
function textsOf(node: { readonly type: string } | undefined): string[] {
  if (isLiteral(node)) return typeof node.value === 'string' ? [node.value] : [];
  return isConditional(node) ? [...textsOf(node.consequent), ...textsOf(node.alternate)] : [];
}

function isLiteral(node: { readonly type: string } | undefined): node is ESTree.StringLiteral {
  return node?.type === 'Literal';
}

function isConditional(node: { readonly type: string } | undefined): node is ESTree.ConditionalExpression {
  return node?.type === 'ConditionalExpression';
}
