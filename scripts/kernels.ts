/**
 * Compiles the kernels: `kernels/NAME.ts` (AssemblyScript) to WebAssembly, as text in the module that `KERNELS` names. With
 * `--check` it compiles them and says which modules are out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** Source → module with its code. `shared`: its memory is given to it, and threads share it. */
const KERNELS: Readonly<Record<string, { readonly module: string; readonly shared?: true }>> = {
  'kernels/hprof.ts': { module: 'src/formats/hprof/heap/kernel/kernel-code.ts', shared: true },
  'kernels/jfr.ts': { module: 'src/formats/jfr/kernel/kernel-code.ts' },
  'kernels/packing.ts': { module: 'src/base/columns/packing-code.ts' },
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const FLAGS = ['-O3', '--noAssert', '--converge', '--runtime', 'stub', '--enable', 'simd'];
/** 65,536 pages are the 4 GiB that 32-bit addresses reach. */
const SHARED = ['--importMemory', '--sharedMemory', '--enable', 'threads', '--maximumMemory', '65536'];
const LINE = 100;

for (const [source, { module, shared }] of Object.entries(KERNELS)) {
  const text = moduleOf(source, await compiled(source, shared === true ? [...FLAGS, ...SHARED] : FLAGS));
  if (!process.argv.includes('--check')) writeFileSync(`${root}${module}`, text);
  else if (readFileSync(`${root}${module}`, 'utf8') !== text) {
    process.stderr.write(`${module} is out of date: node dist/scripts/kernels.js\n`);
    process.exitCode = 1;
  }
}

async function compiled(source: string, flags: readonly string[]): Promise<Uint8Array> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main([source, '--outFile', 'kernel.wasm', ...flags], {
    readFile: (name) => readIfPresent(`${root}${name}`),
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') code = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || code === undefined) throw new Error(`${source} cannot be compiled: ${stderr.toString()}`);
  return code;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function moduleOf(source: string, code: Uint8Array): string {
  const lines =
    Buffer.from(code)
      .toString('base64')
      .match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  const parts = lines.map((line) => `  '${line}',`).join('\n');
  return `/** WebAssembly of \`${source}\`, ${code.length} bytes as base64. Made by \`node dist/scripts/kernels.js\`. */\nexport const CODE = [\n${parts}\n].join('');\n`;
}
