/** The column Display of the tables: the name of a method, with its class shortened. */

/** First letters of words, capitals, dots. */
const KEPT = /\b[a-zA-Z]|[A-Z]|\./g;

/** `c.o.s.c.o.COPBOF.toString`. `type` is in Java source form. */
export function displayOf(type: string, name: string): string {
  return `${type.match(KEPT)?.join('') ?? ''}.${name}`;
}
