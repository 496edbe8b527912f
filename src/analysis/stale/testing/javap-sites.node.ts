/**
 * The places of compiled Java programs that a PGO profile counts, found with `javac` and `javap -c -l -s` alone, and
 * profiles made of them: the expected results for tests of staleness. Nothing here uses the code under test.
 *
 * A place is named by the mark at the end of its source line (`//@loop`), its kind, and its number within the line. So
 * the same place has the same name in every version of a program.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type SiteKind = 'branch' | 'receiver' | 'instanceof' | 'call';

export interface Site {
  readonly kind: SiteKind;
  readonly bci: number;
  /** `loop/branch/0`; empty on lines without a mark. */
  readonly mark: string;
  /** For branches: the targets of the outcomes, in an order that does not depend on BCIs. */
  readonly targets: readonly number[];
  /** For receivers and type checks: the class named there. For calls: id of the called method, if it is one of these. */
  readonly names: string;
}

export interface CompiledMethod {
  /** `Shop.total (I)J` */
  readonly id: string;
  readonly class: string;
  readonly name: string;
  readonly descriptor: string;
  /** Its name in every version: its id, or for a lambda the mark of its line. */
  readonly label: string;
  readonly sites: readonly Site[];
}

/** A version of a program: sources by path, and options of `javac`. */
export interface Version {
  readonly sources: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}

/** `javac -d OUT` and `javap` of the output, for each `|`-separated argument, in one VM. */
const BATCH = `import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.spi.ToolProvider;
class Batch {
  public static void main(String[] jobs) throws Exception {
    for (String job : jobs) {
      List<String> words = new ArrayList<>(List.of(job.split("[|]")));
      Path debug = Path.of(words.get(0), "debug"), classes = Path.of(words.get(0), "classes");
      words.remove(0);
      run("javac", words, "-nowarn", "-d", classes.toString());
      if (words.contains("-g")) debug = classes;
      else {
        words.removeIf(word -> word.startsWith("-g"));
        run("javac", words, "-nowarn", "-g", "-d", debug.toString());
      }
      List<String> files = new ArrayList<>();
      try (var found = Files.walk(debug)) {
        found.filter(file -> file.toString().endsWith(".class")).sorted().forEach(file -> files.add(file.toString()));
      }
      Files.writeString(debug.resolveSibling("javap.txt"), run("javap", files, "-c", "-l", "-s", "-p"));
    }
  }
  static String run(String tool, List<String> last, String... first) {
    List<String> words = new ArrayList<>(List.of(first));
    words.addAll(last);
    StringWriter out = new StringWriter(), err = new StringWriter();
    int code = ToolProvider.findFirst(tool).get()
        .run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
    if (code != 0) throw new IllegalStateException(tool + " " + words + " " + out + err);
    return out.toString();
  }
}
`;

/** Compiles versions, each into `folder`/its name/classes; marks come from the sources, BCIs do not depend on `-g`. */
export function compileAll(
  folder: string,
  versions: ReadonlyMap<string, Version>,
): ReadonlyMap<string, readonly CompiledMethod[]> {
  const batch = join(folder, 'Batch.java');
  writeFileSync(batch, BATCH);
  const jobs = [...versions].map(([name, { sources, flags }]) => {
    const files = Object.entries(sources).map(([path, text]) => {
      const file = join(folder, name, 'sources', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    });
    return [join(folder, name), ...flags, ...files].join('|');
  });
  execFileSync('java', [batch, ...jobs], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Map(
    [...versions].map(([name, { sources }]) => {
      const text = readFileSync(join(folder, name, 'javap.txt'), 'utf8');
      const marks = new Map(
        Object.entries(sources).map(([path, source]) => [
          path.slice(path.lastIndexOf('/') + 1),
          source.split('\n').map(markOf),
        ]),
      );
      return [name, text.split(/^Compiled from /m).flatMap((part) => methodsOf(part, marks))];
    }),
  );
}

function markOf(line: string): string {
  return /\/\/@(\S+)/.exec(line)?.[1] ?? '';
}

function methodsOf(text: string, marks: ReadonlyMap<string, readonly string[]>): CompiledMethod[] {
  const lines = marks.get(/^"(.*)"/.exec(text)?.[1] ?? '') ?? [];
  const declaring = /^.*(?:class|interface) ([\w.$]+)/m.exec(text)?.[1] ?? '';
  return text.split(/\n\n/).flatMap((part) => {
    const descriptor = /descriptor: (\(\S+)/.exec(part)?.[1];
    const head = /(?:^|\n) {2}(\S[^\n]*);\n {4}descriptor/.exec(part)?.[1] ?? '';
    const called = head.includes('(') ? (/([\w.$]+)\(/.exec(head)?.[1] ?? '') : '<clinit>';
    const name = called === declaring ? '<init>' : called;
    if (descriptor === undefined && !head.startsWith('static {}')) return [];
    return [oneMethod(declaring, name, descriptor ?? '()V', part, lines)];
  });
}

function oneMethod(
  declaring: string,
  name: string,
  descriptor: string,
  text: string,
  marks: readonly string[],
): CompiledMethod {
  const table = [...text.matchAll(/^ +line (\d+): (\d+)$/gm)].map((row) => [Number(row[1]), Number(row[2])] as const);
  const markAt = (bci: number): string => {
    const line = table.filter(([, start]) => start <= bci).sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
    return marks[line - 1] ?? '';
  };
  const counts = new Map<string, number>();
  const sites = rawSites(declaring, text).map((site): Site => {
    const mark = markAt(site.bci);
    if (mark === '') return { ...site, mark };
    const key = `${mark}/${site.kind}`;
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    return { ...site, mark: `${key}/${number}` };
  });
  const id = `${declaring}.${name} ${descriptor}`;
  const label = name.startsWith('lambda$') ? `lambda ${declaring} ${markAt(0)}` : id;
  return { id, class: declaring, name, descriptor, label, sites };
}

function rawSites(declaring: string, text: string): Omit<Site, 'mark'>[] {
  const sites: Omit<Site, 'mark'>[] = [];
  const plain = { targets: [], names: '' } as const;
  for (const [, at, mnemonic = '', rest = ''] of text.matchAll(
    /^ +(\d+): ([a-z]\w*) *(.*(?:\n +(?:-?\d+|default): \d+)*)$/gm,
  )) {
    const bci = Number(at);
    const [, what = '', comment = ''] = /\/\/ (\w+) (.*)$/m.exec(rest) ?? [];
    if (mnemonic.startsWith('if'))
      sites.push({ ...plain, kind: 'branch', bci, targets: [bci + 3, Number(/^\d+/.exec(rest)?.[0])] });
    else if (mnemonic.endsWith('switch'))
      sites.push({
        ...plain,
        kind: 'branch',
        bci,
        targets: [...rest.matchAll(/: (\d+)$/gm)].map((row) => Number(row[1])),
      });
    else if (mnemonic === 'instanceof' || mnemonic === 'checkcast')
      sites.push({ ...plain, kind: 'instanceof', bci, names: comment.replaceAll('/', '.') });
    else if (mnemonic.startsWith('invoke') && mnemonic !== 'invokedynamic' && what.endsWith('ethod')) {
      const [, owner, name = '', descriptor = ''] = /^(?:([^.:]+)\.)?("?[^:.]+"?):(.*)$/.exec(comment) ?? [];
      const of = owner?.replaceAll('/', '.') ?? declaring;
      sites.push({ ...plain, kind: 'call', bci, names: `${of}.${name.replaceAll('"', '')} ${descriptor}` });
      if (mnemonic === 'invokevirtual' || mnemonic === 'invokeinterface')
        sites.push({ ...plain, kind: 'receiver', bci, names: of });
    }
  }
  return sites;
}

/** The content of a profile: records by `kind context`, with names for ids. */
export type NamedProfile = ReadonlyMap<string, string>;

export interface ProfileOptions {
  /** Whether the profile has a place, by its mark and the label of its method. */
  readonly has: (mark: string, label: string) => boolean;
  /** Whether the profile has a method, by its label. */
  readonly hasMethod: (label: string) => boolean;
  /** Receiver classes by declared class; the class itself by default. */
  readonly receivers?: Readonly<Record<string, readonly string[]>>;
}

/** A number for a text, practically unique: counts must distinguish places. */
function countOf(text: string): number {
  let count = 7;
  for (const character of text) count = (count * 31 + character.charCodeAt(0)) % 999_983;
  return count + 1;
}

interface Entry {
  readonly kind: SiteKind;
  /** Leaf first. */
  readonly frames: readonly (readonly [method: CompiledMethod, bci: number])[];
  /** Target, index and count; class and count; count. */
  readonly records: readonly (number | string)[];
}

/**
 * The entries of a profile of these methods: each on its own, and inlined at each place that calls it. Counts are
 * derived from marks and labels, so profiles of two versions have the same counts.
 */
export function entriesOf(methods: readonly CompiledMethod[], options: ProfileOptions): Entry[] {
  const known = new Map(methods.map((method) => [method.id, method]));
  const callers = new Map<string, { method: CompiledMethod; site: Site }[]>();
  for (const method of methods)
    for (const site of method.sites)
      if (
        site.kind === 'call' &&
        known.has(site.names) &&
        options.hasMethod(method.label) &&
        shown(method, site, options)
      )
        callers.set(site.names, [...(callers.get(site.names) ?? []), { method, site }]);
  return methods
    .filter(({ label }) => options.hasMethod(label))
    .flatMap((method) => {
      const contexts = [undefined, ...(callers.get(method.id) ?? [])];
      return contexts.flatMap((caller) => {
        const around = caller === undefined ? [] : ([[caller.method, caller.site.bci]] as const);
        const context = caller === undefined ? 'root' : `${caller.method.label} ${caller.site.mark}`;
        const call: Entry = {
          kind: 'call',
          frames: [[method, 0], ...around],
          records: [countOf(`${method.label} ${context}`)],
        };
        const places = method.sites.filter((site) => site.kind !== 'call' && shown(method, site, options));
        return [
          call,
          ...places.map(
            (site): Entry => ({
              kind: site.kind,
              frames: [[method, site.bci], ...around],
              records: recordsOf(site, `${method.label} ${context} ${site.mark}`, options),
            }),
          ),
        ];
      });
    });
}

function shown({ label }: CompiledMethod, { mark }: Site, { has }: ProfileOptions): boolean {
  return mark !== '' && has(mark, label);
}

function recordsOf(site: Site, seed: string, { receivers = {} }: ProfileOptions): (number | string)[] {
  if (site.kind === 'branch') return site.targets.flatMap((target, i) => [target, i, countOf(`${seed} ${i}`)]);
  return (receivers[site.names] ?? [site.names]).flatMap((name) => [name, countOf(`${seed} ${name}`)]);
}

/** The entries with names, for comparing profiles. */
export function named(entries: readonly Entry[]): NamedProfile {
  return new Map(
    entries.map(({ kind, frames, records }) => [
      `${kind} ${frames.map(([method, bci]) => `${method.id}:${bci}`).join(' < ')}`,
      records.join(' '),
    ]),
  );
}

const KEYS = {
  call: 'callCountProfiles',
  branch: 'conditionalProfiles',
  receiver: 'virtualInvokeProfiles',
  instanceof: 'instanceofProfiles',
} as const;

/** The entries as an `.iprof` file of version 1.1.0. */
export function iprofOf(entries: readonly Entry[]): string {
  const types = new Map<string, number>();
  const typeId = (name: string): number => {
    if (!types.has(name)) types.set(name, types.size + 3);
    return types.get(name) ?? -1;
  };
  const ids = new Map<string, number>();
  const methods: { id: number; name: string; signature: number[] }[] = [];
  const methodId = ({ id, class: declaring, name, descriptor }: CompiledMethod): number => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const [, parameters = '', returns = ''] = /^\((.*)\)(.*)$/.exec(descriptor) ?? [];
    const all = [returns, ...(parameters.match(/\[*(?:L[^;]+;|\w)/g) ?? [])];
    const next = ids.size * 2 + 11;
    ids.set(id, next);
    methods.push({ id: next, name, signature: [typeId(declaring), ...all.map((type) => typeId(typeName(type)))] });
    return next;
  };
  const sections = Object.entries(KEYS).map(([kind, key]) => [
    key,
    entries
      .filter((entry) => entry.kind === kind)
      .map(({ frames, records }) => ({
        ctx: frames.map(([method, bci]) => `${methodId(method)}:${bci}`).join('<'),
        records: records.map((record) => (typeof record === 'string' ? typeId(record) : record)),
      })),
  ]);
  const named = [...types].map(([name, id]) => ({ id, name }));
  return JSON.stringify({ version: '1.1.0', types: named, methods, ...Object.fromEntries(sections) });
}

const LETTERS: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  V: 'void',
  Z: 'boolean',
};

/** As `Class.getName()` spells a type. */
function typeName(descriptor: string): string {
  return (
    LETTERS[descriptor] ?? (descriptor.startsWith('[') ? descriptor : descriptor.slice(1, -1)).replaceAll('/', '.')
  );
}

/** The entries of an `.iprof` file of version 1.1.0, with names. */
export function namedFrom(iprof: string): NamedProfile {
  const file: {
    types: { id: number; name: string }[];
    methods: { id: number; name: string; signature: number[] }[];
  } & Record<string, { ctx: string; records: number[] }[]> = JSON.parse(iprof);
  const types = new Map(file.types.map(({ id, name }) => [id, name]));
  const methods = new Map(
    file.methods.map(({ id, name, signature: [declaring = -1, returns = -1, ...parameters] }) => [
      id,
      `${types.get(declaring)}.${name} (${parameters.map((type) => descriptorOf(types.get(type) ?? '')).join('')})${descriptorOf(types.get(returns) ?? '')}`,
    ]),
  );
  const kinds: [string, SiteKind][] = [
    ['callCountProfiles', 'call'],
    ['conditionalProfiles', 'branch'],
    ['virtualInvokeProfiles', 'receiver'],
    ['instanceofProfiles', 'instanceof'],
    ['instanceOfProfiles', 'instanceof'],
  ];
  return new Map(
    kinds.flatMap(([key, kind]) =>
      (file[key] ?? []).map(({ ctx, records }): [string, string] => [
        `${kind} ${ctx
          .split('<')
          .map((part) => `${methods.get(Number(part.split(':')[0]))}:${part.split(':')[1]}`)
          .join(' < ')}`,
        records
          .map((record, i) =>
            (kind === 'receiver' || kind === 'instanceof') && i % 2 === 0 ? types.get(record) : record,
          )
          .join(' '),
      ]),
    ),
  );
}

function descriptorOf(type: string): string {
  const letter = Object.entries(LETTERS).find(([, name]) => name === type)?.[0];
  return letter ?? (type.startsWith('[') ? type.replaceAll('.', '/') : `L${type.replaceAll('.', '/')};`);
}
