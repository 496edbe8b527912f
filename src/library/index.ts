/**
 * The library: open recordings, ask questions, get plain typed results. docs/library.md has an example that runs.
 * Nothing here needs Node; `index.node.ts` adds files and the cache.
 */
export {
  type FunctionKeyParts,
  functionKey,
  functionKeyParts,
  functionOfKey,
  functionsOfKey,
  type KeyedFunctions,
  stemOf,
} from '../analysis/identity/function-key.js';
export { mergeRecordings } from '../analysis/merge/merge.js';
export { parseWeight, type Rational } from '../analysis/merge/rational.js';
export {
  DamagedError,
  FormatError,
  KansokuError,
  MissingError,
  TooLargeError,
  UnreadableError,
  UsageError,
} from '../base/errors.js';
export { type About, type Action, type Note, plainNotes } from '../base/note.js';
export { type Phrase, plainText, type Reference, type Speller, spellPhrase } from '../base/phrase.js';
export type { Problem, Problems, Severity } from '../base/problems.js';
export type { Progress, Work } from '../base/progress.js';
export type { ByteSource, ByteStream } from '../bytes/byte-source.js';
export { memorySource } from '../bytes/byte-source.js';
export type { Cost, OpenRecording, Snapshot } from '../models/open-recording.js';
export type { Recording } from '../models/recording.js';
export type { ScopeStep } from '../models/scope.js';
export { type FlamePicture, flamePicture } from '../pictures/flame/picture.js';
export type { CatalogueEntry } from '../questions/catalogue/entry.js';
export { allQuestions, questionNamed, viewOf } from '../questions/catalogue/index.js';
export type { RecordingTraits } from '../questions/catalogue/traits.js';
export { changedQuestion } from '../questions/change.js';
export { type OptionDefinition, optionDefinitions } from '../questions/options/option.js';
export { parseQuestion, type QuestionData } from '../questions/schema.js';
export { questionOfQuery, questionQuery } from '../questions/url.js';
export { allProblems } from '../session/opened.js';
export {
  ask,
  type CataloguedQuestion,
  contentHash,
  costOf,
  joinSessions,
  namedRecordings,
  openSession,
  type Question,
  resolveQuestion,
  type Session,
  type SessionOptions,
  sessionOf,
} from '../session/session.js';
export type {
  OpenRequest,
  OpenWork,
  RecordingFacts,
  RecordingModel,
  Workspace,
} from '../session/workspace/workspace.js';
export { coverageAsLcov, type Lcov, type LcovOptions } from '../transform/lcov.js';
export type { OptionsOf, ResultOf, ViewName } from '../views/index.js';
export type { Page } from '../views/question.js';
export { cellOf, type RowTable, type TableColumn, tableOf } from '../views/row-table.js';
