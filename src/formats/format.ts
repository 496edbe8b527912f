/** What every format is to the rest of the house. */
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { Recording } from '../models/recording.js';
import type { JsonOutline } from './json-outline.js';

/** What a probe makes of the first bytes of an input. */
export interface Guess {
  /** 0: certainly not. Below `RECOGNISED`: some of its marks are there. 1: beyond doubt. */
  readonly confidence: number;
  /** What was seen, for messages: "a JSON object whose first keys are types and methods". */
  readonly because: string;
}

/** From this confidence on an input counts as recognised. */
export const RECOGNISED = 0.5;

/** No mark of the format was seen. */
export const NO_GUESS: Guess = { confidence: 0, because: '' };

/** The start of an input, made once for all probes. */
export interface Head {
  /** File name without folders; a hint only. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes as text, one character a byte. */
  readonly text: string;
  /** Whether `bytes` is the whole input. */
  readonly whole: boolean;
  /** Outline of a JSON object that was scanned further than `bytes`; probes ask `outlineOf`, which knows. */
  readonly outline?: JsonOutline;
}

/** A format that is read. */
export interface Format {
  readonly id: string;
  /** As in "a GraalVM PGO profile". */
  readonly title: string;
  readonly extensions: readonly string[];
  readonly probe: (head: Head) => Guess;
  readonly read: (source: ByteSource, work?: Work) => Promise<Recording>;
  /** Finds what is wrong with what was read, beyond the problems met while reading. */
  readonly check?: (recording: Recording) => Problems;
  /** Writes a recording that has what the format can hold. */
  readonly write?: (recording: Recording, options: WriteOptions) => Written;
}

export interface WriteOptions {
  /** Version of the format to write; the recording's own where it is not given. */
  readonly version?: string;
  readonly work?: Work;
}

/** The bytes of a file, in order, and what it could not hold. `dropped` is complete once all chunks were taken. */
export interface Written {
  readonly chunks: Iterable<Uint8Array>;
  readonly dropped: readonly string[];
}

/** A kind of file that is recognised and named, but not read yet. */
export interface KnownKind {
  readonly id: string;
  /** As in "a V8 heap snapshot", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' where it is not given, none for a title in the plural. */
  readonly article?: 'a' | 'an' | '';
  /** What the user can do with such a file: the tool that reads it, the file to give instead. A whole sentence. */
  readonly advice?: string;
  readonly probe: (head: Head) => Guess;
}

export function headOf(name: string, bytes: Uint8Array, whole: boolean): Head {
  return { name: name.slice(name.search(/[^/\\]*$/)), bytes, text: new TextDecoder('latin1').decode(bytes), whole };
}
