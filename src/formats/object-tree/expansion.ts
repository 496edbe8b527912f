/**
 * Which objects a tree shows only as text. An option to expand goes before one to suppress, and both before the defaults, which are
 * those of GraalVM 25.
 *
 *   a.b.C   equals      a.b.*   begins with      *Cache   ends with      *map*   contains      *   all
 */
import type { Expansion } from '../capabilities/writer.js';

/** Decides for the types and roots of one tree; each different type is matched once. */
export interface Expander {
  /** `type` as in source; arrays are matched by the type of their innermost elements. */
  readonly suppressesType: (type: string) => boolean;
  readonly suppressesRoot: (root: string) => boolean;
}

const SUPPRESSED_TYPES = [
  'java.lang.String',
  'java.math.BigInteger',
  'java.lang.Character$UnicodeScript',
  'sun.misc.FDBigInteger',
  ...['boolean', 'char', 'byte', 'int', 'long', 'double', 'float'],
];

const SUPPRESSED_ROOTS = [
  'java.lang.Character$UnicodeBlock.map*',
  'java.lang.Character$UnicodeScript.aliases*',
  'java.lang.ConditionalSpecialCasing.entryTable*',
  'java.util.Formatter.fsPattern*',
  'java.lang.Character$UnicodeBlock.of(int)',
  'java.util.ResourceBundle.getBundle(String, Locale, ResourceBundle$Control)',
  'com.ibm.icu.impl.ICUResourceBundle.BUNDLE_CACHE*',
  'com.ibm.icu.impl.ICUResourceBundle.GET_AVAILABLE_CACHE*',
  'com.ibm.icu.impl.ICUResourceBundleReader.CACHE*',
  'ibm.icu.impl.DayPeriodRules$DayPeriodRulesData*',
  'com.ibm.icu.util.ULocale.nameCache*',
  'com.oracle.svm.core.option.RuntimeOptionsSupportImpl.set(String, Object)',
];

export function expanderOf(options: Expansion, withDefaults: boolean): Expander {
  const types = rule(options.expandTypes, options.suppressTypes, withDefaults ? SUPPRESSED_TYPES : []);
  const roots = rule(options.expandRoots, options.suppressRoots, withDefaults ? SUPPRESSED_ROOTS : []);
  const known = new Map<string, boolean>();
  return {
    suppressesType: (type) => {
      const found = known.get(type) ?? types([type.replace(/(?:\[\])+$/, '')], []);
      known.set(type, found);
      return found;
    },
    suppressesRoot: (root) => {
      const plain = withoutLoader(root);
      return roots([root, plain], shortRoots(plain));
    },
  };
}

/** Whether names are suppressed; `short` ones are matched by patterns without `*` only. */
type Rule = (names: readonly string[], short: readonly string[]) => boolean;

function rule(expand: string | undefined, suppress: string | undefined, defaults: readonly string[]): Rule {
  const expanded = patternsOf(expand);
  const suppressed = [...patternsOf(suppress), ...defaults];
  return (names, short) => !matches(expanded, names, short) && matches(suppressed, names, short);
}

/** Commas within brackets belong to a method. */
function patternsOf(list: string | undefined): string[] {
  return list === undefined ? [] : (list.match(/(?:\([^)]*\)|[^,(])+/g) ?? []).filter((pattern) => pattern !== '');
}

function matches(patterns: readonly string[], names: readonly string[], short: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      names.some((name) => matchesPattern(pattern, name)) || (!pattern.includes('*') && short.includes(pattern)),
  );
}

function matchesPattern(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  const from = pattern.startsWith('*') ? 1 : 0;
  const to = pattern.length > 1 && pattern.endsWith('*') ? pattern.length - 1 : pattern.length;
  const text = pattern.slice(from, to);
  if (from === 1) return to < pattern.length ? name.includes(text) : name.endsWith(text);
  return to < pattern.length ? name.startsWith(text) : name === text;
}

/**
 * A root without the loader of its holder, which GraalVM prints since June 2024: `app:C.field:Type`, `app:C.method(Type)`. Fields have a
 * colon before their type, so two say that the first one is behind a loader; methods have none else before the bracket.
 */
export function withoutLoader(root: string): string {
  const open = root.indexOf('(');
  const head = open < 0 ? root : root.slice(0, open);
  const colon = head.indexOf(':');
  const isLoader = open < 0 ? colon !== head.lastIndexOf(':') : colon >= 0;
  return isLoader ? root.slice(colon + 1) : root;
}

/** `a.b.C.field` and `a.b.C` of `a.b.C.field:Type`; `a.b.C.method(Type)` and `a.b.C` of `a.b.C.method(Type) [bci: 3]`. */
function shortRoots(root: string): string[] {
  const open = root.indexOf('(');
  const name = open < 0 ? (root.split(':')[0] ?? root) : root.slice(0, root.lastIndexOf(')') + 1);
  const member = open < 0 ? name : root.slice(0, open);
  return [name, member.slice(0, Math.max(0, member.lastIndexOf('.')))];
}
