/** What tests did, in numbers that are the same on every machine: the test run compares their sums with limits. */

export const counts = { processes: 0, mutations: 0, runs: 0 };

export function resetCounts(): void {
  counts.processes = 0;
  counts.mutations = 0;
  counts.runs = 0;
}
