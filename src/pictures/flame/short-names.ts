/**
 * Short names of functions, for boxes and lists without room: parameters are omitted first, then the package, the address of a hidden class,
 * then the outer classes, at last the class. A lambda keeps the class that it is written in:
 *
 *   shop.Main$$Lambda$100/0x00007f65.run()   Main$$Lambda$100/0x00007f65.run   Main$$Lambda.run   run
 */
import type { FlamePicture } from './picture.js';

/** Of a hidden class, what follows its name: the number before the address, too. */
const HIDDEN = /(?:\$\d+)?[/+](?:0x[0-9a-f]+|\d+)(?=\.[^.]*$)/;
/** Generated classes, whose part behind the signs says nothing alone. */
const GENERATED = /\$\$/;
/** The file behind a native function is no parameter: `main (tracer.py)`. */
const PARAMETERS = /(?<! )\([^()]*\)$/;

/** The name of a function (an index into `names`), and ever shorter forms that still identify it. */
export function shortNames(picture: FlamePicture, id: number): string[] {
  const name = picture.names[id] ?? '';
  const bare = name.replace(/\([^()]*\)$/, '');
  const short = withoutPackage(bare, picture.packages[picture.packageOf[id]] ?? '');
  const plain = short.replace(HIDDEN, '');
  const dot = plain.lastIndexOf('.');
  if (dot < 0) return [...new Set([name, bare, short])];
  const inner = GENERATED.test(plain) ? plain : innerName(plain);
  const method = plain.slice(dot + 1);
  // Many classes have an `<init>`: alone it is not informative.
  return [...new Set([name, bare, short, plain, inner, ...(method.startsWith('<') ? [] : [method])])];
}

/** The same for lists: forms keep class and method, and a mark where something is omitted. */
export function listNames(name: string, inPackage: string): string[] {
  const parameters = PARAMETERS.exec(name)?.[0] ?? '';
  const bare = name.slice(0, name.length - parameters.length);
  const tail = parameters.length > 2 ? '(…)' : parameters;
  const short = withoutPackage(bare, inPackage);
  const parts = short === bare ? [] : inPackage.split('.');
  const plain = short.replace(HIDDEN, '');
  return [
    ...new Set([
      name,
      bare + tail,
      ...parts.map((_, i) => ['…', ...parts.slice(i + 1).map((part) => `${part}.`), short, tail].join('')),
      ...(plain === bare ? [] : [`…${plain}${tail}`]),
      ...(GENERATED.test(plain) || innerName(plain) === plain ? [] : [`…${innerName(plain)}${tail}`]),
    ]),
  ];
}

function withoutPackage(bare: string, inPackage: string): string {
  return inPackage !== '' && bare.startsWith(`${inPackage}.`) ? bare.slice(inPackage.length + 1) : bare;
}

/** Without the outer classes. */
function innerName(short: string): string {
  const dot = short.lastIndexOf('.');
  return short.slice(short.lastIndexOf('$', dot - 1) + 1);
}
