/** Reads a JSON document item by item, and values of it by what the format expects there. */
import type { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { Scanner } from '../json-scanner.js';
import { readDocument } from '../json-windows.js';
import { type ItemCodes, type ItemLevel, JsonItems } from './json-items.js';

/** The largest single value: an event, a node. */
const LARGEST = 1 << 28;

/** Reads all of a source; `complete` is false if a part of its text was lost. */
export async function readItems(
  source: ByteSource,
  work: Work,
  problems: ProblemLog,
  codes: ItemCodes,
  root: (isList: boolean) => ItemLevel | undefined,
): Promise<{ readonly complete: boolean }> {
  const scanner = new Scanner();
  const items = new JsonItems(scanner, problems, codes, root);
  const { whole } = await readDocument(source, scanner, items, problems, { work, largest: LARGEST });
  return { complete: whole && !items.lost };
}

/** The value of a key of a parsed object; undefined if it is no object or lacks the key. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A whole number that a double holds exactly. */
export function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
