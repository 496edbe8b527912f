/**
 * Hooks that let `import()` load agents: types are removed from TypeScript files, and `kansoku/jvmpi` is the module of the running
 * Kansoku. They run in a thread of their own, which Node starts for them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

/** What the hooks need to know. */
export interface HookData {
  /** The URL of the module that agents import as `kansoku/jvmpi`. */
  readonly jvmpi: string;
}

interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}

interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

let data: HookData | undefined;

export function initialize(given: HookData): void {
  data = given;
}

export function resolve<Context>(
  name: string,
  context: Context,
  next: (name: string, context: Context) => Promise<Resolved>,
): Resolved | Promise<Resolved> {
  if (name === 'kansoku/jvmpi' && data !== undefined) return { url: data.jvmpi, shortCircuit: true };
  return next(name, context);
}

export function load<Context>(
  url: string,
  context: Context,
  next: (url: string, context: Context) => Promise<Loaded>,
): Loaded | Promise<Loaded> {
  if (!url.startsWith('file:') || !/[.]m?ts$/.test(url)) return next(url, context);
  return { format: 'module', source: strip(fileURLToPath(url)), shortCircuit: true };
}

/** Types become blanks, so lines and columns in errors are those of the file. */
function strip(path: string): string {
  const source = readFileSync(path, 'utf8');
  return transformSync(source, { mode: 'strip-only', module: true, filename: path }).code;
}
