/**
 * Names of functions that compilers made from others: clones, code moved elsewhere, bodies of parallel constructs. Shown as the Performance Analyzer does,
 * origin first and the linker's name in brackets: `atomsum_ -- Parallel loop from line 7 [_$d1A7.atomsum_]`.
 */

/** What became of a function of the source. */
export interface FunctionPart {
  /** The linker's name of the function that it was made from; undefined if the name does not have it. */
  readonly origin: string | undefined;
  readonly what: string;
  /** Line of the source at which the part begins, if the name has it. */
  readonly line?: number;
  /** Whether the name is an encoded one of the compilers of Sun, which gprofng decodes, too. */
  readonly isEncoded: boolean;
}

const CLONE = 'cloned version';
/** Code that seldom runs, moved behind that which does. */
export const OUTLINE = 'outline code';
const REGION = 'OMP region';
/** Sun's compilers write `_$`, one of these, a number in base 26, the line, a dot and the origin. */
const ENCODED: Readonly<Record<string, string>> = {
  d1: 'Parallel loop',
  l1: 'Parallel loop',
  p1: 'OMP parallel region',
  s1: 'OMP sections',
  t1: 'OMP task',
  o1: OUTLINE,
  c1: CLONE,
};
const OF_SUN = /^_\$([a-z]1)[A-Za-z]*(\d*)[^.]*\.(.+)$/;
/** Suffixes of GCC and LLVM. */
const SUFFIXES =
  /^(.*?)((?:\.(?:cold|_omp_fn|_omp_cpyfn|omp_outlined(?:[._]+debug__)?|part|isra|constprop|clone|lto_priv|llvm|resolver)(?:\.{0,2}\d+(?![\w$])|\.)?)+)$/;

/** What a linker's name says about the origin of a function; undefined for functions of the source. */
export function partOf(symbol: string): FunctionPart | undefined {
  const [, kind = '', line = '', base] = OF_SUN.exec(symbol) ?? [];
  const what = ENCODED[kind];
  if (what !== undefined)
    return { origin: base, what, isEncoded: true, ...(line !== '' && what !== CLONE && { line: Number(line) }) };
  const [, origin = '', suffixes] = SUFFIXES.exec(symbol) ?? [];
  if (suffixes === undefined) return undefined;
  const isRegion = /\._?omp_/.test(suffixes);
  const isOutlined = /\.(?:cold|part)/.test(suffixes);
  return {
    origin: origin === '' ? undefined : origin,
    what: isRegion ? REGION : isOutlined ? OUTLINE : CLONE,
    isEncoded: false,
  };
}

/** A name as it is shown where nothing says that it is a linker's: `java.lang.Object.clone` is no clone, `_$c1A.scale` is one. */
export function shownSymbol(symbol: string): string {
  const part = partOf(symbol);
  return part?.isEncoded === true ? partName(part, symbol, part.origin) : symbol;
}

/** The readable name of a part. `origin`: name of the function that it was made from. */
export function partName(
  { what, line: own }: FunctionPart,
  symbol: string,
  origin: string | undefined,
  line: number | undefined = own,
): string {
  const from = line === undefined || what === CLONE ? '' : ` from line ${line}`;
  return `${origin === undefined ? '' : `${origin} -- `}${what}${from} [${symbol}]`;
}

/** The origin and the linker's name in the readable name of a part; undefined for other names. */
export function readPartName(
  name: string,
): { readonly origin: string | undefined; readonly symbol: string } | undefined {
  const [, origin, symbol] =
    /^(?:(.*) -- )?(?:cloned version|outline code|Parallel loop|OMP \w+(?: region)?)(?: from line \d+)? \[([^\]]+)\]$/.exec(
      name,
    ) ?? [];
  return symbol === undefined ? undefined : { origin, symbol };
}
