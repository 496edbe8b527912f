/** Functions that a program made at run time as units of code: their instructions, and lines of their source. */
import type { GeneratedCode } from '../../../models/program/code.js';
import { DYNAMIC_FUNCTIONS } from '../peer/generated.js';
import { type CodeFunction, emptyFunction, type FoundCode, lineOfFile } from './model.js';

/** A function with its code. */
export interface GeneratedFunction extends FoundCode {
  readonly code: GeneratedCode;
}

export class GeneratedUnits {
  /** In the order of their offsets. */
  readonly #functions: readonly GeneratedFunction[];

  /** `codes`: all bodies of all such functions. */
  constructor(codes: readonly GeneratedCode[]) {
    this.#functions = codes.map(unitOf).sort((a, b) => a.code.offset - b.code.offset);
  }

  /** The function at an offset in the load object of generated code. */
  at(offset: number): GeneratedFunction | undefined {
    const found = this.#functions.findLast(({ code }) => code.offset <= offset);
    return found !== undefined && offset < found.code.offset + found.code.code.length ? found : undefined;
  }

  /** The code of a function that was found here. */
  codeOf(of: CodeFunction): GeneratedCode | undefined {
    return this.#functions.find((each) => each.function === of)?.code;
  }
}

function unitOf(code: GeneratedCode): GeneratedFunction {
  const { name, file, offset: start, lines } = code;
  const size = code.code.length;
  const made = emptyFunction(name, start, size);
  if (file === undefined) return { code, unit: undefined, function: made };
  made.file = file;
  made.firstLine = lines[0]?.line ?? 0;
  const onLine = new Map<number, CodeFunction[]>();
  lines.forEach(({ offset, line }, i) => {
    const bytes = (lines[i + 1]?.offset ?? size) - offset;
    made.rows.push({ offset, file, line, size: bytes });
    const key = lineOfFile(file, line);
    const known = made.lines.get(key);
    made.lines.set(key, { offset: known?.offset ?? offset, size: (known?.size ?? 0) + bytes });
    onLine.set(line, [made]);
  });
  const unit = { source: file, object: DYNAMIC_FUNCTIONS, functions: [made], onLine: new Map([[file, onLine]]) };
  return { code, unit, function: made };
}
