/** A value that is there already, or that is waited for. */
export type Maybe<T> = T | Promise<T>;

/**
 * Goes on with a value at once if it is there: a remembered login over a local database waits for nothing, and each
 * `await` on the way of every request would cost a turn of the queue.
 */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
