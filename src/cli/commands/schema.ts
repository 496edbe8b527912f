/** `schema`: the JSON schemas of answers, of questions, and of profile files, for validators and other programs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageFile } from '../../base/package.node.js';
import { unknownName } from '../../questions/refusal.js';
import { type Invocation, print } from '../host.js';
import { addExamples } from '../invocation/options.js';

/** Folders with schemas: of answers and questions, and of PGO profiles, in a clone and in the package. */
const FOLDERS = ['docs/schema', 'src/formats/iprof/schema', 'dist/package/schema'];
const ENDING = '.schema.json';
/** Versions of PGO profiles that have the layout of another one. */
const SAME_LAYOUT: Readonly<Record<string, string>> = {
  'iprof-v0.4.0': 'iprof-v1.1.0',
  'iprof-v1.0.0': 'iprof-v1.1.0',
  iprof: 'iprof-v1.1.0',
};

export function registerSchema(program: Command, invocation: Invocation): void {
  const command = program
    .command('schema')
    .description(
      'print a JSON schema: of the answer of a view, of questions, of a PGO profile; without a name, list them',
    )
    .argument('[name]', 'as listed, or without its version')
    .action((name: string | undefined) => print(invocation, name === undefined ? list() : schemaText(name)));
  addExamples(command, ['schema', 'schema functions', 'schema iprof-v1.1.0']);
}

/** Paths of the schemas by name: `functions-v1`. */
function schemaFiles(): ReadonlyMap<string, string> {
  const files = FOLDERS.map(packageFile)
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((file) => ({ file, path: join(folder, file) })))
    .filter(({ file }) => file.endsWith(ENDING));
  return new Map(files.map(({ file, path }) => [file.slice(0, -ENDING.length), path]));
}

function list(): string {
  const lines = [...schemaFiles()].map(([name, path]) => `${name.padEnd(24)}  ${titleOf(readFileSync(path, 'utf8'))}`);
  return `${lines.join('\n')}\n`;
}

function titleOf(text: string): string {
  const { title }: { readonly title?: string } = JSON.parse(text);
  return title ?? '';
}

function withoutVersion(name: string): string {
  return name.replace(/-v[\d.]+$/, '');
}

function schemaText(name: string): string {
  const files = schemaFiles();
  const wholeName = SAME_LAYOUT[name] ?? [...files.keys()].find((each) => withoutVersion(each) === name) ?? name;
  const path = files.get(wholeName);
  if (path === undefined) throw unknownName('schema', name, [...files.keys()].map(withoutVersion));
  return readFileSync(path, 'utf8');
}
