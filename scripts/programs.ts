/**
 * The system programs that tests call (scripts/system-packages): which are installed, and how to install the others.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export interface SystemProgram {
  /** As it is called; `jdk-N` for a JDK of that version. */
  readonly program: string;
  /** What to do if it is missing. */
  readonly advice: string;
}

/** The programs that the list of a clone names. */
export function systemPrograms(root: string): SystemProgram[] {
  const lines = readFileSync(join(root, 'scripts/system-packages'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, program, why] = /^([^#\s]\S*)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || program === undefined || why === undefined) return [];
    return [{ program, advice: `apt-get install ${name}${why.replace(/^[^;]*/, '')}` }];
  });
}

/** A line for each program of the list that is missing, with how to install it. */
export function missingPrograms(root: string): string[] {
  const missing = systemPrograms(root).filter(({ program }) => !isInstalled(program));
  return missing.map(({ program, advice }) => `${program} is not installed: ${advice}`);
}

export function isInstalled(program: string): boolean {
  const [, version] = /^jdk-(\d+)$/.exec(program) ?? [];
  return version === undefined ? isInPath(program) : jdkHome(version) !== undefined;
}

/** The home of a JDK of this version; undefined if there is none. */
export function jdkHome(version: string): string | undefined {
  return installedJdks().find((home) => versionOf(home) === version);
}

/** PATH → home of its JDK: starting `java` takes a tenth of a second, and many tests ask. */
const ownJdks = new Map<string, string | undefined>();

/** The home of the JDK with `java` in PATH; undefined if there is none. */
export function ownJdk(): string | undefined {
  const path = process.env.PATH ?? '';
  if (!ownJdks.has(path)) ownJdks.set(path, javaHome());
  return ownJdks.get(path);
}

function javaHome(): string | undefined {
  const said = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  return /^ *java\.home = (.*)$/m.exec(said.stderr ?? '')?.[1];
}

/**
 * Homes of the JDKs (they have modules and tools) of this machine: the one with `java` in PATH, and those beside it.
 */
export function installedJdks(): string[] {
  const home = ownJdk();
  if (home === undefined) return [];
  const own = realpathSync(home);
  const beside = readdirSync(dirname(own)).map((name) => realpathSync(join(dirname(own), name)));
  return [...new Set([own, ...beside.sort()])].filter((each) =>
    ['lib/modules', 'bin/jimage'].every((path) => existsSync(join(each, path))),
  );
}

function versionOf(home: string): string | undefined {
  const release = join(home, 'release');
  return existsSync(release) ? /^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] : undefined;
}

function isInPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
