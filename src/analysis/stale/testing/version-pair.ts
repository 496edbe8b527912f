/** Two versions of a program, and what is to be said of a profile of the first: by hand, from the edits. */
export interface VersionPair {
  readonly name: string;
  readonly old: Readonly<Record<string, string>>;
  readonly now: Readonly<Record<string, string>>;
  readonly oldFlags?: readonly string[];
  readonly newFlags?: readonly string[];
  /** With both class paths: methods that are not `unchanged`; what stands behind `?` is the candidate. */
  readonly exact: Readonly<Record<string, string>>;
  /** With the new one alone: methods that do not simply fit. */
  readonly alone: Readonly<Record<string, string>>;
  /** Marks of places that are lost although their line is in both versions: `mark`, `mark/kind`, `mark/kind/number`, or one of these behind a method's label; and labels of methods. */
  readonly lost?: readonly string[];
  readonly receivers?: Readonly<Record<string, readonly string[]>>;
  /** Classes whose records are lost. */
  readonly lostClasses?: readonly string[];
}
