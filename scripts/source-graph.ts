/**
 * Which file of the clone uses which, found in the text of the sources: every quoted path that leads to a module is an
 * edge, so imports count as well as workers that are named by a URL and programs that are started by their path. When
 * in doubt, it reports an edge. Cost: 0.2 s for all sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isTest, sourceFiles } from './source-files.js';

const QUOTED = /['`]([^'`\n]+)['`]/g;
/** Placeholders in a quoted path are unknown; the rest is known. */
const INSERTED = /\$\{[^}]*\}/g;
/** What scripts/bundle.mjs makes of the modules of a page. */
const BUNDLE = /^bundle\/(web\/\w+)[.]js$/;
/** The bundled command, and its module. */
const COMMAND = ['bundle/node/main.js', 'src/cli/main.ts'] as const;
/** Arguments of a path that is joined of several: 'src', 'formats', 'fixtures'. */
const QUOTED_ROW = /'[^'\n]+'(?:,\s*'[^'\n]+')+/g;
/** What only tests use is looked through; the product is where a test ends. */
const TEST_SOURCE = /[.]test[.]tsx?$|(^|\/)testing\//;

export class SourceGraph {
  /** All modules, as paths below the clone. */
  readonly modules: readonly string[];
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #quoted = new Map<string, readonly string[]>();
  readonly #uses = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.#root = root;
    this.modules = sourceFiles(root);
  }

  text(module: string): string {
    let text = this.#texts.get(module);
    if (text === undefined) {
      text = readFileSync(join(this.#root, module), 'utf8');
      this.#texts.set(module, text);
    }
    return text;
  }

  /** Every quoted path of a module, and those that are joined of several quoted words. */
  quotedPaths(module: string): readonly string[] {
    let paths = this.#quoted.get(module);
    if (paths === undefined) {
      paths = quotedIn(this.text(module));
      this.#quoted.set(module, paths);
    }
    return paths;
  }

  /** Modules that this one names. */
  uses(module: string): readonly string[] {
    let used = this.#uses.get(module);
    if (used === undefined) {
      used = [...new Set(this.quotedPaths(module).flatMap((path) => this.#moduleAt(module, path)))];
      this.#uses.set(module, used);
    }
    return used;
  }

  /** Everything that a module needs, itself included. */
  reach(module: string): Set<string> {
    return this.#walk(module, () => true);
  }

  /** A test and all test sources that it needs, and the modules of the product that these name. */
  testReach(test: string): Set<string> {
    return this.#walk(test, (module) => TEST_SOURCE.test(module));
  }

  /** True if the module's text names a file that is not a module, or a folder that holds it. */
  names(module: string, file: string): boolean {
    const room = posix.dirname(module);
    return this.quotedPaths(module).some((quoted) => {
      const path = plain(quoted);
      if (path === '' || path === '.') return false;
      // A word alone names a file of that name anywhere, but a folder only beside the module: 'fixtures'.
      if (file === path || file.endsWith(`/${path}`) || file.startsWith(`${posix.join(room, path)}/`)) return true;
      return (path.includes('/') || !CODE.has(path)) && file.startsWith(`${path}/`);
    });
  }

  #walk(from: string, isOpen: (module: string) => boolean): Set<string> {
    const seen = new Set([from]);
    for (const module of seen) if (isOpen(module)) for (const used of this.uses(module)) seen.add(used);
    return seen;
  }

  #moduleAt(module: string, quoted: string): string[] {
    const [, bundled] = BUNDLE.exec(plain(quoted)) ?? [];
    if (bundled !== undefined) return this.modules.filter((path) => path.startsWith(`${bundled}/`) && !isTest(path));
    if (plain(quoted) === COMMAND[0]) return this.modules.filter((path) => path === COMMAND[1]);
    if (!/[.]jsx?$/.test(quoted)) return [];
    const source = quoted.replace(/[.]js(x?)$/, '.ts$1');
    return [posix.join(posix.dirname(module), source), plain(source)].filter((path) => this.#isModule(path));
  }

  #isModule(path: string): boolean {
    return /^(src|web|bench|scripts)\//.test(path) && existsSync(join(this.#root, path));
  }
}

/** Folders of sources: their names alone do not refer to the files in them. */
const CODE = new Set(['src', 'web', 'bench', 'scripts', 'dist']);

/** The path from the clone that is meant where tests, which run in dist, name one. */
function plain(path: string): string {
  return posix
    .normalize(`${path}/`)
    .replace(/^([.]{0,2}\/)+/, '')
    .replace(/^dist\//, '')
    .replace(/\/$/, '');
}

function quotedIn(text: string): string[] {
  const single = [...text.matchAll(QUOTED)].map((match) => (match[1] ?? '').replace(INSERTED, ''));
  const rows = [...text.matchAll(QUOTED_ROW)].map(([row]) =>
    [...row.matchAll(QUOTED)].map((part) => part[1]).join('/'),
  );
  return [...single, ...rows];
}
