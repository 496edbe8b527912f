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
const codes = compiledCodes(readFileSync(join(FOLDER, `code-${process.version}-${process.arch}.bin`)));

test('V8 takes the code of every module that is loaded when needed', () => {
  const modules = readdirSync(FOLDER).filter((name) => /-[^-]{8}\.js$/.test(name) && !name.startsWith('thread-'));
  deepEqual(
    modules.filter((name) => !codes.has(name)),
    [],
  );
  const refused = modules.filter((name) => {
    const code = codes.get(name);
    return code === undefined || moduleScript(join(FOLDER, name), code).cachedDataRejected !== false;
  });
  deepEqual(refused, []);
});

test('where V8 refuses the code, the command is the same', () => {
  const [name = '', code = Buffer.alloc(0)] = [...codes].find(([each]) => each.startsWith('core-')) ?? [];
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
