/** Writes the JSON Schema of every result to docs/schema, or with `--check` says which of them are out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { allViews } from '../src/views/index.js';

const folder = new URL('../../docs/schema/', import.meta.url);
/** A field with a custom check declares its type in JSON. */
function declared({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (zodSchema._zod.def.type === 'custom' && jsonSchema.description !== undefined && jsonSchema.type === undefined)
    throw new Error(`a custom field must declare its type in JSON: ${jsonSchema.description}`);
}

const check = process.argv.includes('--check');
mkdirSync(folder, { recursive: true });

for (const view of await allViews()) {
  const file = new URL(`${view.name}-v${view.version}.schema.json`, folder);
  const schema = z.toJSONSchema(view.result, { target: 'draft-2020-12', unrepresentable: 'any', override: declared });
  const text = `${JSON.stringify({ title: view.title, ...schema }, null, 2)}\n`;
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file.pathname} is out of date: node dist/scripts/schemas.js\n`);
    process.exitCode = 1;
  }
}
