/**
 * The content hash of a recording: SHA-256 of all its bytes, a name of its content that stays valid and that other programs can compute. The source is
 * read again for it when it is asked for, so opening costs nothing.
 *
 *   one source        the hash of its bytes, decompressed               zcat FILE.gz | sha256sum
 *   files as one      the hash of the bytes, one file behind the other  cat FILES | sha256sum
 *   a set of files    the hash of the lines `hash  path`, sorted by path
 *
 * The identity by which the cache finds its copies (store/cache.node.ts) is faster, since it looks at parts of a file and its time, but holds on one
 * machine only.
 */
import { UnreadableError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import type { ByteSource, FileIdentity } from '../bytes/byte-source.js';
import type { FileTree } from '../bytes/file-tree.js';
import type { FileSet } from '../formats/capabilities/sets.js';

/** A SHA-256 that grows. */
export interface ContentHasher {
  update(bytes: Uint8Array): unknown;
  /** The digest in lower-case hexadecimal. */
  digest(encoding: 'hex'): string | Promise<string>;
}

/** What the hash needs of the machine. */
export interface ContentReading {
  readonly hasher: () => ContentHasher;
  /** Whether a file is as it was when it was opened. */
  readonly isUnchanged: (file: FileIdentity) => Promise<boolean>;
}

/** Without the machine's own: for memory and browsers, where all bytes are kept until the end. */
export const PLAIN_READING: ContentReading = {
  hasher: () => new WebHasher(),
  isUnchanged: () => Promise.resolve(true),
};

const WINDOW = 1 << 20;

/** The hash of the bytes of a source. Throws `UnreadableError` if its file has changed since it was opened. */
export async function sourceHash(source: ByteSource, reading: ContentReading, work: Work = {}): Promise<string> {
  const hasher = reading.hasher();
  const stream = await source.open();
  try {
    const window = new Uint8Array(WINDOW);
    let done = 0;
    for (let count = await stream.read(window); count > 0; count = await stream.read(window)) {
      work.signal?.throwIfAborted();
      hasher.update(window.subarray(0, count));
      done += count;
      work.progress?.({ phase: 'hashing', done, total: source.size, unit: 'bytes' });
    }
  } finally {
    await stream.close();
  }
  if (source.file !== undefined && !(await reading.isUnchanged(source.file)))
    throw new UnreadableError(`${source.name}: has changed since it was opened`, {
      code: 'file-changed',
      advice: 'Open it again.',
    });
  return hasher.digest('hex');
}

/**
 * The hash of a set of files. `whole`: all files in its folder belong to it, such as copies of programs; else only its parts. Throws as
 * `sourceHash` does.
 */
export async function setHash(
  tree: FileTree,
  { folder, parts }: FileSet,
  whole: boolean,
  reading: ContentReading,
  work: Work = {},
): Promise<string> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = tree.members.filter(({ path, kind }) => kind === 'file' && path.startsWith(prefix));
  const paths = whole ? inside.map(({ path }) => path) : [...new Set(parts.values())];
  const hasher = reading.hasher();
  for (const path of paths.sort()) {
    const source = await tree.open(path);
    try {
      const hash = await sourceHash(source, reading, work);
      hasher.update(new TextEncoder().encode(`${hash}  ${path.slice(prefix.length)}\n`));
    } finally {
      await source.close?.();
    }
  }
  return hasher.digest('hex');
}

/** Web Crypto digests bytes that are all there. */
class WebHasher implements ContentHasher {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];

  update(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
  }

  async digest(): Promise<string> {
    const bytes = await new Blob(this.#parts).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
