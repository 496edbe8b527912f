/** Classes of resource bundles: `ResourceBundle.getBundle("a.Texts")` may create `a.Texts` and those of all locales, `a.Texts_de`. */
import { addToList } from '../../../base/columns/lists.js';
import type { ClassPath } from '../../../models/program/class-path.js';

/** `a.Texts_de_CH` of the base `a.Texts`: a language, then script, country, variant. */
const LOCALISED = /^(.+?)_[a-z]{2,3}(?:_\w+)?$/;

/** By base name: the classes of the locales. One pass over the names of the class path. */
export function localisedClasses(classes: ClassPath): ReadonlyMap<string, readonly string[]> {
  const variants = new Map<string, string[]>();
  for (const name of classes.names()) {
    const base = LOCALISED.exec(name)?.[1];
    if (base !== undefined) addToList(variants, base, name);
  }
  return variants;
}
