/** The groups that listings sum methods by. */
import { packageOf } from '../analysis/packages.js';
import type { ClassPath } from '../models/program/class-path.js';

export const GROUPINGS = ['package', 'class', 'module', 'method'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Groups of a report's methods, and of its entries. `module`: of the class path; `loader`: as the report has it. */
export const METHOD_GROUPS = ['package', 'class', 'module', 'loader'] as const;
export const ENTRY_GROUPS = [...METHOD_GROUPS, 'reason'] as const;
export type EntryGrouping = (typeof ENTRY_GROUPS)[number];

/** The group of a method of the class `type`; modules are those of the class path. */
export function groupName(by: Grouping, type: string, method: () => string, classes: ClassPath | undefined): string {
  switch (by) {
    case 'class':
      return type;
    case 'method':
      return method();
    case 'module':
      return classes?.moduleOf(type) ?? (classes?.has(type) === true ? '<unnamed module>' : '<not in the class path>');
    case 'package':
      return packageOf(type);
  }
}
