/**
 * A number that names one kind of thing: a row id of one table, a unit.
 *
 * A plain number is accepted as a flavoured one (columns contain plain numbers), but the compiler rejects an id of one
 * table where an id of another is expected. It costs nothing at run time.
 */
export type Flavor<T, Name extends string> = T & { readonly __flavor?: Name };

/** "No row" in every column that holds row ids. */
export const NONE = -1;
