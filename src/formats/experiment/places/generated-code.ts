/** The instructions of native functions that were made at run time, from dyntext and map.xml. */
import { ProblemLog } from '../../../base/problems.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { GeneratedCode } from '../../../models/program/code.js';
import { functionName } from '../../../models/program/names.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { FileSet } from '../../capabilities/sets.js';
import { ProcessFiles, processesOf, readCode } from '../process.js';

/** All bodies of the functions with these names, process by process. What is damaged was reported when the experiment was read. */
export async function generatedCode(
  tree: FileTree,
  set: FileSet,
  names: ReadonlySet<string>,
): Promise<GeneratedCode[]> {
  const found: GeneratedCode[] = [];
  for (const prefix of processesOf(set)) found.push(...(await inProcess(tree, set, prefix, names)));
  return found;
}

async function inProcess(
  tree: FileTree,
  set: FileSet,
  prefix: string,
  names: ReadonlySet<string>,
): Promise<GeneratedCode[]> {
  const files = new ProcessFiles(tree, set, prefix, new ProblemLog());
  if (!files.has('dyntext')) return [];
  const { bigEndian, word, system } = await files.log();
  const architecture = word === 4 && system.get('arch') === 'x86_64' ? 'i386' : (system.get('arch') ?? '');
  const program = new ProgramBuilder();
  const { text, space } = await readCode(files, !bigEndian, { program, methodAt: () => -1, executables: new Set() });
  if (text === undefined) return [];
  const made = program.finish();
  return space.generated().flatMap(({ function: id, code, high, low, size, offset }): GeneratedCode[] => {
    const name = id < 0 ? undefined : functionName(made, id);
    if (code?.code === undefined || name === undefined || !names.has(name)) return [];
    const { from, to } = code.code;
    return [
      {
        name,
        file: code.source,
        offset,
        address: high * 2 ** 32 + low,
        code: text.slice(from, Math.min(to, from + size)),
        place: from,
        architecture,
        lines: code.lines,
      },
    ];
  });
}
