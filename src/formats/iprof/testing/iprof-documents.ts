/** What the tests of the `.iprof` format share: fixtures, reading from memory, written bytes, schemas. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { ROOT } from '../../../testing/shared-data.js';
import type { Written } from '../../capabilities/writer.js';
import { readIprof } from '../read.js';

const SOURCE = join(ROOT, 'src', 'formats', 'iprof');

/** A file of `fixtures/`, or of the examples that everybody gets. */
export function fixture(name: string): Uint8Array {
  const own = join(SOURCE, 'fixtures', name);
  return readFileSync(existsSync(own) ? own : join(ROOT, 'examples', name));
}

export const SHIPPED = ['krisfoster-binary-tree.iprof', 'fib-1.0.0.iprof', 'all-sections-1.1.0.iprof'] as const;

/** Real files that may not be shipped. */
export const REAL = [
  'elide-dev-elidemin-jspy.iprof',
  'f-cramer-some-compiler.iprof',
  'krisfoster-binary-tree.iprof',
  'lenborje-StreamTDI.iprof',
] as const;

export function readText(text: string): Promise<Recording> {
  return readIprof(memorySource('test.iprof', new TextEncoder().encode(text)));
}

export function readBytes(bytes: Uint8Array): Promise<Recording> {
  return readIprof(memorySource('test.iprof', bytes));
}

export function bytesOf(written: Written): Uint8Array {
  return Buffer.concat([...written.chunks]);
}

/** The value of JSON bytes that must be strict UTF-8. */
export function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

interface Schema {
  (value: unknown): boolean;
  /** What it says against a value; empty if the value passes. */
  readonly errorsOf: (value: unknown) => readonly string[];
}

/** Compiling takes longer than most tests that share this file, so a schema is read when it is first asked. */
function schema(name: string): Schema {
  let compiled: ValidateFunction | undefined;
  const errorsOf = (value: unknown): readonly string[] => {
    compiled ??= new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(join(SOURCE, 'schema', name), 'utf8')));
    return compiled(value) ? [] : (compiled.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
  return Object.assign((value: unknown) => errorsOf(value).length === 0, { errorsOf });
}

export const MODERN_SCHEMA = schema('iprof-v1.1.0.schema.json');
export const LEGACY_SCHEMA = schema('iprof-v0.2.0.schema.json');

/** What the schema of its version says against a value; empty if it passes. */
export function schemaErrors(value: unknown): readonly string[] {
  const legacy = typeof value === 'object' && value !== null && 'version' in value && value.version === '0.2.0';
  return (legacy ? LEGACY_SCHEMA : MODERN_SCHEMA).errorsOf(value);
}
