/**
 * Builds the program from its sources: `node scripts/bundle.mjs [FOLDER]`. Types are not checked (`npm test` does). Takes a second.
 *
 *   dist/bundle/node      the command (`main.js`), with the modules that it loads when needed and their compiled code
 *   dist/bundle/library   the library for Node, with its modules
 *   dist/bundle/native    disassembler and demangler, as their packages have them
 *   dist/bundle/web       script and style sheet of each page; the library for others than Node
 *
 * This is plain JavaScript, since it runs before anything is compiled.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const root = process.argv[2] ?? dirname(import.meta.dirname);
/** Three levels below the package, as the compiler's own output: `packageFile` finds it from both. */
const program = join(root, 'dist/bundle/node');
const library = join(root, 'dist/bundle/library');
/** What agents of JVMPI import, and what loads them. */
const agents = join(root, 'dist/bundle/jvmpi');
const web = join(root, 'dist/bundle/web');

/** The package of a module. */
const PACKAGE = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*node_modules)/;

/** Package, file, and name of its copy: a script that loads WebAssembly from a file is not bundled. */
const COPIED = [
  ['@alexaltea/capstone-js', 'dist/capstone.js', 'capstone.cjs'],
  ['@alexaltea/capstone-js', 'dist/capstone.wasm', 'capstone.wasm'],
  ['gecko-profiler-demangle', 'index_bg.wasm', 'demangle.wasm'],
];

/** Folders of web, each with a script and a style sheet; and the folders whose style sheets it needs, too. */
const PAGES = [
  { name: 'flame', script: 'page.ts', styles: ['flame'] },
  { name: 'timeline', script: 'page.ts', styles: ['timeline'] },
  { name: 'app', script: 'page.tsx', styles: ['flame', 'timeline', 'app'] },
];

// Names stay, for the stack of an internal error; blanks and comments cost time at each start.
const minify = { mangle: false, compress: true, codegen: { removeWhitespace: true } };
/** The command before it knows what is asked. */
const START =
  /src[\\/](cli[\\/](run|exit|start[\\/].*)|base[\\/](errors|package\.node)|bytes[\\/]path-bytes\.node)\.ts$/;
/** Rooms that few commands need; what several of these share is a module of the bundle for each room. */
const ROOM =
  /src[\\/](code[\\/](?:native|java)|analysis[\\/](?:heap|identity|places|callgraph)|models[\\/](?:heap|callgraph)|live|transform|views[\\/]flame|pictures|formats[\\/](?!known|shared)[^\\/]+)[\\/]/;
/** What so many commands, views and formats share is one module of the bundle, since each costs time at a start. */
const GROUPS = [
  { name: 'core', minShareCount: 4, priority: 1, test: (id) => !ROOM.test(id) },
  { name: (id) => ROOM.exec(id)?.[1].replace(/[\\/]/, '-'), debugName: 'room', minShareCount: 2, test: ROOM },
];

// Some modules are loaded when needed and also imported by others: a warning for each would be all that is printed.
const checks = { ineffectiveDynamicImport: false };
const common = { cwd: root, logLevel: 'warn', checks };

mkdirSync(web, { recursive: true });
/** Beside each build, but with modules of its own: a thread starts in half the time without their common ones. */
const threads = (dir, format) =>
  build({
    ...common,
    input: { 'thread-tasks.node': 'src/session/threads/thread-tasks.node.ts' },
    platform: 'node',
    output: { dir, format, minify, chunkFileNames: 'thread-[name]-[hash].js' },
  });
const [
  { output: made },
  { output: ofLibrary },
  { output: ofThreads },
  { output: ofItsThreads },
  { output: ofAgents },
  ...pages
] = await Promise.all([
  build({
    ...common,
    input: { main: 'src/cli/main.ts' },
    platform: 'node',
    output: {
      dir: program,
      // Node loads such modules in less time, and takes compiled code for them; that has no import().
      format: 'cjs',
      dynamicImportInCjs: false,
      minify,
      chunkFileNames: '[name]-[hash].js',
      // `--version` needs less than the core.
      codeSplitting: { groups: [{ name: 'start', test: START, priority: 2 }, ...GROUPS] },
    },
  }),
  build({
    ...common,
    // The thread of a workspace has the modules of the library.
    input: { library: 'src/library/index.node.ts', 'engine.node': 'src/session/workspace/engine.node.ts' },
    platform: 'node',
    output: {
      dir: library,
      format: 'esm',
      minify,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: GROUPS },
    },
  }),
  threads(program, 'cjs'),
  threads(library, 'esm'),
  build({
    ...common,
    input: {
      index: 'src/live/jvmpi/index.ts',
      'socket-thread.node': 'src/live/agent/socket-thread.node.ts',
      'ts-hooks.node': 'src/live/agent/ts-hooks.node.ts',
    },
    platform: 'node',
    output: { dir: agents, format: 'esm', minify, chunkFileNames: '[name]-[hash].js' },
  }),
  ...PAGES.map(({ name, script }) =>
    build({
      ...common,
      input: { [name]: `web/${name}/${script}` },
      platform: 'browser',
      output: { dir: web, format: 'iife', minify: true },
    }),
  ),
  build({
    ...common,
    input: { library: 'src/library/index.ts' },
    platform: 'browser',
    output: { dir: web, format: 'esm', minify, codeSplitting: false },
  }),
]);
// V8 reads ASCII in a third of the time of UTF-8. No raw template has other characters, where an escape would be another text.
const NOT_ASCII = /[^\0-\x7f]/g;
for (const { fileName, code } of [...made, ...ofThreads].filter(({ type }) => type === 'chunk')) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error(`${fileName}: a raw template that is not ASCII`);
  const escaped = code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== code) writeFileSync(join(program, fileName), escaped);
}

const styleOf = (folder) => readFileSync(join(root, 'web', folder, 'page.css'), 'utf8');
for (const { name, styles } of PAGES)
  writeFileSync(join(web, `${name}.css`), ['shared', ...styles].map(styleOf).join(''));

for (const [name, file, copy] of COPIED) {
  const folder = join(root, 'dist/bundle/native');
  mkdirSync(folder, { recursive: true });
  copyFileSync(createRequire(join(root, 'package.json')).resolve(`${name}/${file}`), join(folder, copy));
}

// Their licences go into the package (scripts/package/pack.ts).
const ofPages = pages.flatMap(({ output }) => output);
const packages = [...made, ...ofLibrary, ...ofAgents, ...ofPages].flatMap(({ modules }) =>
  Object.keys(modules ?? {}).map((path) => PACKAGE.exec(path)?.[1] ?? ''),
);
writeFileSync(
  join(root, 'dist/bundle/packages.txt'),
  [...new Set([...packages, ...COPIED.map(([name]) => name)])].sort().join('\n').trim(),
);

// Modules that are loaded when needed have their hash in the name: those of earlier builds go, and their code.
for (const [folder, outputs] of [
  [program, [...made, ...ofThreads]],
  [library, [...ofLibrary, ...ofItsThreads]],
  [agents, ofAgents],
]) {
  const names = new Set(outputs.map(({ fileName }) => fileName));
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name));
}
writeFileSync(join(program, 'package.json'), '{ "type": "commonjs" }\n');

// What questions of the usual kind compile is in the core.
const words = ['heap', 'histogram', join(root, 'examples/heap/graph.hprof.gz'), '--no-cache'];
execFileSync(process.execPath, [join(import.meta.dirname, 'compiled-code.mjs'), program, ...words], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
