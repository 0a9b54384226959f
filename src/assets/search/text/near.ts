/** Maximum edit distance. */
export const mostDistance = 2;

/** Edit distance of two words. Values above `mostDistance` are not exact. */
export function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let a = 1; a <= one.length; a++) {
    const next = [a];
    for (let b = 1; b <= other.length; b++) {
      const changed = row[b - 1]! + (one[a - 1] === other[b - 1] ? 0 : 1);
      next.push(Math.min(changed, row[b]! + 1, next[b - 1]! + 1));
    }
    if (Math.min(...next) > mostDistance) return mostDistance + 1;
    row = next;
  }
  return row[other.length]!;
}

/** Whether a word is within the distance and has the same first letter, by which the index is read. */
export const isNear = (text: string, word: string, distance: number): boolean =>
  text[0] === word[0] && distanceOf(text, word) <= distance;
