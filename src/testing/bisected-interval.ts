/** The ends of the interval as Wilson defines them: the shares p for which |share − p| is z standard deviations of p, by bisection. */
export function bisected(share: number, samples: number): [number, number] {
  const excess = (p: number): number => Math.abs(share - p) - 1.959963984540054 * Math.sqrt((p * (1 - p)) / samples);
  const root = (inside: number, outside: number): number => {
    let [near, far] = [inside, outside];
    for (let i = 0; i < 200; i++) {
      const middle = (near + far) / 2;
      if (excess(middle) > 0) far = middle;
      else near = middle;
    }
    return near;
  };
  return [share === 0 ? 0 : root(share, 0), share === 1 ? 1 : root(share, 1)];
}
