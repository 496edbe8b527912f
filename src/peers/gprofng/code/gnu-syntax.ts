/**
 * Instructions of x86-64 in the spelling of `objdump`, from that of Capstone: both have the syntax of AT&T but differ in suffixes, zeros and prefixes.
 * Targets of branches and of `%rip` are relative to `origin`: gprofng disassembles each instruction as if it lay at address 0.
 */

export interface DecodedInstruction {
  readonly address: number;
  /** What targets are relative to: 0, or the address itself as gprofng has it. */
  readonly origin: number;
  readonly bytes: Uint8Array;
  /** As Capstone prints it. */
  readonly text: string;
}

/** Instructions whose suffix follows from a register that they name. */
const SUFFIXED = new Set(
  (
    'mov add sub and or xor cmp test lea inc dec neg not imul mul idiv div adc sbb shl shr sar sal rol ror rcl rcr shld shrd bt bts btr btc bsf bsr ' +
    'bswap xchg xadd cmpxchg popcnt lzcnt tzcnt tzcnt movbe lods stos scas cmps movs in out andn bextr blsi blsmsk blsr bzhi sarx shlx shrx rorx mulx pdep pext ' +
    'adcx adox crc32 rdrand rdseed rdfsbase rdgsbase wrfsbase wrgsbase smsw lmsw str sldt lar lsl movnti cvtsi2sd cvtsi2ss vcvtsi2sd vcvtsi2ss'
  ).split(' '),
);
const STACK = new Set(['push', 'pop', 'call', 'ret', 'jmp', 'leave', 'iret', 'lret', 'lcall', 'ljmp', 'enter']);
const SHIFTS = new Set(['shl', 'shr', 'sar', 'sal', 'rol', 'ror', 'rcl', 'rcr']);
const STRINGS = new Set(['lods', 'stos', 'scas', 'cmps', 'movs', 'ins', 'outs']);
const PREFIX = /^(?:lock|rep|repe|repne|repz|repnz|notrack|bnd|data16|addr32|xacquire|xrelease) /;
const GENERAL = /^%(?:[er]?(?:ax|bx|cx|dx|si|di|bp|sp)|[abcd][lh]|(?:si|di|bp|sp)l|r(?:8|9|1[0-5])[dwb]?)$/;
const VECTOR = /^%(?:[xyz]?mm|st|k)\d/;
/** Those of integers to floating point, whose register says the width. */
const CONVERTED = /^v?cvtsi2s[sd]$/;
const WIDTHS: Readonly<Record<string, number>> = { b: 1, w: 2, l: 4, q: 8 };
const CONVERSIONS = /^v?cvtt?s[sd]2si/;
const WIDTH = 6;

/** The instruction as `objdump` prints it, but for names of targets. */
export function gnuText(instruction: DecodedInstruction): string {
  const { text, bytes, address, origin } = instruction;
  if (text.startsWith('.byte')) return `.byte 0x${(bytes[0] ?? 0).toString(16)}`;
  if (bytes.length === 2 && bytes[0] === 0x66 && bytes[1] === 0x90) return line('xchg', ['%ax', '%ax']);
  let rest = text;
  let prefix = '';
  for (let found = PREFIX.exec(rest); found !== null; found = PREFIX.exec(rest)) {
    prefix += found[0].replace('repe ', 'repz ').replace('repne ', 'repnz ');
    rest = rest.slice(found[0].length);
  }
  const space = rest.indexOf(' ');
  const name = space < 0 ? rest : rest.slice(0, space);
  const operands = space < 0 ? [] : operandsOf(rest.slice(space + 1));
  if (/^nop[wlq]?$/.test(name) && operands.length > 0) return nopText(bytes, name, operands);
  if (isBranch(name) && operands.length === 1 && /^-?(?:0x)?[\da-f]+$/.test(operands[0] ?? ''))
    return line(`${prefix}${plain(name)}`, [relative(Number(operands[0]) - origin)]);
  const { base, suffix } = split(name);
  const shown = mnemonicOf(name, base, operands);
  const width = suffix === undefined ? undefined : WIDTHS[suffix];
  const spelled = withStrings(
    base,
    operands.map((operand) => operandText(operand, bytes, width)),
  );
  return withTarget(line(`${prefix}${shown}`, arranged(base, suffix, spelled, bytes)), address + bytes.length - origin);
}

function operandsOf(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    const at = text[i];
    if (at === '(') depth++;
    else if (at === ')') depth--;
    if (i < text.length && !(at === ',' && depth === 0)) continue;
    found.push(text.slice(from, i).replace(/ /g, ''));
    from = i + 1;
  }
  return found;
}

function line(name: string, operands: readonly string[]): string {
  return operands.length === 0 ? name : `${name.padEnd(WIDTH)} ${operands.join(',')}`;
}

function isBranch(name: string): boolean {
  return /^(?:j[a-z]+|call[qlw]?|loop(?:n?e)?|xbegin)$/.test(name);
}

function plain(name: string): string {
  return name.replace(/^(call|jmp|ret)[qlw]$/, '$1');
}

/** An unsigned number of 64 bits. */
function relative(distance: number): string {
  return `0x${BigInt.asUintN(64, BigInt(distance)).toString(16)}`;
}

function split(name: string): { readonly base: string; readonly suffix: string | undefined } {
  const [, base = '', suffix] = /^(.+?)([bwlq])$/.exec(name) ?? [];
  if (name === 'movabsq') return { base: 'movabs', suffix };
  if (
    suffix !== undefined &&
    (SUFFIXED.has(base) || STACK.has(base) || /^cmov[a-z]+$/.test(base) || CONVERSIONS.test(base))
  )
    return { base, suffix };
  return { base: name, suffix: undefined };
}

/** Without the suffix, where a register says the width. */
function mnemonicOf(name: string, base: string, operands: readonly string[]): string {
  if (name === base || operands.some((each) => VECTOR.test(each)))
    return CONVERTED.test(base) && operands.some((each) => GENERAL.test(each)) ? base : name;
  if (base === 'movabs' || STACK.has(base)) return base;
  if (STRINGS.has(base)) return operands.some((each) => GENERAL.test(each)) ? base : name;
  const counted = SHIFTS.has(base) && operands.length > 1 ? operands.slice(1) : operands;
  const last = /^(?:crc32)$/.test(base) ? [] : counted;
  return last.some((each) => GENERAL.test(each)) ? base : name;
}

function arranged(
  base: string,
  suffix: string | undefined,
  operands: readonly string[],
  bytes: Uint8Array,
): readonly string[] {
  if (SHIFTS.has(base) && suffix !== undefined && operands.length === 2 && operands[0] === '$0x1' && isByOne(bytes))
    return operands.slice(1);
  return operands;
}

/** `D0` and `D1` shift by one without naming it. */
function isByOne(bytes: Uint8Array): boolean {
  const code = bytes[opcodeAt(bytes)];
  return code === 0xd0 || code === 0xd1;
}

/** Memory of string instructions is named with its segment. */
function withStrings(base: string, operands: readonly string[]): readonly string[] {
  if (!STRINGS.has(base)) return operands;
  return operands.map((each) => each.replace(/^\(%[er]?di\)$/, '%es:$&').replace(/^\(%[er]?si\)$/, '%ds:$&'));
}

function operandText(operand: string, bytes: Uint8Array, width: number | undefined): string {
  if (operand.startsWith('$')) return `$${immediate(operand.slice(1), width)}`;
  const found = /^(\*?)(%[a-z]s:)?(-?(?:0x)?[\da-f]*)\((.*)\)$/.exec(operand);
  if (found === null)
    return /^-?\d+$/.test(operand) ? hexOf(operand) : operand.replace(/:(-?\d+)$/, (_, n) => `:${hexOf(n)}`);
  const [, star = '', segment = '', displacement = '', inside = ''] = found;
  const [base = '', index, scale = '1'] = inside.split(',');
  const address = index === undefined ? base : `${base},${index},${scale}`;
  const shown = displacement === '' ? (hasDisplacement(bytes) ? '0x0' : '') : hexOf(displacement);
  return `${star}${segment}${shown}(${address})`;
}

function hexOf(text: string): string {
  const value = BigInt(text.replace('-', ''));
  return `${text.startsWith('-') ? '-' : ''}0x${value.toString(16)}`;
}

function immediate(text: string, width = 8): string {
  const value = BigInt(text.replace('-', '')) * (text.startsWith('-') ? -1n : 1n);
  return `0x${BigInt.asUintN(8 * width, value).toString(16)}`;
}

const LEGACY = new Set([0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65]);

/** Index of the opcode behind prefixes and escapes. */
function opcodeAt(bytes: Uint8Array): number {
  let at = 0;
  while (LEGACY.has(bytes[at])) at++;
  if (bytes[at] >= 0x40 && bytes[at] <= 0x4f) at++;
  if (bytes[at] === 0xc5) return at + 2;
  if (bytes[at] === 0xc4) return at + 3;
  if (bytes[at] === 0x62) return at + 4;
  if (bytes[at] !== 0x0f) return at;
  return bytes[at + 1] === 0x38 || bytes[at + 1] === 0x3a ? at + 2 : at + 1;
}

/** Whether the operand in memory has a displacement, which may be zero. */
function hasDisplacement(bytes: Uint8Array): boolean {
  const at = opcodeAt(bytes) + 1;
  const modes = bytes[at] ?? 0xc0;
  const mode = modes >> 6;
  const isBased = mode === 0 && (modes & 7) === 4 && ((bytes[at + 1] ?? 0) & 7) === 5;
  return mode === 1 || mode === 2 || isBased;
}

function nopText(bytes: Uint8Array, name: string, operands: readonly string[]): string {
  const prefixes = [...bytes.subarray(0, opcodeAt(bytes))];
  const wide = prefixes.filter((byte) => byte === 0x66).length;
  const words = [...Array(Math.max(0, wide - 1)).fill('data16'), ...(prefixes.includes(0x2e) ? ['cs'] : []), name];
  const shown = operands.map((operand) => operandText(operand.replace(/^%cs:/, ''), bytes, undefined));
  return line(words.join(' '), shown);
}

/** Where a place relative to the next instruction is, behind the instruction. */
function withTarget(text: string, next: number): string {
  const [, sign, distance] = /(-?)0x([\da-f]+)\(%rip\)/.exec(text) ?? [];
  if (distance === undefined) return text;
  const value = Number.parseInt(distance, 16) * (sign === '-' ? -1 : 1);
  return `${text}        # ${relative(value + next)}`;
}
