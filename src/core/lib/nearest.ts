/** The candidate that a misspelt name most likely meant, or undefined when none is within that many edits. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  most = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance, given up (as `limit`) once it cannot stay below the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost);
    }
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return row[b.length]!;
}
