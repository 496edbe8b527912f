/** The opcodes of the Java virtual machine (JVMS 6.5, 7): mnemonic, shape of the operands, kind. */

/**
 * Shapes of operands, a letter each:
 * `-` none · `b` u1 signed · `s` u2 signed · `c` u1 pool · `C` u2 pool · `l` u1 local · `i` u1 local, u1 signed ·
 * `j` u2 offset · `J` u4 offset · `t` tableswitch · `k` lookupswitch · `I` u2 pool, count, 0 · `D` u2 pool, 0, 0 ·
 * `a` u1 array type · `m` u2 pool, u1 dimensions · `w` wide
 */
const TABLE = `
nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1
fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush:b sipush:s ldc:c ldc_w:C ldc2_w:C
iload:l lload:l fload:l dload:l aload:l iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3
fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3
iaload laload faload daload aaload baload caload saload
istore:l lstore:l fstore:l dstore:l astore:l istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3
fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3
iastore lastore fastore dastore aastore bastore castore sastore
pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap
iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem
ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc:i
i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg
ifeq:j ifne:j iflt:j ifge:j ifgt:j ifle:j if_icmpeq:j if_icmpne:j if_icmplt:j if_icmpge:j if_icmpgt:j if_icmple:j
if_acmpeq:j if_acmpne:j goto:j jsr:j ret:l tableswitch:t lookupswitch:k
ireturn lreturn freturn dreturn areturn return
getstatic:C putstatic:C getfield:C putfield:C invokevirtual:C invokespecial:C invokestatic:C invokeinterface:I invokedynamic:D
new:C newarray:a anewarray:C arraylength athrow checkcast:C instanceof:C monitorenter monitorexit
wide:w multianewarray:m ifnull:j ifnonnull:j goto_w:J jsr_w:J
`;

const ENTRIES = TABLE.trim()
  .split(/\s+/)
  .map((entry) => entry.split(':'));

/** Mnemonics by opcode; none after `jsr_w`. */
export const MNEMONICS: readonly string[] = ENTRIES.map(([mnemonic]) => mnemonic ?? '');

/** Shapes by opcode as character codes; 0 if there is no such opcode. */
export const SHAPES = new Uint8Array(256);

/**
 * Bytes of an instruction by opcode; 0 if its length is in its operands (switches, wide) or there is no such opcode.
 */
export const LENGTHS = new Uint8Array(256);

const SHAPE_LENGTHS: Readonly<Record<string, number>> = {
  '-': 1,
  b: 2,
  s: 3,
  c: 2,
  C: 3,
  l: 2,
  i: 3,
  j: 3,
  J: 5,
  t: 0,
  k: 0,
  I: 5,
  D: 5,
  a: 2,
  m: 4,
  w: 0,
};

/** Kinds of instructions that analyses distinguish. */
export const KINDS = [
  'other',
  'if',
  'goto',
  'jsr',
  'ret',
  'tableswitch',
  'lookupswitch',
  'return',
  'athrow',
  'invokevirtual',
  'invokespecial',
  'invokestatic',
  'invokeinterface',
  'invokedynamic',
  'getstatic',
  'putstatic',
  'getfield',
  'putfield',
  'new',
  'newarray',
  'checkcast',
  'instanceof',
  'monitorenter',
  'monitorexit',
] as const;
export type InstructionKind = (typeof KINDS)[number];

/** Index into `KINDS` by opcode. */
export const KIND_OF = new Uint8Array(256);

function kindOf(mnemonic: string): InstructionKind {
  const known = KINDS.find((kind) => kind === mnemonic || (kind !== 'if' && `${kind}_w` === mnemonic));
  if (known !== undefined) return known;
  if (mnemonic.startsWith('if')) return 'if';
  if (mnemonic.endsWith('newarray')) return 'newarray';
  return mnemonic.endsWith('return') ? 'return' : 'other';
}

ENTRIES.forEach(([mnemonic = '', shape = '-'], opcode) => {
  SHAPES[opcode] = shape.charCodeAt(0);
  LENGTHS[opcode] = SHAPE_LENGTHS[shape] ?? 0;
  KIND_OF[opcode] = KINDS.indexOf(kindOf(mnemonic));
});

/** Element types of `newarray` by its operand (JVMS table 6.5.newarray-A). */
export const ARRAY_TYPES: readonly (string | undefined)[] = [
  ...new Array<undefined>(4).fill(undefined),
  'boolean',
  'char',
  'float',
  'double',
  'byte',
  'short',
  'int',
  'long',
];

/** Opcodes used by name in the code. */
export const OPCODE = {
  aconst_null: 0x01,
  iconst_m1: 0x02,
  iconst_0: 0x03,
  iconst_5: 0x08,
  bipush: 0x10,
  sipush: 0x11,
  ldc: 0x12,
  ldc_w: 0x13,
  ldc2_w: 0x14,
  iload: 0x15,
  aload: 0x19,
  iload_0: 0x1a,
  aload_0: 0x2a,
  aload_3: 0x2d,
  iaload: 0x2e,
  aaload: 0x32,
  saload: 0x35,
  istore: 0x36,
  astore: 0x3a,
  istore_0: 0x3b,
  astore_0: 0x4b,
  astore_3: 0x4e,
  iastore: 0x4f,
  aastore: 0x53,
  sastore: 0x56,
  dup: 0x59,
  dup_x1: 0x5a,
  dup_x2: 0x5b,
  dup2: 0x5c,
  dup2_x1: 0x5d,
  dup2_x2: 0x5e,
  swap: 0x5f,
  idiv: 0x6c,
  ldiv: 0x6d,
  irem: 0x70,
  lrem: 0x71,
  iinc: 0x84,
  goto: 0xa7,
  jsr: 0xa8,
  ret: 0xa9,
  tableswitch: 0xaa,
  lookupswitch: 0xab,
  areturn: 0xb0,
  getstatic: 0xb2,
  putstatic: 0xb3,
  getfield: 0xb4,
  putfield: 0xb5,
  invokevirtual: 0xb6,
  invokespecial: 0xb7,
  invokestatic: 0xb8,
  invokeinterface: 0xb9,
  invokedynamic: 0xba,
  new: 0xbb,
  newarray: 0xbc,
  anewarray: 0xbd,
  arraylength: 0xbe,
  checkcast: 0xc0,
  wide: 0xc4,
  multianewarray: 0xc5,
  goto_w: 0xc8,
  jsr_w: 0xc9,
} as const;

export function kindOfOpcode(opcode: number): InstructionKind {
  return KINDS[KIND_OF[opcode]];
}
