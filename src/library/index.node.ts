/** The library on Node: everything in `index.ts`, opening recordings by file name, and writing files. */
export { fileSource } from '../bytes/file.node.js';
export { openGrowing } from '../session/growing.node.js';
export type { LibraryPaths } from '../session/library.node.js';
export { type OpenOptions, openInputs } from '../session/open.node.js';
export { directWorkspace } from '../session/workspace/direct.node.js';
export { workerWorkspace } from '../session/workspace/worker.node.js';
export {
  type Converted,
  type ConvertOptions,
  convertRecording,
  type Salvaged,
  salvageRecording,
} from '../transform/convert.node.js';
export { type CutOptions, type CutRecording, cutRecording } from '../transform/cut.node.js';
export { type MergedFile, type MergeOptions, mergeToFile } from '../transform/merge.node.js';
export { type Repair, type RepairOptions, repairProfile } from '../transform/repair.node.js';
export { type StripFileOptions, type Stripped, stripProfile } from '../transform/strip.node.js';
export * from './index.js';
