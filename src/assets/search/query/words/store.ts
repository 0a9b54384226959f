import { query, type Reader, sql, value } from '../../../../core/store/statement.ts';

const between = query(
  sql`SELECT word FROM search_term WHERE word GLOB ${value('begin')}
    AND length(word) BETWEEN ${value('shortest')} AND ${value('longest')} LIMIT ${value('most')}`,
  { word: sql<string>`` },
);

/** Words with a prefix and a length in the range. */
export async function wordsBetween(
  reader: Reader,
  begin: string,
  [shortest, longest]: readonly [number, number],
  most: number,
): Promise<readonly string[]> {
  return (await between(reader, { begin, shortest, longest, most })).map(({ word }) => word);
}

const like = query(
  sql`SELECT json_group_array(word)
    FROM (SELECT word FROM search_term WHERE word GLOB ${value('glob')} LIMIT ${value('most')})`,
  { words: sql<string>`` },
).first;

/** Words that match a pattern. */
export async function wordsLike(reader: Reader, glob: string, most: number): Promise<readonly string[]> {
  const row = await like(reader, { glob, most });
  return JSON.parse(row!.words) as string[];
}
