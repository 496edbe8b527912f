/** Problems as one list, without separate counts. */
import type { Problem, Problems } from '../base/problems.js';

/** The kept problems and, for each code with more that were only counted, one with their number. */
export function problemList({ list, counts }: Problems): readonly Problem[] {
  const more: Problem[] = [];
  for (const [code, count] of Object.entries(counts)) {
    const kept = list.filter((problem) => problem.code === code);
    const [first] = kept;
    if (first === undefined || count === kept.length) continue;
    more.push({ code, severity: first.severity, message: `${count - kept.length} more problems of this kind` });
  }
  return [...list, ...more];
}
