/** Is it an `.iprof` file? Decided by the keys of a JSON object and the shape of its first entry. */
import { type Guess, type Head, NO_GUESS } from '../format.js';
import { SECTION_WORDS } from './vocabulary.js';

const KEYS = new RegExp(`"(${SECTION_WORDS.map((word) => word.key).join('|')})"\\s*:\\s*[\\[{]`, 'g');
const SYMBOL =
  /\{\s*"(?:id"\s*:\s*-?\d+\s*,\s*"(?:name|typeName|methodName)|(?:name|typeName|methodName)"\s*:\s*"[^"]*"\s*,\s*"id)"/;
const ENTRY = /\{\s*"(?:ctx|methodBciList)"\s*:\s*"\d+:-?\d+/;

export function probeIprof(head: Head): Guess {
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(head.text)) return NO_GUESS;
  const keys = new Set([...head.text.matchAll(KEYS)].map((match) => match[1] ?? ''));
  const own = [...keys].filter((key) => key !== 'types' && key !== 'methods');
  const shaped = SYMBOL.test(head.text) || ENTRY.test(head.text);
  const because = `a JSON object with ${[...keys].join(', ')}`;
  if (own.length > 0) return { confidence: 1, because };
  if (keys.has('types') && shaped) return { confidence: 0.9, because: `${because} of numbered names` };
  if (keys.size > 0 && head.name.endsWith('.iprof')) return { confidence: 0.8, because };
  if (keys.has('types') && keys.has('methods')) return { confidence: 0.6, because };
  if (keys.size > 0) return { confidence: 0.3, because };
  return head.name.endsWith('.iprof') ? { confidence: 0.2, because: 'a JSON object in a file named .iprof' } : NO_GUESS;
}
