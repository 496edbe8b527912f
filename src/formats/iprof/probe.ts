/**
 * Recognises `.iprof` files by the keys of the outermost JSON object and the shape of their first elements, in any
 * order and with any whitespace. Files of other tools also have `version`, `types` or `methods`: those count only if
 * nothing contradicts, and an element of another shape excludes the file.
 */
import { type Guess, type Head, type JsonOutline, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';
import { SECTION_WORDS, type SectionWord } from './vocabulary.js';

/** Result for one section: an `.iprof` file, maybe one, or not one. */
type Verdict = 'own' | 'numbered names' | 'numbers' | 'empty' | 'contradicts' | 'absent';

export function probeIprof(head: Head): Guess {
  const outline = outlineOf(head);
  const named = head.name.endsWith('.iprof') || head.name.endsWith('.iprof.gz');
  if (outline.root !== 'object') return NO_GUESS;
  const verdicts = SECTION_WORDS.map((word) => ({ key: word.key, verdict: verdictOf(word, outline) }));
  const found = verdicts.filter(({ verdict }) => verdict !== 'absent');
  const has = (verdict: Verdict): boolean => found.some((section) => section.verdict === verdict);
  const because = `a JSON object with ${found.map(({ key }) => key).join(', ')}`;
  const version = /^\d+\.\d+\.\d+$/.test(outline.marks.get('version')?.text ?? '');
  if (has('own')) return { confidence: 1, because };
  if (has('contradicts'))
    return contradicted(
      found.map(({ key }) => key),
      version && named,
      because,
    );
  if (has('numbered names')) return numberedNames(outline, found.length, version || named, because);
  const both = outline.marks.has('types') && outline.marks.has('methods');
  if (has('numbers')) return { confidence: version || named ? 0.7 : 0.3, because: `${because} of numbers` };
  if (both) return { confidence: version || named ? 0.8 : 0.6, because: `${because}, all empty` };
  if (found.length > 0 && (version || named)) return { confidence: named ? 0.7 : 0.3, because };
  return named ? nameOnly(outline, version) : NO_GUESS;
}

/**
 * Sections of another shape: a profile with an error, which `check` then reports, if its keys, version and name agree;
 * otherwise a file of another tool.
 */
function contradicted(keys: readonly string[], agrees: boolean, because: string): Guess {
  const telling = keys.filter((key) => key !== 'types' && key !== 'methods').length > 0 || keys.length > 1;
  return { confidence: agrees && telling ? 0.6 : 0.1, because: `${because} of an unknown shape` };
}

/** Types or methods in the known layout, and no other section: certain if they fill the head or the rest agrees. */
function numberedNames(outline: JsonOutline, sections: number, agrees: boolean, because: string): Guess {
  const reason = `${because} of numbered names`;
  if (agrees || sections > 1) return { confidence: 0.9, because: reason };
  return { confidence: outline.ended ? 0.4 : 0.7, because: reason };
}

function nameOnly(outline: JsonOutline, version: boolean): Guess {
  const cut = !outline.ended && !outline.faulty;
  const because = version
    ? 'a JSON object with a version in a file named .iprof'
    : 'a JSON object in a file named .iprof';
  return { confidence: version && cut ? 0.5 : 0.2, because };
}

function verdictOf(word: SectionWord, outline: JsonOutline): Verdict {
  const section = outline.marks.get(word.key);
  if (section === undefined) return 'absent';
  const names = word.kind === 'types' || word.kind === 'methods';
  if (section.kind !== 'array') return names ? 'contradicts' : 'absent';
  const element = outline.marks.get(`${word.key}[]`);
  if (!names) return element === undefined ? 'own' : entryVerdict(word.key, outline);
  if (element === undefined) return 'empty';
  return element.kind === 'object' ? nameVerdict(word.key, word.kind === 'methods', outline) : 'contradicts';
}

/**
 * An entry of counts has a context such as `12:3<4:5` and a list of records; a truncated head may show only one of
 * them.
 */
function entryVerdict(key: string, outline: JsonOutline): Verdict {
  const context = outline.marks.get(`${key}[]/ctx`) ?? outline.marks.get(`${key}[]/methodBciList`);
  const records = outline.marks.get(`${key}[]/records`);
  if (context !== undefined) return context.kind === 'string' ? 'own' : 'contradicts';
  if (records !== undefined) return records.kind === 'array' ? 'own' : 'contradicts';
  return outline.marks.get(`${key}[]`)?.kind === 'object' && !outline.ended ? 'own' : 'contradicts';
}

function nameVerdict(key: string, method: boolean, outline: JsonOutline): Verdict {
  const at = (field: string) => outline.marks.get(`${key}[]/${field}`);
  const id = at('id');
  const name = at('name') ?? at(method ? 'methodName' : 'typeName');
  const signature = at('signature');
  if (id !== undefined && id.kind !== 'number') return 'contradicts';
  if (name !== undefined && name.kind !== 'string') return 'contradicts';
  if (method && signature !== undefined && signature.kind !== 'array') return 'contradicts';
  if (id !== undefined && name !== undefined) {
    return method && signature === undefined && outline.ended ? 'contradicts' : 'numbered names';
  }
  const cut = !outline.ended && outline.keys.at(-1) === key;
  if (!cut) return 'contradicts';
  return id === undefined && name === undefined ? 'empty' : 'numbers';
}
