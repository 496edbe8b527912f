/**
 * Writes what programs and people read of questions and results, from their definitions: the JSON Schema of every result and of every question to
 * docs/schema, the options of questions to docs/questions.md. With `--check` says which of them are out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { allQuestions } from '../src/questions/catalogue/index.js';
import { questionSchema } from '../src/questions/schema.js';
import { allViews } from '../src/views/index.js';
import { questionPage } from './question-page.js';

const documents = new URL('../../docs/', import.meta.url);
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
mkdirSync(new URL('schema/', documents), { recursive: true });

/** Writes or checks a document, named from docs/. */
function write(name: string, text: string): void {
  const file = new URL(name, documents);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file.pathname} is out of date: node dist/scripts/schemas.js\n`);
    process.exitCode = 1;
  }
}

type SchemaOptions = Pick<z.core.ToJSONSchemaParams, 'io' | 'reused'>;

function schemaText(title: string, type: z.ZodType, options: SchemaOptions = {}): string {
  const schema = z.toJSONSchema(type, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: declared,
    ...options,
  });
  return `${JSON.stringify({ title, ...schema }, null, 2)}\n`;
}

for (const view of await allViews())
  write(`schema/${view.name}-v${view.version}.schema.json`, schemaText(view.title, view.result));

const questions = await allQuestions();
const { view: _, ...fields } = questionSchema.shape;
const catalogued = questions.map(({ id, title, options }) =>
  z.strictObject({ ...fields, question: z.literal(id), options: options.strict().optional() }).meta({ title }),
);
write(
  'schema/question.schema.json',
  schemaText('Question of the catalogue', z.union(catalogued), { io: 'input', reused: 'ref' }),
);
write('questions.md', questionPage(questions));
