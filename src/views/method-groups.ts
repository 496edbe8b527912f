/** The groups that listings sum methods by. */
import { packageOf } from '../analysis/packages.js';
import type { ClassPath } from '../models/program/class-path.js';
import type { MethodGrouping } from '../questions/options/shared.js';

/** The group of a method of the class `type`; modules are those of the class path. */
export function groupName(
  by: MethodGrouping,
  type: string,
  method: () => string,
  classes: ClassPath | undefined,
): string {
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
