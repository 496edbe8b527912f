/**
 * A second, plain reading of class files for the robustness tests: walks everything by its lengths, rejects
 * inconsistent lengths, and keeps nothing. It shares no code with the reader.
 */
const POOL_SIZES: Readonly<Record<number, number>> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
};

/** Bytes of the operands of each opcode, as JVMS 6.5 lists them; `?` is in the code, `!` is not an opcode. */
const OPERANDS = [
  '0000000000000000',
  '1212211111000000',
  '0000000000000000',
  '0000001111100000',
  '0000000000000000',
  '0000000000000000',
  '0000000000000000',
  '0000000000000000',
  '0000200000000000',
  '0000000002222222',
  '2222222221??0000',
  '0022222224421200',
  '2200?32244!!!!!!',
  '!!!!!!!!!!!!!!!!',
  '!!!!!!!!!!!!!!!!',
  '!!!!!!!!!!!!!!!!',
].join('');

export interface NaiveCounts {
  readonly fields: number;
  readonly methods: number;
  readonly instructions: number;
}

/** Counts what is in a class file; throws an Error if it is not one from the first to the last byte. */
export function naiveClass(bytes: Uint8Array): NaiveCounts {
  return new NaiveClass(bytes).read();
}

class NaiveClass {
  readonly #view: DataView;
  readonly #tags: number[] = [];
  readonly #utf8: string[] = [];
  #at = 0;
  #instructions = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #u1(): number {
    return this.#view.getUint8(this.#at++);
  }

  #u2(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2);
  }

  #u4(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4);
  }

  #skip(bytes: number): void {
    this.#at += bytes;
  }

  read(): NaiveCounts {
    if (this.#u4() !== 0xcafebabe) throw new Error('magic');
    this.#at += 4;
    this.#pool();
    this.#at += 2;
    this.#index(7);
    const superclass = this.#u2();
    if (superclass !== 0 && this.#tags[superclass] !== 7) throw new Error('superclass');
    for (let n = this.#u2(); n > 0; n--) this.#index(7);
    const fields = this.#members();
    const methods = this.#members();
    this.#attributes(this.#view.byteLength);
    if (this.#at !== this.#view.byteLength) throw new Error('end');
    return { fields, methods, instructions: this.#instructions };
  }

  #index(tag: number): void {
    if (this.#tags[this.#u2()] !== tag) throw new Error('index');
  }

  #pool(): void {
    const count = this.#u2();
    for (let i = 1; i < count; i++) {
      const tag = this.#u1();
      this.#tags[i] = tag;
      if (tag === 1) {
        const length = this.#u2();
        let text = '';
        for (let k = 0; k < length; k++) text += String.fromCharCode(this.#u1());
        this.#utf8[i] = text;
        continue;
      }
      const size = POOL_SIZES[tag];
      if (size === undefined) throw new Error('tag');
      this.#at += size;
      if (tag === 5 || tag === 6) i++;
      if (i >= count) throw new Error('half an entry');
    }
  }

  #members(): number {
    const count = this.#u2();
    for (let i = 0; i < count; i++) {
      this.#at += 2;
      this.#index(1);
      this.#index(1);
      this.#attributes(this.#view.byteLength);
    }
    return count;
  }

  #attributes(limit: number): void {
    for (let n = this.#u2(); n > 0; n--) {
      const name = this.#utf8[this.#u2()];
      if (name === undefined) throw new Error('name');
      const length = this.#u4();
      const end = this.#at + length;
      if (end > limit) throw new Error('length');
      if (name === 'Code') this.#code(end);
      else if (name === 'LineNumberTable' && this.#u2() * 4 + 2 !== length) throw new Error('lines');
      this.#at = end;
    }
  }

  #code(end: number): void {
    this.#at += 4;
    const length = this.#u4();
    const start = this.#at;
    if (length === 0 || length > 65535 || start + length > end) throw new Error('code length');
    while (this.#at < start + length) this.#instruction(start);
    if (this.#at !== start + length) throw new Error('last instruction');
    this.#skip(this.#u2() * 8);
    this.#attributes(end);
    if (this.#at !== end) throw new Error('end of Code');
  }

  #instruction(start: number): void {
    this.#instructions++;
    const opcode = this.#u1();
    const operands = OPERANDS[opcode];
    if (operands === '!') throw new Error('opcode');
    if (operands !== '?') {
      this.#at += Number(operands);
      return;
    }
    if (opcode === 0xc4) {
      const widened = this.#u1();
      const known =
        widened === 0x84 ||
        widened === 0xa9 ||
        (widened >= 0x15 && widened <= 0x19) ||
        (widened >= 0x36 && widened <= 0x3a);
      if (!known) throw new Error('wide');
      this.#at += widened === 0x84 ? 4 : 2;
      return;
    }
    while ((this.#at - start) % 4 !== 0) this.#at++;
    this.#at += 4;
    if (opcode === 0xab) {
      this.#skip(this.#u4() * 8);
      return;
    }
    const low = this.#u4() | 0;
    const high = this.#u4() | 0;
    if (high < low) throw new Error('tableswitch');
    this.#at += (high - low + 1) * 4;
  }
}
