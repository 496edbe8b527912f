/**
 * Data of an `.iprof` file beyond the models: enough to write the same JSON value again, and to report the place of
 * each entry. Plain data, so that it is cached and sent between threads with the recording.
 */
import type { OffsetColumn } from '../../base/columns/columns.js';
import type { Recording } from '../../models/recording.js';
import type { Unexplained } from '../capabilities/entries.js';
import { residueOf } from '../shared/residue.js';
import type { ContextKey, NameKey, ProfileSection } from './vocabulary.js';

/** A key of the top-level object, in the order of the file. */
export interface SectionResidue {
  readonly key: string;
  /** `version` and `unknown` sections are kept as their JSON text in `raw`. */
  readonly kind: ProfileSection | 'version' | 'unknown';
  /** Byte offset of the key. */
  readonly offset: number;
  /** Elements of its array, with those that are only kept verbatim. */
  readonly elements: number;
  readonly nameKey: NameKey;
  readonly contextKey: ContextKey;
  /** 0.2.0 has its monitors in an object of their own instead of an array of one. */
  readonly single: boolean;
  readonly raw?: Uint8Array;
}

/**
 * Elements that must be written back unchanged; element `i` is `bytes[start[i] .. start[i + 1])`. Columns, since a
 * damaged file can have millions of them.
 */
export interface VerbatimTable {
  readonly length: number;
  /** Index into `sections`. */
  readonly section: Int32Array;
  /** Rows (types, methods) or sites (entries) of the section before it. */
  readonly before: Int32Array;
  /** 1: the element is also row `before`, with data beyond the models. 0: it has no row. */
  readonly replaces: Int32Array;
  readonly start: Float64Array;
  readonly bytes: Uint8Array;
}

export interface IprofResidue {
  /** Bytes of JSON read (decompressed). */
  readonly bytes: number;
  readonly version: string | undefined;
  /** Bytes were lost: to be valid again, the file needs its mandatory sections. */
  readonly damaged: boolean;
  readonly sections: readonly SectionResidue[];
  readonly verbatim: VerbatimTable;
  /** Rows of `classes` and `functions` in the file; later rows are only referred to. */
  readonly types: number;
  readonly methods: number;
  /** Offsets of the elements that have rows, by section kind. */
  readonly offsets: Readonly<Record<ProfileSection, OffsetColumn>>;
}

/** The residue of a recording read from an `.iprof` file. */
export function iprofResidue(recording: Recording): IprofResidue {
  return residueOf<IprofResidue>(recording, 'iprof');
}

/** Sections and elements that are kept unchanged, since the format does not define their meaning. */
export function unexplainedIprof(recording: Recording): Unexplained {
  if (recording.residue === undefined) return { sections: [], elements: 0 };
  const { sections, verbatim } = iprofResidue(recording);
  return {
    sections: sections.filter(({ kind }) => kind === 'unknown').map(({ key }) => key),
    elements: verbatim.length,
  };
}
