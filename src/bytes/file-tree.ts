/**
 * Many inputs under one name: a directory, an archive, the files beside a file. Members are listed first and opened by
 * their path in the listing; a path that is not listed opens nothing, so no name in an archive is used as a path on
 * disk.
 */
import { UnreadableError } from '../base/errors.js';
import type { Problem } from '../base/problems.js';
import type { Work } from '../base/progress.js';
import type { ByteSource } from './byte-source.js';

/** What a member is: only files can be opened. A link is listed as such if it is not followed, and `dangling` if it leads nowhere. */
export type MemberKind = 'file' | 'directory' | 'link' | 'dangling' | 'other';

export interface TreeMember {
  /** Path inside the tree, with `/`, without `./` and empty parts. It may be absolute or contain `..`: it is a name. */
  readonly path: string;
  readonly kind: MemberKind;
  /** Bytes of a file, if the container states it. */
  readonly size: number | undefined;
}

export interface FileTree {
  /** Name in messages: the path as the user wrote it. */
  readonly name: string;
  readonly carrier: 'directory' | 'tar' | 'zip';
  /** In the order of their paths; each path once. */
  readonly members: readonly TreeMember[];
  /** Damage of the container: where an archive is truncated, folders that cannot be read. The messages name it. */
  readonly problems: readonly Problem[];
  /** Name in messages of the member at a path: `dir/inner/path`, `archive.zip!/inner/path`. */
  nameOf(path: string): string;
  /** Opens a member by its path. Throws `UnreadableError` if it is not a listed file or cannot be read. */
  open(path: string): Promise<ByteSource>;
  /**
   * Reads many small files without a turn of the event loop for each. Calls `visit` once for each of `paths` (by its
   * position) that is valid and up to 16 MiB long, in file order; the bytes may be kept. To learn the fault of
   * one that is skipped, open it. Absent if opening each is as fast.
   */
  readonly readMany?: (
    paths: readonly string[],
    visit: (path: number, bytes: Uint8Array) => void,
    work?: Work,
  ) => Promise<void>;
  /** Frees its resources. Sources of its members cannot be used afterwards. */
  close(): Promise<void>;
}

/** Members beyond this number are not listed; the listing has a problem for it. */
export const MEMBERS_LISTED = 200_000;

export function isFileTree(input: ByteSource | FileTree): input is FileTree {
  return 'members' in input;
}

/** A source that knows the folder it comes from, for formats whose data lies in several files. */
export interface SourceWithSiblings extends ByteSource {
  /** The members of its folder (not of folders in it), itself included, by their file names. */
  readonly siblings: () => Promise<FileTree>;
}

/** Whether a source knows its folder; standard input does not. */
export function hasSiblings(source: ByteSource): source is SourceWithSiblings {
  return 'siblings' in source;
}

/** What a source that wraps another has in common with it: the file and the carrier of both, and what must be freed. */
export function carryOver(source: ByteSource): Pick<SourceWithSiblings, 'file' | 'carrierProblems' | 'close'> {
  return {
    ...(source.carrierProblems === undefined ? {} : { carrierProblems: source.carrierProblems }),
    ...(source.file === undefined ? {} : { file: source.file }),
    ...(source.close === undefined ? {} : { close: source.close }),
    ...(hasSiblings(source) ? { siblings: source.siblings } : {}),
  };
}

/** The member at a path, or its gzipped twin with `.gz` after the name. */
export function findMember(tree: FileTree, path: string): TreeMember | undefined {
  const wanted = plainPath(path);
  let twin: TreeMember | undefined;
  for (const member of tree.members) {
    if (member.path === wanted) return member;
    if (member.path === `${wanted}.gz`) twin = member;
  }
  return twin;
}

/** What lies below one folder of a tree (`''` is its root), as a tree of its own. */
export function subtree(tree: FileTree, folder: string): FileTree {
  if (folder === '') return tree;
  const prefix = `${folder}/`;
  return {
    name: tree.nameOf(folder),
    carrier: tree.carrier,
    members: tree.members
      .filter((member) => member.path.startsWith(prefix))
      .map((member) => ({ ...member, path: member.path.slice(prefix.length) })),
    problems: tree.problems,
    nameOf: (path) => tree.nameOf(prefix + path),
    open: (path) => tree.open(prefix + path),
    close: () => tree.close(),
  };
}

/** The folder of a member of an archive: the members beside it, but not deeper ones. */
export function folderOf(tree: FileTree, path: string): FileTree {
  const folder = subtree(tree, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return { ...folder, members: folder.members.filter((member) => !member.path.includes('/')) };
}

/** A path without `.` and empty parts; the leading `/` of an absolute one and `..` stay. */
export function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

/** Order of paths: that of their UTF-16 units, the same on every machine. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Collects the members of a tree, which messages call `name`; `Place` locates the bytes of a member. */
export class MemberList<Place> {
  readonly problems: Problem[] = [];
  readonly #name: string;
  readonly #members = new Map<string, { readonly member: TreeMember; readonly place: Place }>();
  #full = false;

  constructor(name: string) {
    this.#name = name;
  }

  get full(): boolean {
    return this.#full;
  }

  /** Adds a member. A later one of the same path takes its place, as when the archive is extracted. */
  add(rawPath: string, kind: MemberKind, size: number | undefined, place: Place): void {
    const path = plainPath(rawPath);
    if (path === '' || path === '/') return;
    if (this.#members.size >= MEMBERS_LISTED && !this.#members.has(path)) {
      if (!this.#full)
        this.problems.push({
          code: 'archive-too-many',
          severity: 'warning',
          message: `${this.#name}: only the first ${MEMBERS_LISTED} members are listed`,
        });
      this.#full = true;
      return;
    }
    this.#members.set(path, { member: { path, kind, size }, place });
  }

  /** The member and its place, as listed so far. */
  get(path: string): { readonly member: TreeMember; readonly place: Place } | undefined {
    return this.#members.get(plainPath(path));
  }

  sorted(): TreeMember[] {
    return [...this.#members.values()].map((entry) => entry.member).sort(byPath);
  }

  /** The place of a file to open; `name` is its name in messages. */
  placeOf(path: string, name: string): Place {
    return this.openable(path, name).place;
  }

  /** The same with its member. */
  openable(path: string, name: string): { readonly member: TreeMember; readonly place: Place } {
    const found = this.get(path);
    if (found === undefined) throw new UnreadableError(`${name}: no such member`, { code: 'no-member' });
    if (found.member.kind !== 'file')
      throw new UnreadableError(`${name}: expected a file, found ${KIND_WORDS[found.member.kind]}`, {
        code: 'not-a-file',
      });
    return found;
  }
}

const KIND_WORDS: Record<MemberKind, string> = {
  file: 'a file',
  directory: 'a directory',
  link: 'a link that is not followed',
  dangling: 'a link to a file that does not exist',
  other: 'a special member',
};
