/** The interface of formats to all other rooms. */
import type { Phrase } from '../base/phrase.js';
import type { Problems } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { Recording } from '../models/recording.js';
import type { EntryAccess } from './capabilities/entries.js';
import type { EventAccess } from './capabilities/events.js';
import type { OpenGrowing } from './capabilities/growing.js';
import type { HeapAccess } from './capabilities/heaps.js';
import type { InLogs } from './capabilities/logs.js';
import type { Guess, Head } from './capabilities/probe.js';
import type { SetFormat } from './capabilities/sets.js';
import type { Writer } from './capabilities/writer.js';

import type { LogKind } from './shared/logs/log-kind.js';

/** A kind of files. */
interface FileKind {
  readonly id: string;
  /** As in "a GraalVM PGO profile", without the article. */
  readonly title: string;
  /** Goes before the title; 'a' if not given, empty for a plural title. */
  readonly article?: 'a' | 'an' | '';
}

/**
 * A format with a reader. Other capabilities are optional: code outside `formats` tests for a capability, never for a
 * format by name, and only the format uses the residue of its recordings.
 */
export interface Format extends FileKind {
  readonly extensions: readonly string[];
  readonly probe: (head: Head) => Guess;
  /** How its files begin. Where they do and `probe` is certain, no other kind is asked: the others take milliseconds at each start. */
  readonly magic?: string | undefined;
  readonly read: (source: ByteSource, work?: Work) => Promise<Recording>;
  /** Finds problems beyond those found while reading. */
  readonly check?: (recording: Recording) => Problems;
  readonly sets?: SetFormat;
  readonly inLogs?: InLogs;
  /** The format with the records of these kinds that texts in its files have. */
  readonly withRecords?: (kinds: readonly LogKind[]) => Format;
  readonly events?: EventAccess;
  readonly heaps?: HeapAccess;
  readonly growing?: OpenGrowing;
  readonly writer?: Writer;
  readonly entries?: EntryAccess;
}

/** A kind of files that is written for other programs, and never read. */
export interface Export extends FileKind {
  readonly extensions: readonly string[];
  readonly writer: Writer;
}

/** A kind of files that is recognised, but cannot be read yet. */
export interface KnownKind extends FileKind {
  /** Advice: the tool that reads such a file, or the file to use instead. A whole sentence. */
  readonly advice?: Phrase;
  readonly probe: (head: Head) => Guess;
  /** Paths of the recordings that such a file lists and stands for, from its folder on. */
  readonly lists?: (text: string) => readonly string[];
}
