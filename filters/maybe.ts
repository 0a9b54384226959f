/** A value that is there already, or that is waited for. */
export type Maybe<T> = T | Promise<T>;

/** Goes on at once with what is there already: an `await` on the way of every request costs each of them a turn of the queue. */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
