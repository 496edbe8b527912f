/** Names as JVMCI prints them, which the reports of GraalVM Native Image have. */

/** `Outer.Simple` of `a.b.Outer$Simple`; anonymous classes keep their `$`: `Outer$1`. */
export function simpleName(type: string): string {
  const own = type.slice(type.lastIndexOf('.') + 1);
  return /\$\d+(?:\[\])*$/.test(own) ? own : own.replaceAll('$', '.');
}

/** Loaders of the JDK that have a name, by their classes. */
const LOADERS: ReadonlyMap<string, string> = new Map([
  ['jdk.internal.loader.ClassLoaders$AppClassLoader', 'app'],
  ['jdk.internal.loader.ClassLoaders$PlatformClassLoader', 'platform'],
]);

/** The name of a loader by its class: of those without one, the class. */
export function loaderNameOf(type: string): string {
  return LOADERS.get(type) ?? type;
}

/** The boot loader. */
export const BOOT_LOADER = 'null';
