/** The library on Node: everything of `index.ts`, and recordings by the names of their files. */
export { fileSource } from '../bytes/file.node.js';
export * from './index.js';
export type { LibraryPaths } from './library.node.js';
export { type OpenOptions, openInputs } from './open.node.js';
