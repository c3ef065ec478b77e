/** The name that takes the fewest changed, added or removed characters to become `text`. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const [nearest] = [...names]
    .map((name) => ({ name, distance: distanceOf(text, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** Levenshtein's distance, a row of the matrix at a time. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column += 1) {
      const [left = 0, diagonal = 0, above = 0] = [next[column], row[column], row[column + 1]];
      next.push(Math.min(left + 1, above + 1, diagonal + (to[column] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
