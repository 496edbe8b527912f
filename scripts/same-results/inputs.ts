/** The files and folders that same-results.ts asks about: examples, fixtures, the collection, and damaged copies of some. */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { create } from 'tar';

export interface Input {
  readonly path: string;
  /** The same for each run, whatever the temporary folder. */
  readonly label: string;
  readonly bytes: number;
  /** Whether a command may write over it. */
  readonly own: boolean;
}

export interface InputOptions {
  /** Checkout whose examples and fixtures are read. */
  readonly root: string;
  /** Collection of real recordings. */
  readonly data?: string | undefined;
  /** Folder for copies, which does not exist yet. */
  readonly made: string;
  readonly large: boolean;
}

const LARGE = 64 << 20;
/** Larger files are cut and damaged only in the tests of the readers. */
const MOST_DAMAGED = 128 << 10;
/** A folder is asked about as a whole up to so many files and bytes. */
const MOST_FILES = 40;
const MOST_BYTES = 2 << 20;

/** All inputs in a fixed order, files of equal name ending and content once. */
export async function listInputs(options: InputOptions): Promise<{ inputs: Input[]; skipped: string[] }> {
  const { root, data, made } = options;
  const shipped = [
    ...walk(join(root, 'examples'), 'examples'),
    ...walk(join(root, 'src'), 'src').filter(({ label }) => /\/fixtures\//.test(label)),
  ];
  const collected = data === undefined ? [] : walk(data, 'data');
  const skipped = options.large ? [] : collected.filter(({ bytes }) => bytes > LARGE).map(({ label }) => label);
  const files = distinct([...shipped, ...collected.filter(({ label }) => !skipped.includes(label))]);
  mkdirSync(made, { recursive: true });
  const copies = damagedCopies(distinct(shipped), made);
  return { inputs: [...files, ...copies, ...(await archives(root, made)), ...folders(files)], skipped };
}

function walk(folder: string, label: string): Input[] {
  const found: Input[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const inner = `${label}/${entry.name}`;
    if (entry.isDirectory()) found.push(...walk(path, inner));
    else if (entry.isFile()) found.push({ path, label: inner, bytes: statSync(path).size, own: false });
  }
  return found;
}

function distinct(inputs: readonly Input[]): Input[] {
  const seen = new Set<string>();
  return inputs.filter(({ path }) => {
    const key = `${extname(path)} ${hashOf(path)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  const window = Buffer.alloc(1 << 20);
  try {
    for (let count = readSync(file, window); count > 0; count = readSync(file, window))
      hash.update(window.subarray(0, count));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** One copy cut short and one with a changed byte of each small file, under the file's own name. */
function damagedCopies(inputs: readonly Input[], made: string): Input[] {
  return inputs
    .filter(({ bytes, path }) => bytes >= 64 && bytes <= MOST_DAMAGED && !/\.(java|class|md|sh)$/.test(path))
    .flatMap(({ path, label }, index) => {
      const bytes = readFileSync(path);
      const changed = Buffer.from(bytes);
      const place = Math.floor(bytes.length * 0.7);
      changed[place] = (changed[place] ?? 0) ^ 0x15;
      return [
        keep(made, `cut/${index}-${basename(label)}`, bytes.subarray(0, Math.floor(bytes.length * 0.61))),
        keep(made, `changed/${index}-${basename(label)}`, changed),
      ];
    });
}

function keep(made: string, name: string, bytes: Uint8Array): Input {
  const path = join(made, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return { path, label: `made/${name}`, bytes: bytes.length, own: true };
}

/** Examples in an archive, the archive as a whole, and a member that is not in it. */
async function archives(root: string, made: string): Promise<Input[]> {
  const path = join(made, 'examples.tar.gz');
  const members = ['hprof/cpu-samples.txt', 'histogram/before.txt', 'loops/loops.iprof'];
  await create({ cwd: join(root, 'examples'), file: path, gzip: true, portable: true, mtime: new Date(0) }, [
    ...members,
    'ORIGIN.md',
  ]);
  const { size } = statSync(path);
  return ['', ...members.map((member) => `!/${member}`), '!/hprof', '!/no-such-member'].map((inner) => ({
    path: `${path}${inner}`,
    label: `made/examples.tar.gz${inner}`,
    bytes: size,
    own: false,
  }));
}

/** The folders of the inputs that are small enough to be read as a whole. */
function folders(files: readonly Input[]): Input[] {
  const sizes = new Map<string, { files: number; bytes: number; label: string }>();
  for (const { path, label, bytes } of files) {
    let folder = join(path, '..');
    for (let name = join(label, '..'); name !== '.'; name = join(name, '..')) {
      const sum = sizes.get(folder) ?? { files: 0, bytes: 0, label: name };
      sizes.set(folder, { ...sum, files: sum.files + 1, bytes: sum.bytes + bytes });
      folder = join(folder, '..');
    }
  }
  return [...sizes]
    .filter(([, sum]) => sum.files <= MOST_FILES && sum.bytes <= MOST_BYTES)
    .map(([path, { label, bytes }]) => ({ path, label: `${label}/`, bytes, own: false }));
}
