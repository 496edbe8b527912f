/**
 * Keeps the code that V8 compiles for the bundled command: `node scripts/compiled-code.mjs FOLDER WORD…` runs the command of the words, and
 * writes `code-VERSION-ARCH.bin` into the folder of the bundle (see src/cli/start/compiled-code.ts). It has the functions that ran, which need not
 * be compiled again, and of modules that were not loaded the outline.
 *
 * This is plain JavaScript, since it runs before anything is compiled.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

const [BEFORE, BEHIND] = ['(function(exports,require,module,__filename,__dirname){', '\n})'];
const [folder, ...words] = process.argv.slice(2);
const main = join(folder, 'main.js');
const require = createRequire(main);
const scripts = new Map();

function compiled(path) {
  const script = new Script(BEFORE + readFileSync(path, 'latin1') + BEHIND, { filename: path });
  scripts.set(path, script);
  return script;
}

const usual = require.extensions['.js'];
require.extensions['.js'] = (module, path) => {
  // The entry is loaded by Node itself, before it could use any code.
  if (path === main || dirname(path) !== folder) return usual(module, path);
  compiled(path).runInThisContext().call(module.exports, module.exports, createRequire(path), module, path, folder);
};

process.on('exit', () => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/-[\w-]{8}\.js$/.test(name) && !scripts.has(path)) compiled(path);
  }
  const codes = [...scripts].map(([path, script]) => [path.slice(folder.length + 1), script.createCachedData()]);
  const padded = (length) => Math.ceil(length / 8) * 8;
  let end = 0;
  const directory = codes.map(([name, { length }]) => {
    const at = end;
    end += padded(length);
    return [name, at, length];
  });
  const text = Buffer.from(JSON.stringify(directory));
  const head = Buffer.alloc(8 + padded(text.length), ' ');
  head.writeDoubleLE(head.length - 8);
  text.copy(head, 8);
  const bodies = codes.map(([, code]) => Buffer.concat([code], padded(code.length)));
  const file = join(folder, `code-${process.version}-${process.arch}.bin`);
  writeFileSync(`${file}.part`, Buffer.concat([head, ...bodies]));
  renameSync(`${file}.part`, file);
});

process.argv.splice(1, Infinity, main, ...words);
require(main);
