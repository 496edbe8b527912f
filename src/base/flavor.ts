/**
 * A number that names one kind of thing: a row id of one table, a unit.
 *
 * Plain numbers are accepted where a flavoured one is asked for (columns hold plain numbers), but an id of one table
 * is refused where an id of another is expected. It costs nothing at run time.
 */
export type Flavor<T, Name extends string> = T & { readonly __flavor?: Name };

/** "No row" in every column that holds row ids. */
export const NONE = -1;
