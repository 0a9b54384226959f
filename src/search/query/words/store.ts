import type { Reader } from '../../../store/statement.ts';

/** Words with a prefix and a length in the range. */
export async function wordsBetween(reader: Reader, begin: string, lengths: readonly [number, number], most: number) {
  const rows = await reader.read(
    'SELECT word FROM search_term WHERE word GLOB ? AND length(word) BETWEEN ? AND ? LIMIT ?',
    [begin, ...lengths, most],
  );
  return rows.map(([word]) => String(word));
}

/** Words that match a pattern. */
export async function wordsLike(reader: Reader, glob: string, most: number): Promise<readonly string[]> {
  const sql = 'SELECT json_group_array(word) FROM (SELECT word FROM search_term WHERE word GLOB ? LIMIT ?)';
  const [row] = await reader.read(sql, [glob, most], 'one');
  return JSON.parse(String(row![0])) as string[];
}
