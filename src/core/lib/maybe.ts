/** A value that is there already, or that is waited for. */
export type Maybe<T> = T | Promise<T>;

/**
 * Continues at once with a value that is no promise. A remembered login over a local database waits for nothing, and
 * each `await` would cost every request a turn of the queue.
 */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
