/**
 * Makes an object tree report of any size from a seed, in the documented form as GraalVM 25 spells it: constants in methods and static fields,
 * below them objects with fields, arrays, references to objects that were listed, texts of strings.
 *
 *   node dist/bench/object-tree/generate.js OUTPUT.txt MEGABYTES
 *
 * As in real images, each object has a text of its own (its identity hash code), and types, fields and roots repeat.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Int32Builder } from '../../src/base/columns/columns.js';
import { Random } from '../../src/testing/random.js';

const SEED = 20261123;
const CHUNK = 1 << 20;
const TYPES = 3000;
const DEEPEST = 14;
const WORDS = 'Map Node Entry Key List Table Cache Module Loader Locale Zone Type Method Field Option Config'.split(
  ' ',
);

class TreeMaker {
  readonly #random = new Random(SEED);
  readonly #write: (text: string) => void;
  /** By id: the number of the type. */
  readonly #types = new Int32Builder();
  #lines: string[] = [];
  #pending = 0;
  bytes = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  make(bytes: number): void {
    this.#line('Heap roots');
    for (let root = 0; this.bytes < bytes; root++) this.#root(root);
    this.#line(`└── root app:com.example.Last.last:com.example.Last ${this.#reference(false)}`);
    this.#line('');
    this.flush();
  }

  #root(root: number): void {
    const holder = typeName(root % TYPES);
    const source =
      root % 9 === 0 ? `app:${holder}.field${root}:${holder}` : `null:${holder}.method${root % 97}(int, Map) [bci: -5]`;
    const known = this.#types.length > 0 && this.#random.below(4) === 0;
    if (known) {
      this.#line(`├── root ${source} ${this.#reference(false)}`);
      return;
    }
    this.#line(`├── root ${source} value:`);
    this.#object('│   ', '└── ', 1);
  }

  #object(bars: string, glyph: string, depth: number, label = ''): void {
    const number = this.#random.below(TYPES);
    const isArray = isArrayType(number);
    const count = depth >= DEEPEST ? 0 : this.#random.below(isArray ? 6 : 5);
    const id = this.#types.push(number);
    const rest = isArray ? 'elements (excluding null):' : 'fields:';
    const words = count > 0 ? rest : isArray ? '(no elements)' : '(no fields)';
    this.#line(`${bars}${glyph}${label}${typeName(number)} id=${id} ${this.#text(id)} ${words}`);
    const below = `${bars}${glyph === '├── ' ? '│   ' : '    '}`;
    for (let i = 0; i < count; i++)
      this.#child(below, i === count - 1 ? '└── ' : '├── ', { isArray, index: i, number, depth });
  }

  #child(
    bars: string,
    glyph: string,
    { isArray, index, number, depth }: { isArray: boolean; index: number; number: number; depth: number },
  ): void {
    const kind = this.#random.below(10);
    if (isArray) {
      if (kind < 4) this.#line(`${bars}${glyph}[${index}] ${this.#reference(true)}`);
      else this.#object(bars, glyph, depth + 1, `[${index}] `);
      return;
    }
    const field = `${WORDS[(number + index) % WORDS.length]?.toLowerCase()}${number % 7}:${typeName((number * 7 + index) % TYPES)}`;
    if (kind < 3) this.#line(`${bars}${glyph}${field} value=null`);
    else if (kind < 5)
      this.#line(`${bars}${glyph}${field} toString=null:"name ${this.#random.below(50_000)}" (expansion suppressed)`);
    else {
      this.#line(`${bars}${glyph}${field} value:`);
      const below = `${bars}${glyph === '├── ' ? '│   ' : '    '}`;
      if (kind < 8) this.#line(`${below}└── ${this.#reference(true)}`);
      else this.#object(below, '└── ', depth + 1);
    }
  }

  #reference(typed: boolean): string {
    const id = this.#random.below(this.#types.length);
    return `${typed ? `${typeName(this.#types.values[id])} ` : ''}id-ref=${id} ${this.#text(id)}`;
  }

  #text(id: number): string {
    const type = typeName(this.#types.values[id]);
    return `toString=app:${type.slice(type.lastIndexOf('.') + 1)}@${(id * 48271) % 2147483647}`;
  }

  #line(text: string): void {
    this.#lines.push(text);
    this.#pending += text.length + 1;
    this.bytes += text.length + 1;
    if (this.#pending > CHUNK) this.flush();
  }

  flush(): void {
    this.#write(this.#lines.map((line) => `${line}\n`).join(''));
    this.#lines = [];
    this.#pending = 0;
  }
}

function isArrayType(number: number): boolean {
  return number % 5 === 0;
}

function typeName(number: number): string {
  const [a, b] = [WORDS[number % WORDS.length] ?? '', WORDS[(number >> 4) % WORDS.length] ?? ''];
  return `com.example.${a.toLowerCase()}.${b.toLowerCase()}.${a}${b}${number}${isArrayType(number) ? '[]' : ''}`;
}

/** Writes such a report to `output`, of at least so many characters. */
export function generate(output: string, characters: number): void {
  const file = openSync(output, 'w');
  try {
    new TreeMaker((text) => writeSync(file, text)).make(characters);
  } finally {
    closeSync(file);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [output = '', megabytes = '35'] = process.argv.slice(2);
  generate(output, Number(megabytes) * 1e6);
}
