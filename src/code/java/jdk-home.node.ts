/** Programs of PATH, and the JDKs that an environment names. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program of PATH; undefined if there is none. */
export function programOf(name: string, env: Environment): string | undefined {
  if (name.includes('/')) return existsSync(name) ? name : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The homes of the JDKs that these programs belong to, then JAVA_HOME. */
export function homesOf(programs: readonly (string | undefined)[], env: Environment): readonly string[] {
  const homes = programs
    .filter((program) => program !== undefined)
    .map((program) => dirname(dirname(realpathSync(program))));
  return env.JAVA_HOME === undefined ? homes : [...homes, env.JAVA_HOME];
}

/** The home of the JDK with modules that JAVA_HOME names, else that of `java` in PATH; undefined if there is none. */
export function usualJdk(env: Environment): string | undefined {
  const homes = homesOf([programOf('javac', env), programOf('java', env)], env);
  return homes.toReversed().find((home) => existsSync(join(home, 'lib', 'modules')));
}
