/** What the tests of this folder share: reading from memory, written bytes, schemas. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { memorySource } from '../bytes/byte-source.js';
import type { Written } from '../formats/format.js';
import { readIprof } from '../formats/iprof/read.js';
import type { Recording } from '../models/recording.js';
import { ROOT } from '../testing/shared-data.js';

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

function schema(name: string): ValidateFunction {
  const text: object = JSON.parse(readFileSync(join(SOURCE, 'schema', name), 'utf8'));
  return new Ajv({ allErrors: true }).compile(text);
}

export const MODERN_SCHEMA = schema('iprof-v1.1.0.schema.json');
export const LEGACY_SCHEMA = schema('iprof-v0.2.0.schema.json');

/** What the schema of its version says against a value; empty where it passes. */
export function schemaErrors(value: unknown): readonly string[] {
  const legacy = typeof value === 'object' && value !== null && 'version' in value && value.version === '0.2.0';
  const validate = legacy ? LEGACY_SCHEMA : MODERN_SCHEMA;
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
