/** Recognising a kind of files by the first bytes of an input. */

/** Result of a probe of the first bytes of an input. */
export interface Guess {
  /** 0: certainly not. Below `RECOGNISED`: some of its marks were found. 1: certain. */
  readonly confidence: number;
  /** Evidence, for messages: "a JSON object whose first keys are types and methods". */
  readonly because: string;
}

/** From this confidence on an input counts as recognised. */
export const RECOGNISED = 0.5;

/** No mark of the format was found. */
export const NO_GUESS: Guess = { confidence: 0, because: '' };

/** The start of an input, created once for all probes. */
export interface Head {
  /** File name without folders; a hint only. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes as text, one character a byte. */
  readonly text: string;
  /** Whether `bytes` is the whole input. */
  readonly whole: boolean;
  /** Outline of a JSON object that was scanned further than `bytes`; probes use `outlineOf`, which chooses. */
  readonly outline?: JsonOutline;
}

export function headOf(name: string, bytes: Uint8Array, whole: boolean): Head {
  return { name: name.slice(name.search(/[^/\\]*$/)), bytes, text: new TextDecoder('latin1').decode(bytes), whole };
}

/** Structure near the top of a JSON document; made by `json-outline.ts`. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

export interface JsonMark {
  readonly kind: JsonKind;
  /** The first characters of a string (one a byte, escapes as written) or all of a number or word; else empty. */
  readonly text: string;
}

export interface JsonOutline {
  /** Kind of the whole document; undefined if the bytes do not begin as a JSON object or array. */
  readonly root: 'object' | 'array' | undefined;
  /** First value seen at each path: `meta/version`, `threads[]/name`, `[]/ph`. Array elements share one path. */
  readonly marks: ReadonlyMap<string, JsonMark>;
  /** Keys of the outermost object in the order of the file. */
  readonly keys: readonly string[];
  /** From some byte on it was not JSON. `marks` has the part before. */
  readonly faulty: boolean;
  /** The outermost value was closed. */
  readonly ended: boolean;
  /** The end is followed by something other than whitespace: several values, or not JSON. */
  readonly trailing: boolean;
}
