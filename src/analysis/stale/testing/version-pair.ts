/** Two versions of a program, and the expected verdicts on a profile of the first, written by hand from the edits. */
export interface VersionPair {
  readonly name: string;
  readonly old: Readonly<Record<string, string>>;
  readonly now: Readonly<Record<string, string>>;
  readonly oldFlags?: readonly string[];
  readonly newFlags?: readonly string[];
  /** With both class paths: methods that are not `unchanged`; the text after `?` is the candidate. */
  readonly exact: Readonly<Record<string, string>>;
  /** With the new class path alone: methods that do not simply fit. */
  readonly alone: Readonly<Record<string, string>>;
  /**
   * Places that are lost although their line is in both versions, by mark: `mark`, `mark/kind`, `mark/kind/number`, or
   * one of these after a method's label; and labels of methods.
   */
  readonly lost?: readonly string[];
  readonly receivers?: Readonly<Record<string, readonly string[]>>;
  /** Classes whose records are lost. */
  readonly lostClasses?: readonly string[];
}
