/**
 * Builds the program from its sources: `node scripts/bundle.mjs [FOLDER]`. Types are not checked (`npm test` does). Takes a second.
 *
 *   dist/bundle/node   the command (`main.js`) and the library for Node (`library.js`), with the modules that they load when needed
 *   dist/bundle/web    script and style sheet of each page; the library for others than Node
 *
 * This is plain JavaScript, since it runs before anything is compiled.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const root = process.argv[2] ?? dirname(import.meta.dirname);
/** Three levels below the package, as the compiler's own output: `packageFile` finds it from both. */
const program = join(root, 'dist/bundle/node');
const web = join(root, 'dist/bundle/web');

/** The package of a module. */
const PACKAGE = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*node_modules)/;

// Names stay, for the stack of an internal error; blanks and comments cost time at each start.
const minify = { mangle: false, compress: true, codegen: { removeWhitespace: true } };
/** The command before it knows what is asked. */
const START = /src[\\/](cli[\\/](run|exit)|base[\\/](errors|package\.node)|bytes[\\/]path-bytes\.node)\.ts$/;
/** A module that so many commands, views and formats share belongs to the core. */
const COMMON = 4;

// Some modules are loaded when needed and also imported by others: a warning for each would be all that is printed.
const checks = { ineffectiveDynamicImport: false };
const common = { cwd: root, logLevel: 'warn', checks };

mkdirSync(web, { recursive: true });
const [{ output: made }, { output: ofThreads }] = await Promise.all([
  build({
    ...common,
    input: {
      main: 'src/cli/main.ts',
      library: 'src/library/index.node.ts',
    },
    platform: 'node',
    output: {
      dir: program,
      format: 'esm',
      minify,
      chunkFileNames: '[name]-[hash].js',
      // Each module costs a millisecond at a start, so the code that most commands need is one module. `--version` needs less.
      codeSplitting: {
        groups: [
          { name: 'start', test: START, priority: 1 },
          { name: 'core', minShareCount: COMMON },
        ],
      },
    },
  }),
  build({
    ...common,
    // Beside the others, but with modules of its own: a thread starts in half the time without their common ones.
    input: { 'thread-tasks.node': 'src/session/threads/thread-tasks.node.ts' },
    platform: 'node',
    output: { dir: program, format: 'esm', minify, chunkFileNames: 'thread-[name]-[hash].js' },
  }),
  build({
    ...common,
    input: { flame: 'web/flame/page.ts' },
    platform: 'browser',
    output: { dir: web, format: 'iife', minify: true },
  }),
  build({
    ...common,
    input: { library: 'src/library/index.ts' },
    platform: 'browser',
    output: { dir: web, format: 'esm', minify, codeSplitting: false },
  }),
]);
copyFileSync(join(root, 'web/flame/page.css'), join(web, 'flame.css'));

// Their licences go into the package (scripts/package/pack.ts).
const packages = made.flatMap(({ modules }) => Object.keys(modules ?? {}).map((path) => PACKAGE.exec(path)?.[1] ?? ''));
writeFileSync(join(root, 'dist/bundle/packages.txt'), [...new Set(packages)].sort().join('\n').trim());

// Modules that are loaded when needed have their hash in the name: those of earlier builds go.
const names = new Set([...made, ...ofThreads].map(({ fileName }) => fileName));
for (const name of readdirSync(program)) if (!names.has(name)) rmSync(join(program, name));
