/**
 * Text about a question that names parts of it as data. What `--by` is on a command line is a field in a form and an argument of a tool: below the
 * fronts, a text says which part it means, and each front spells it. A phrase is plain JSON. Nothing is parsed: a text of a recording with brackets
 * or dashes stays text.
 *
 *   phrase`Omit ${theOption('by')}.`   ──►  ['Omit ', { option: 'by' }, '.']   ──►  "Omit --by."   "Omit the option by."
 */
export type Phrase = string | readonly (string | Reference)[];

/** A part of a question, or something else that can be asked. */
export type Reference =
  | OptionReference
  | StepReference
  | InputReference
  | PageReference
  | FieldReference
  | ViewReference
  | TransformReference;

/** The value that goes with a part: as questions have it, or what a person chooses. */
export interface Valued {
  readonly value?: OptionValue;
  /** In one word, such as `FILE`. */
  readonly choose?: string;
}

/** An option of a view or of a transform, by its name there. */
export interface OptionReference extends Valued {
  readonly option: string;
}

/** A step of the scope, by its kind. */
export interface StepReference extends Valued {
  readonly step: string;
}

/** What is given when recordings are opened. */
export interface InputReference extends Valued {
  readonly input: InputName;
}
export type InputName = 'classes' | 'oldClasses' | 'sources' | 'observed' | 'counts' | 'base';

/** The rows that an answer has. */
export interface PageReference extends Valued {
  readonly page: 'limit' | 'offset' | 'sort';
}

/** A field of the result that has more than the text says. */
export interface FieldReference {
  readonly field: string;
}

/** A question to a view. */
export interface ViewReference {
  readonly view: string;
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** Options whose values a person chooses, each with a word for its value; the word may be empty. */
  readonly choose?: Readonly<Record<string, string>>;
  /** The name of the recording; absent where any recording is meant. */
  readonly recording?: string;
  /** What is given beside the recording, by name; null for what a person chooses. */
  readonly inputs?: Inputs;
}
export type OptionValue = string | number | boolean;
export type Inputs = Readonly<Partial<Record<InputName, string | null>>>;

/** A file that is written from recordings. */
export interface TransformReference extends Pick<ViewReference, 'recording' | 'inputs'> {
  readonly transform: string;
}

/** How a front writes references. */
export type Speller = (reference: Reference) => string;

export function theOption(name: string, valued: Valued = {}): OptionReference {
  return { option: name, ...valued };
}

export function theStep(kind: string, valued: Valued = {}): StepReference {
  return { step: kind, ...valued };
}

export function theInput(name: InputName, valued: Valued = {}): InputReference {
  return { input: name, ...valued };
}

export function thePage(part: PageReference['page'], valued: Valued = {}): PageReference {
  return { page: part, ...valued };
}

export function theField(name: string): FieldReference {
  return { field: name };
}

export function theView(name: string, options: Omit<ViewReference, 'view'> = {}): ViewReference {
  return { view: name, ...options };
}

export function theTransform(name: string, options: Omit<TransformReference, 'transform'> = {}): TransformReference {
  return { transform: name, ...options };
}

/** The phrase of a template: its texts, references and phrases. A text if there is no reference. */
export function phrase(texts: TemplateStringsArray, ...values: readonly (Phrase | Reference | number)[]): Phrase {
  return joined(texts.flatMap((text, i) => (i < values.length ? [text, values[i] ?? ''] : [text])));
}

/** The phrases one after the other, with a text between two of them. */
export function joinedPhrases(phrases: readonly (Phrase | Reference)[], between: string): Phrase {
  return joined(phrases.flatMap((each, i) => (i === 0 ? [each] : [between, each])));
}

function joined(parts: readonly (Phrase | Reference | number)[]): Phrase {
  const whole: (string | Reference)[] = [];
  const add = (part: string | Reference): void => {
    const last = whole.at(-1);
    if (typeof part === 'object') whole.push(part);
    else if (typeof last === 'string') whole[whole.length - 1] = `${last}${part}`;
    else if (part !== '') whole.push(part);
  };
  for (const part of parts) {
    if (typeof part === 'number') add(String(part));
    else if (isReference(part)) add(part);
    else for (const each of typeof part === 'string' ? [part] : part) add(each);
  }
  const [first = '', ...others] = whole;
  return others.length === 0 && typeof first === 'string' ? first : whole;
}

function isReference(part: Phrase | Reference): part is Reference {
  return typeof part === 'object' && !Array.isArray(part);
}

/** The text of a phrase for a front. */
export function spellPhrase(text: Phrase, speller: Speller): string {
  return typeof text === 'string'
    ? text
    : text.map((part) => (typeof part === 'string' ? part : speller(part))).join('');
}

/** The text of a phrase where no front is known: in the message of an error, in pages. */
export function plainText(text: Phrase): string {
  return spellPhrase(text, inWords);
}

/** References in words: `the option by`, `the step time`. */
export function inWords(reference: Reference): string {
  if ('view' in reference) return `\u201c${reference.view}\u201d${withOptions(reference)}`;
  if ('transform' in reference) return `\u201c${reference.transform}\u201d`;
  if ('field' in reference) return `the field ${inLowerCase(reference.field)}`;
  const value = reference.value === undefined ? '' : ` = ${reference.value}`;
  if ('option' in reference) return `the option ${inLowerCase(reference.option)}${value}`;
  if ('step' in reference) return `the step ${reference.step}${value}`;
  return 'input' in reference ? `the ${INPUTS[reference.input]}` : `the ${PARTS_OF_PAGE[reference.page]}${value}`;
}

const INPUTS: Readonly<Record<InputName, string>> = {
  classes: 'classes of the program',
  oldClasses: 'classes that were recorded',
  sources: 'sources of the program',
  observed: 'profiles beside the report',
  counts: 'profile with counts of calls',
  base: 'recording to compare with',
};

const PARTS_OF_PAGE: Readonly<Record<PageReference['page'], string>> = {
  limit: 'number of rows',
  offset: 'first row',
  sort: 'order',
};

function withOptions({ options = {}, choose = {} }: ViewReference): string {
  const values = Object.entries(options).map(([key, value]) => `${inLowerCase(key)} = ${value}`);
  const parts = [...values, ...Object.keys(choose).map(inLowerCase)];
  return parts.length === 0 ? '' : ` with ${parts.join(', ')}`;
}

/** `minBytes` as people write it: `min bytes`. */
function inLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
