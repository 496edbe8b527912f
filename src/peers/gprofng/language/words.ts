/** Lines of scripts as words. */

/** The words of a line; quotation marks of both kinds join, a `#` begins a comment. */
export function lineWords(line: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/gy;
  for (let part = pattern.exec(line); part !== null; part = pattern.exec(line)) {
    const [, double, single, plain] = part;
    if (plain?.startsWith('#') === true) break;
    words.push(double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '');
  }
  return words;
}
