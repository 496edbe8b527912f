/** Flags as `javap -v` of JDK 17 and 25 prints them, by place. */
const SHARED = [
  [0x0001, 'PUBLIC'],
  [0x0002, 'PRIVATE'],
  [0x0004, 'PROTECTED'],
  [0x0008, 'STATIC'],
  [0x0010, 'FINAL'],
] as const;

type Words = readonly (readonly [number, string])[];

const CLASS: Words = [
  [0x0001, 'PUBLIC'],
  [0x0010, 'FINAL'],
  [0x0020, 'SUPER'],
  [0x0200, 'INTERFACE'],
  [0x0400, 'ABSTRACT'],
  [0x1000, 'SYNTHETIC'],
  [0x2000, 'ANNOTATION'],
  [0x4000, 'ENUM'],
  [0x8000, 'MODULE'],
];
const FIELD: Words = [...SHARED, [0x0040, 'VOLATILE'], [0x0080, 'TRANSIENT'], [0x1000, 'SYNTHETIC'], [0x4000, 'ENUM']];
const METHOD: Words = [
  ...SHARED,
  [0x0020, 'SYNCHRONIZED'],
  [0x0040, 'BRIDGE'],
  [0x0080, 'VARARGS'],
  [0x0100, 'NATIVE'],
  [0x0400, 'ABSTRACT'],
  [0x0800, 'STRICT'],
  [0x1000, 'SYNTHETIC'],
];
const WORDS = { class: CLASS, field: FIELD, method: METHOD } as const;

function wordsOf(words: Words, flags: number): string[] {
  return words.filter(([bit]) => (flags & bit) !== 0).map(([, word]) => word);
}

/** `flags: (0x0031) ACC_PUBLIC, ACC_FINAL, ACC_SUPER`. */
export function flagsLine(place: keyof typeof WORDS, flags: number): string {
  const words = wordsOf(WORDS[place], flags).map((word) => `ACC_${word}`);
  const known = WORDS[place].reduce((bits, [bit]) => bits | bit, 0);
  // Bits without a meaning here; classes that jlink generates are private.
  if ((flags & ~known) !== 0) words.push(`0x${(flags & ~known).toString(16)}`);
  return `flags: (0x${flags.toString(16).padStart(4, '0')}) ${words.join(', ')}`.trimEnd();
}

/** Modifiers of an inner class, a blank behind each. */
export function classModifiers(flags: number): string {
  const shown = (flags & 0x0200) === 0 ? flags : flags & ~0x0400;
  const words = wordsOf([...SHARED, [0x0400, 'ABSTRACT']], shown);
  return words.map((word) => `${word.toLowerCase()} `).join('');
}

export function parameterFlags(flags: number): string {
  const words = wordsOf(
    [
      [0x0010, 'final'],
      [0x8000, 'mandated'],
      [0x1000, 'synthetic'],
    ],
    flags,
  );
  return words.join(' ');
}
