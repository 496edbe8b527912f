/** Builds the libraries of the agents from their sources, once: the cache keeps them by the hash of sources and platform. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { packageFile } from '../../base/package.node.js';
import { cacheFolder } from '../../bytes/spool.node.js';
import { type Environment, homesOf, programOf } from '../../code/java/jdk-home.node.js';
import { untrustedFolder } from '../../session/store/trusted-folder.node.js';
import { type Libc, libcOf } from '../attach/target.node.js';

const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Wno-unused-parameter', '-shared', '-fPIC'];

/** Folders of the sources, and single files. */
interface LibrarySources {
  /** Begins the name of the library in the cache. */
  readonly name: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

const JVMPI: LibrarySources = {
  name: 'libkansoku',
  folders: ['agent', 'agent/remote', 'agent/bridge', 'agent/include'],
  files: [],
};
const HPROF: LibrarySources = {
  name: 'libhprof',
  folders: [
    'agent/hprof',
    'agent/hprof/rewrite',
    'agent/hprof/heap',
    'agent/hprof/samples',
    'agent/hprof/counts',
    'agent/hprof/net',
  ],
  files: ['agent/buffer.c', 'agent/buffer.h', 'agent/lines.c', 'agent/lines.h'],
};

/** The folder of jvmpi.h, for agents in C. */
export function headersFolder(): string {
  return packageFile('agent/include');
}

/** The folder of jvmti.h: that of the JDK of a program, else of JAVA_HOME or `java`. */
function headersOf(java: string | undefined, env: Environment): string {
  const homes = homesOf([java, programOf('javac', env), programOf('java', env)], env);
  const headers = homes.map((home) => join(home, 'include')).find((folder) => existsSync(join(folder, 'jvmti.h')));
  if (headers !== undefined) return headers;
  throw new UsageError(
    `no JDK has include/jvmti.h, which the agent is built with: looked in ${[...new Set(homes)].join(', ') || 'nothing'}`,
    'install a JDK (Debian: openjdk-17-jdk-headless), or set JAVA_HOME to one',
  );
}

function identity(sources: readonly string[], libc: Libc): string {
  const hash = createHash('sha256');
  for (const path of sources) hash.update(path.slice(path.lastIndexOf('/'))).update(readFileSync(path));
  const { arch, platform } = process;
  return hash
    .update([arch, platform, libc, ...FLAGS].join(' '))
    .digest('hex')
    .slice(0, 24);
}

/** The compiler for a C library: on a machine of the other one, there is one for musl. Throws UsageError if it is missing. */
export function compilerFor(libc: Libc, own: Libc, env: Environment): string {
  if (libc !== own && libc === 'glibc')
    throw new UsageError('the JVM runs with glibc, this machine with musl', 'run kansoku where the JVM runs');
  const name = libc === own ? (env.CC ?? 'cc') : 'musl-gcc';
  const found = programOf(name, env);
  if (found !== undefined) return found;
  throw libc === own
    ? new UsageError(
        `no C compiler (${name}), which builds the agent on first use`,
        'install one (Debian: gcc and libc6-dev), or set CC',
      )
    : new UsageError(
        `the JVM runs with musl, this machine with ${own}: ${name} builds the agent for it, and is missing`,
        'install it (Debian: musl-tools), or run kansoku where the JVM runs',
      );
}

/** The paths of all sources, in the same order everywhere. */
function sourcePaths({ folders, files }: LibrarySources): string[] {
  const paths = folders.flatMap((folder) => {
    const names = readdirSync(packageFile(folder)).filter((name) => /[.][ch]$/.test(name));
    return names.sort().map((name) => packageFile(`${folder}/${name}`));
  });
  return [...paths, ...files.map(packageFile)];
}

/** The folder of the cache for libraries. Throws UsageError if others may write to it. */
function libraryFolder(): string {
  const folder = join(cacheFolder(), 'agent');
  const reason = untrustedFolder(cacheFolder(), folder);
  if (reason === undefined) return folder;
  throw new UsageError(
    `the agent's library cannot be kept safely: ${reason}`,
    'Set XDG_CACHE_HOME to a folder of your own.',
  );
}

/**
 * The path of the library that runs agents of JVMPI, which is built first if the cache has none. `java` is the program that will load it: its
 * JDK has the headers. `libc` is that of the JVM (default: ours). Throws UsageError where it cannot be built, with what to install.
 */
export function agentLibrary(java: string | undefined, env: Environment, libc?: Libc): string {
  return builtLibrary(JVMPI, java, env, libc);
}

function builtLibrary(parts: LibrarySources, java: string | undefined, env: Environment, libc?: Libc): string {
  if (process.platform !== 'linux') throw new UsageError(`the agent runs on Linux only, this is ${process.platform}`);
  const ownLibc = libcOf(readFileSync('/proc/self/maps', 'latin1'));
  const usedLibc = libc ?? ownLibc;
  const sources = sourcePaths(parts);
  const cache = libraryFolder();
  const library = join(cache, `${parts.name}-${identity(sources, usedLibc)}.so`);
  if (existsSync(library)) return library;
  const compiler = compilerFor(usedLibc, ownLibc, env);
  const include = headersOf(java, env);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const newLibrary = `${library}.${process.pid}`;
  const paths = [`-I${include}`, `-I${join(include, process.platform)}`, '-o', newLibrary];
  const words = [...FLAGS, ...paths, ...sources.filter((path) => path.endsWith('.c')), '-lpthread', '-ldl', '-lm'];
  const { status, stderr, error } = spawnSync(compiler, words, { encoding: 'utf8' });
  if (status === 0) {
    renameSync(newLibrary, library);
    return library;
  }
  rmSync(newLibrary, { force: true });
  const why = error?.message ?? stderr.split('\n').slice(0, 5).join('\n');
  throw new UsageError(`the agent cannot be built: ${compiler}: ${why}`, 'Debian: gcc and libc6-dev build it');
}

/** A folder with the library under the name `libkansoku.so`, as `-Xrunkansoku` looks for it. Throws as `agentLibrary`. */
export function xrunFolder(env: Environment): string {
  return folderWith(agentLibrary(undefined, env), 'libkansoku.so');
}

/** The path of the HPROF agent for a program that starts a JVM. Throws as `agentLibrary`. */
export function hprofLibrary(java: string, env: Environment): string {
  return builtLibrary(HPROF, java, env);
}

/** A folder with the HPROF agent under the name that `-Xrunhprof` and `-agentlib:hprof` look for. Throws as `agentLibrary`. */
export function hprofFolder(env: Environment): string {
  return folderWith(builtLibrary(HPROF, undefined, env), 'libhprof.so');
}

/** A folder of its own with a library under another name. */
function folderWith(library: string, name: string): string {
  const folder = library.replace(/[.]so$/, '');
  const link = join(folder, name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(link)) {
    const newLink = `${link}.${process.pid}`;
    symlinkSync(library, newLink);
    renameSync(newLink, link);
  }
  return folder;
}
