/** Entries whose relations are read at once: the rows of one read become objects in one turn of the loop. */
const sliceLength = 100;

/** Makes documents of rows slice by slice, in order. */
export async function inSlices<R, D>(
  rows: readonly R[],
  make: (slice: readonly R[]) => Promise<readonly D[]>,
  length = sliceLength,
): Promise<D[]> {
  const parts: D[] = [];
  for (let at = 0; at < rows.length; at += length) parts.push(...(await make(rows.slice(at, at + length))));
  return parts;
}
