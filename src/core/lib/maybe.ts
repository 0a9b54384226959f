/** A value that is there already, or that is waited for. */
export type Maybe<T> = T | Promise<T>;

/**
 * Continues at once with a value that is no promise. A remembered login over a local database waits for nothing, and
 * each `await` would cost every request a turn of the queue.
 */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Results in the order of the inputs, asked for together: a remote database takes the reads of a page in a few calls. Of
 * several failures the first one in that order is thrown.
 */
export async function askEach<T, U>(inputs: readonly T[], ask: (input: T) => Maybe<U>): Promise<U[]> {
  const answers = await Promise.allSettled(inputs.map(async (input) => ask(input)));
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}
