import type { Database, Statement } from '../../../src/core/store/contract.ts';

/** Tables of what is told of requests: a refused one may add to them. */
const told = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(?:audit|login|request_key)/i;

interface Told<T> {
  readonly result: T;
  readonly wrote: readonly string[];
}

/** Tells what was written to a database while something was done: more exact than to compare all tables. */
export function writesOf(database: Database): { during<T>(work: () => Promise<T>): Promise<Told<T>> } {
  let wrote: string[] = [];
  const isTold = ({ sql }: Statement): boolean => told.test(sql);
  const write = database.write.bind(database);
  database.write = async (statements, share) => {
    const outcome = await write(statements, share);
    if (outcome.done) wrote.push(...statements.filter((each) => !isTold(each)).map(({ sql }) => sql));
    return outcome;
  };
  return {
    async during(work) {
      wrote = [];
      const result = await work();
      return { result, wrote };
    },
  };
}
