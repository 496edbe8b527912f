/** The library on Node: everything of `index.ts`, and recordings by the names of their files. */
export { fileSource } from '../bytes/file.node.js';
export type { LibraryPaths } from '../session/library.node.js';
export { type OpenOptions, openInputs } from '../session/open.node.js';
export * from './index.js';
