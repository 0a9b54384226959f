import type { ComponentChildren } from 'preact';
import type { Refusal } from '../api/client.ts';
import { RefusalNote } from './empty.tsx';
import { Skeleton } from './skeleton.tsx';

interface ShownProps<T> {
  /** Answer of `useLoad`. */
  readonly of: { readonly value: T | undefined; readonly refusal: Refusal | undefined; readonly reload: () => void };
  readonly rows?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** What was read, or a skeleton until then. A refusal stands above what was read before it. */
export function Shown<T>({ of: { value, refusal, reload }, rows = 4, children }: ShownProps<T>) {
  return (
    <>
      {refusal && <RefusalNote error={refusal} onAgain={reload} />}
      {value === undefined ? !refusal && <Skeleton rows={rows} /> : children(value)}
    </>
  );
}
