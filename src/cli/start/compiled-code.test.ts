/** The bundle starts with the code that its build compiled, and without it where V8 refuses it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { MAIN } from '../testing/spawn-command.js';
import { compiledCodes, moduleScript } from './compiled-code.js';

const FOLDER = dirname(MAIN);
const CODE = join(FOLDER, `code-${process.version}-${process.arch}.bin`);
const codeOf = compiledCodes(CODE);
const MODULES = readdirSync(FOLDER).filter((name) => /-[\w-]{8}\.js$/.test(name) && !name.startsWith('thread-'));

/** Prints the modules whose code V8 refuses. V8 takes code only with its usual flags, which other tests may have changed. */
const REFUSED = `
import { compiledCodes, moduleScript } from '${new URL('./compiled-code.js', import.meta.url).href}';
const [folder, file, ...modules] = process.argv.slice(1);
const codeOf = compiledCodes(file);
const refused = modules.filter((name) => {
  const code = codeOf(name);
  return code === undefined || moduleScript(folder + '/' + name, code).cachedDataRejected !== false;
});
process.stdout.write(JSON.stringify(refused));
`;

test('V8 takes the code of every module that is loaded when needed', () => {
  const words = ['--input-type=module', '-e', REFUSED, FOLDER, CODE, ...MODULES];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  deepEqual([MODULES.length > 50, stdout, stderr], [true, '[]', '']);
});

test('modules are ASCII, as which they are read', () => {
  const others = MODULES.filter((name) => readFileSync(join(FOLDER, name)).some((byte) => byte >= 0x80));
  deepEqual(others, []);
});

test('where V8 refuses the code, the command is the same', () => {
  const name = MODULES.find((each) => each.startsWith('core-')) ?? '';
  const code = codeOf(name) ?? Buffer.alloc(0);
  const [first] = code;
  const other = Buffer.from(code);
  other[0] = (first ?? 0) ^ 1;
  equal(moduleScript(join(FOLDER, name), other).cachedDataRejected, true);
  const run = (...flags: string[]) => {
    const words = ['summary', join(ROOT, 'examples/hprof/cpu-samples.txt'), '--json'];
    return spawnSync(process.execPath, [...flags, MAIN, ...words], { encoding: 'utf8' });
  };
  const [usual, refused] = [run(), run('--no-lazy', '--stack-size=800')];
  ok(usual.stdout.length > 100, usual.stderr);
  deepEqual([refused.status, refused.stdout], [0, usual.stdout]);
});
