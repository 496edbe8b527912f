/**
 * The lines of callgrind's and cachegrind's text (valgrind's manual, "Callgrind Format Specification"), one after the other: names that are written
 * once and then by number, positions that are relative, costs, calls. Cost: 1 µs a line.
 *
 *   fl=(1) shop.c            file of the following functions
 *   fn=(9) main              function
 *   fi=(2) vector.h          file of code that was inlined into it; fe= ends that
 *   31 5 2                   line, costs of each event
 *   cob=(3) libc.so cfi=(4) qsort.c cfn=(7) qsort      object, file and name of what the next line calls (each a line of its own)
 *   calls=2 30               how often, and where it begins
 *   +2 71 9                  line of the call, and what the called function cost
 */

/** Where a cost is from. Names are empty where they are unknown. */
export interface CostPlace {
  readonly object: string;
  /** File of the line. */
  readonly file: string;
  readonly function: string;
  /** File of the function that the code was inlined into; the same as `file` if it was not inlined. */
  readonly outerFile: string;
  /** Address of the instruction, -1 if unknown. */
  readonly instruction: number;
  /** -1 unknown. */
  readonly line: number;
}

export interface CalledFunction {
  readonly object: string;
  readonly file: string;
  readonly function: string;
}

export interface CallgrindContent {
  readonly header: (key: string, value: string) => void;
  /** Costs by event, fewer than there are events where the last ones are 0; the list is used again. */
  readonly cost: (place: CostPlace, costs: readonly number[]) => void;
  readonly call: (place: CostPlace, called: CalledFunction, count: number, costs: readonly number[]) => void;
  /** A line that is none of the format. */
  readonly unknown: (line: string) => void;
}

const NAME = /^(c?ob|c?f[lien]|cfi|cfl|cfn|jfi|jfn)=(?:\((\d+)\))? *(.*)$/s;
const HEADER = /^([a-zA-Z]+): *(.*)$/s;
/** What callgrind writes for a name that it does not know. */
const UNKNOWN_NAME = '???';

export class CallgrindLines {
  /** Jumps, whose counts have no place in the models. */
  jumps = 0;
  readonly #content: CallgrindContent;
  readonly #names = { ob: new Map<string, string>(), fl: new Map<string, string>(), fn: new Map<string, string>() };
  #positions: readonly string[] = ['line'];
  #position = { instruction: 0, line: 0 };
  #object = '';
  #file = '';
  #outerFile = '';
  #function: string | undefined;
  #calledObject: string | undefined;
  #calledFile: string | undefined;
  #calledFunction: string | undefined;
  /** How often the call of the next line happened; undefined if it is none. */
  #count: number | undefined;
  readonly #costs: number[] = [];

  constructor(content: CallgrindContent) {
    this.#content = content;
  }

  line(text: string): void {
    const first = text.charCodeAt(0);
    // A digit, `*`, `+` or `-`.
    if ((first >= 0x30 && first <= 0x39) || first === 0x2a || first === 0x2b || first === 0x2d) this.#cost(text);
    else if (text !== '' && first !== 0x23) this.#word(text);
  }

  #word(text: string): void {
    const name = NAME.exec(text);
    if (name !== null) this.#name(name[1] ?? '', this.#nameOf(name[1] ?? '', name[2], name[3] ?? ''));
    else if (text.startsWith('calls=')) this.#calls(text);
    else if (/^j(?:ump|cnd)=/.test(text)) this.jumps++;
    else this.#other(text);
  }

  /** Names are written once and then by their numbers, which all lines of a kind share. */
  #nameOf(key: string, number: string | undefined, text: string): string {
    const names = this.#names[key.endsWith('ob') ? 'ob' : key.endsWith('fn') ? 'fn' : 'fl'];
    const plain = text === UNKNOWN_NAME ? '' : text;
    if (number === undefined) return plain;
    if (text !== '') names.set(number, plain);
    return names.get(number) ?? `(${number})`;
  }

  #name(key: string, name: string): void {
    if (key === 'ob') this.#object = name;
    else if (key === 'fl') this.#file = name;
    else if (key === 'fi' || key === 'fe') this.#file = name;
    else if (key === 'fn') {
      this.#function = name;
      this.#outerFile = this.#file;
    } else if (key === 'cob') this.#calledObject = name;
    else if (key === 'cfi' || key === 'cfl') this.#calledFile = name;
    else if (key === 'cfn') this.#calledFunction = name;
  }

  #calls(text: string): void {
    const count = /^calls=(\d+)(?:\s|$)/.exec(text)?.[1];
    if (count === undefined || this.#calledFunction === undefined) this.#content.unknown(text);
    else this.#count = Number(count);
  }

  #other(text: string): void {
    const [, key = '', value = ''] = HEADER.exec(text) ?? [];
    if (key === '') this.#content.unknown(text);
    else {
      if (key === 'positions') this.#positions = value.split(/\s+/).filter((word) => word !== '');
      this.#content.header(key, value.trimEnd());
    }
  }

  #cost(text: string): void {
    const words = text.trimEnd().split(/\s+/);
    const { length } = this.#positions;
    const position = { ...this.#position };
    let isSound = this.#function !== undefined && words.length >= length;
    for (let i = 0; i < length && isSound; i++) {
      const key = this.#positions[i] === 'line' ? 'line' : 'instruction';
      const value = positionOf(words[i] ?? '', position[key]);
      if (value === undefined) isSound = false;
      else position[key] = value;
    }
    const costs = this.#costs;
    costs.length = 0;
    for (let i = length; i < words.length && isSound; i++) {
      const cost = words[i] === '.' ? 0 : Number(words[i]);
      if (Number.isFinite(cost)) costs.push(cost);
      else isSound = false;
    }
    if (isSound) {
      this.#position = position;
      this.#give(costs);
    } else this.#content.unknown(text);
    this.#count = undefined;
  }

  #give(costs: readonly number[]): void {
    const { instruction, line } = this.#position;
    const place: CostPlace = {
      object: this.#object,
      file: this.#file,
      function: this.#function ?? '',
      outerFile: this.#outerFile,
      instruction: this.#positions.some((word) => word !== 'line') ? instruction : -1,
      line: this.#positions.includes('line') ? line : -1,
    };
    if (this.#count === undefined) {
      this.#content.cost(place, costs);
      return;
    }
    const called: CalledFunction = {
      object: this.#calledObject ?? this.#object,
      file: this.#calledFile ?? this.#file,
      function: this.#calledFunction ?? '',
    };
    this.#content.call(place, called, this.#count, costs);
    // The next call is in the object and file of its caller again, unless it has others.
    [this.#calledObject, this.#calledFile, this.#calledFunction] = [undefined, undefined, undefined];
  }
}

/** A position: a number, `*` for that of the line before, or how far it is from that. */
function positionOf(word: string, before: number): number | undefined {
  if (word === '*') return before;
  const match = /^([+-]?)(0x[0-9a-fA-F]+|\d+)$/.exec(word);
  if (match === null) return undefined;
  const value = Number(match[2]);
  return match[1] === '' ? value : before + (match[1] === '-' ? -value : value);
}
