/** Place of each name among all of them; UTF-16 order, the same everywhere. Equal names keep their order. */
export function ranks(names: readonly string[]): Int32Array {
  const order = names.map((_, label) => label);
  order.sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : names[a] === names[b] ? a - b : 1));
  const rank = new Int32Array(names.length);
  order.forEach((label, place) => {
    rank[label] = place;
  });
  return rank;
}
