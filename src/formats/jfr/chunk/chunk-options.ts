/** What is read of a chunk, and what is found. */
import type { Problems } from '../../../base/problems.js';
import type { ReadAt } from '../../capabilities/file-pass.js';
import type { ChunkGrowth } from '../constants/chunk-growth.js';
import type { FieldsOfConstants } from '../constants/constant-plans.js';
import type { ChunkRows, ChunkTexts } from './chunk-data.js';
import type { EventSpan, TypeCount } from './event-counts.js';
import type { ChunkHeader } from './header.js';
import type { MetaType } from './metadata.js';
import type { Rows } from './rows.js';
import type { SharedState } from './shared-state.js';

/**
 * Which events are decoded, by name of the type: these fields, all if `true`. Of types that the metadata lack, nothing is decoded; nor
 * are constants where there is no other type.
 */
export type EventSelection =
  | Readonly<Record<string, readonly string[] | true>>
  | ((name: string, type: Pick<MetaType, 'fields'>) => readonly string[] | boolean);

/** A chunk, or a part of one: then counts, problems and whether it is complete come with the last part. */
export interface ChunkData {
  readonly header: ChunkHeader;
  /** The chunk goes on from the data before, whose constants are the same object unless more were found. */
  readonly isMore: boolean;
  /** Of all types in the metadata that are events, and those met that are unknown, in the order of their ids. */
  readonly counts: readonly TypeCount[];
  /** Checkpoints that were met. */
  readonly checkpoints: number;
  /** All types of the metadata, by id. */
  readonly types: ReadonlyMap<number, MetaType>;
  /** What the clock of the machine was ahead of UTC, ms; absent if unknown. */
  readonly zoneOffset?: number;
  /** The metadata event that was used: offset in the chunk, and bytes; none if there is no metadata. */
  readonly metadataEvent: EventSpan | undefined;
  readonly events: readonly ChunkRows[];
  /** By id of the type. */
  readonly constants: ReadonlyMap<number, ChunkRows>;
  /** Of chunks that grow: as long as it is the same object, constants and strings are those of the data before, and maybe more. */
  readonly rowsId?: object;
  readonly texts: ChunkTexts;
  readonly problems: Problems;
  /** Where the chunk ends in the file, as far as it was found. */
  readonly end: number;
  readonly complete: boolean;
}

export interface ChunkOptions {
  readonly readAt: ReadAt;
  readonly shared: SharedState;
  readonly header: ChunkHeader;
  /** Where the bytes of the chunk end at the latest: the file does, or the next chunk begins; Infinity as long as that is unknown. */
  readonly size: () => number;
  /** Where the file ends, if another chunk may follow. */
  readonly fileEnd?: () => number;
  /** No other chunk begins before `size`. */
  readonly isEndSure?: boolean;
  readonly selection: EventSelection;
  /** Constants that no wanted event refers to are not read, and of others these fields; all if not given. `none`: no constants. */
  readonly constants?: FieldsOfConstants | 'none';
  /** Columns of strings say which are pooled. */
  readonly keepsPooled?: boolean;
  /** Only the events from one offset in the chunk to before another, with the constants up to there: of a chunk that grows. */
  readonly part?: ChunkRange;
  /** Of such a part: what was read of the chunk before it. */
  readonly growth?: ChunkGrowth | undefined;
  /**
   * Only events that may be among the first ones of their type are handed over. For selections of nothing but the time; types whose time is
   * no number of ticks are handed over whole.
   */
  readonly earliest?: Earliest;
  /** Only some events, with the constants that they refer to. */
  readonly chosen?: ChosenEvents;
  /** Events are read to their end, whatever fields are selected: those that do not match their metadata are skipped in any case. */
  readonly isWhole?: boolean;
  /** Hands over the events in parts, of finished chunks whose constants can be read first. */
  readonly inParts?: Parts | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the offset in the file that was reached. */
  readonly progress?: ((offset: number) => void) | undefined;
}

/** Sizes from which on a file is read in another way. */
export interface ReadingSizes {
  /** Of a file that is read with the kernel. */
  readonly kernelFrom?: number | undefined;
  /** Of the parts in which large chunks are read. */
  readonly parts?: Parts | undefined;
}

/** How many events of each type are wanted. */
export interface Earliest {
  readonly most: number;
  /** Asked before each part: events that began later, in nanoseconds of the chunk, are not wanted; NaN if all may be. */
  readonly before: (type: string, header: ChunkHeader) => number;
}

/** From one offset in the chunk to before another. */
export interface ChunkRange {
  readonly from: number;
  readonly to: number;
}

/** Some events of a chunk that was walked over before. */
export interface ChosenEvents {
  /** The parts of the chunk that have them. */
  readonly ranges: readonly ChunkRange[];
  /** Where the chunk ends, from its first byte on, and how many checkpoints it has. */
  readonly end: number;
  readonly checkpoints: number;
  /** Called before the rows of a type grow, and at the end of each part: removes the new ones that are not chosen. */
  readonly keep: (type: string, rows: Rows) => void;
}

export interface Parts {
  /** Bytes of the smallest chunk that is divided. */
  readonly from: number;
  /** A part ends with the window in which a type has so many events, or the part so many bytes. */
  readonly rows: number;
  readonly bytes?: number;
}

/** Columns of a part stay in the second-level cache. */
export const PARTS: Parts = { from: 4 << 20, rows: 1 << 15 };

/** The fields of a type that are decoded; undefined if its events are not. */
export function selectedFields(
  selection: EventSelection,
  name: string,
  type: Pick<MetaType, 'fields'>,
): readonly string[] | true | undefined {
  if (typeof selection === 'function') return selection(name, type) || undefined;
  return Object.hasOwn(selection, name) ? selection[name] : undefined;
}
