/** docs/questions.md: every question of the catalogue with its options. */
import type { CatalogueEntry } from '../src/questions/catalogue/entry.js';
import { ANALYSIS_OPTIONS } from '../src/questions/options/analysis.js';
import { type OptionDefinition, optionDefinitions } from '../src/questions/options/option.js';

const HEAD = `# Questions

What can be asked, by name, with the options of each question. Commands have the same names and options; programs ask \`{ question, options }\`
([library](library.md)), with the schema in [docs/schema](schema/question.schema.json). Most questions also take a page, as their commands do, and, but where noted, a scope
([commands](commands.md#scope)).

Recordings that a question compares with (\`base\`, \`counts\`, \`observed\`) are given as \`base\` with \`comparison\` in a program.

This page is made of the definitions in \`src/questions\` by \`node dist/scripts/schemas.js\`.
`;

export function questionPage(questions: readonly CatalogueEntry[]): string {
  const analysing = questions.filter(({ analyses }) => analyses).map(({ id }) => `\`${id}\``);
  return `${HEAD}${questions.map(questionPart).join('')}${analysisPart(analysing)}`;
}

/** How class files are opened: no part of a question, but of its commands. */
function analysisPart(ids: readonly string[]): string {
  const rows = optionDefinitions(ANALYSIS_OPTIONS).map(optionRow);
  return `
## Class files in place of a report

Asked of ${ids.join(', ')}. Commands have these options, too; programs open class files with them: \`open({ names, analysis })\`.

| option | value | meaning |
|---|---|---|
${rows.map(tableRow).join('\n')}
`;
}

function optionRow(definition: OptionDefinition): string[] {
  return [`\`${definition.key}\``, valuesText(definition), meaningText(definition)];
}

function questionPart({
  id,
  title,
  recordings,
  subject,
  options,
  compared,
  code,
  hasScope,
  steps,
}: CatalogueEntry): string {
  const definitions = optionDefinitions(options);
  const inputs = [
    ...compared.map(({ key, description, several }) => [
      key,
      several === true ? 'recordings' : 'recording',
      description,
    ]),
    ...code.map(({ key, description }) => [key, 'path', description]),
  ];
  const rows = [
    ...definitions.map((definition) => [
      `\`${definition.key}\`${definition.key === subject ? ' (behind the file)' : ''}`,
      valuesText(definition),
      meaningText(definition),
    ]),
    ...inputs.map(([key, type, description]) => [`\`${key}\``, type, description]),
  ];
  const table = rows.length === 0 ? [] : ['', '| option | value | meaning |', '|---|---|---|', ...rows.map(tableRow)];
  return [
    '',
    `## ${id}`,
    '',
    `${sentence(title)} Asked of: ${recordings.description}.${scopeText(hasScope, steps)}`,
    ...table,
    '',
  ].join('\n');
}

function tableRow(cells: readonly (string | undefined)[]): string {
  return `| ${cells.map((cell = '') => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function valuesText({ type, choices, isWhole, unit, isRequired }: OptionDefinition): string {
  const types = { flag: 'true or false', number: isWhole ? 'whole number' : 'number', text: 'text', list: 'texts' };
  const share = unit === 'ratio' ? 'share, such as 0.05' : types[type];
  const values = choices === undefined ? share : choices.map((choice) => `\`${choice}\``).join(', ');
  return `${values}${type === 'list' && choices !== undefined ? ', several' : ''}${isRequired ? '; required' : ''}`;
}

function meaningText({ type, description, usual, default: value }: OptionDefinition): string {
  const hasDefault = value !== undefined && type !== 'flag' && !Array.isArray(value);
  const unset = usual ?? (hasDefault ? `\`${String(value)}\`` : undefined);
  return unset === undefined ? description : `${description} (default: ${unset})`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function scopeText(hasScope: boolean, steps: CatalogueEntry['steps']): string {
  if (!hasScope) return ' It has no scope.';
  return steps === undefined ? '' : ` Steps of its scope: ${steps.map((step) => `\`${step}\``).join(', ')}.`;
}
