import { useEffect, useRef, useState } from 'preact/hooks';
import { offline, Refusal } from '../api/client.ts';

export interface Loaded<T> {
  /** Answer of the last read. Stays while it is read again. */
  readonly value: T | undefined;
  readonly refusal: Refusal | undefined;
  /** Ends when the answer, or that of a later read, is there. */
  readonly reload: () => Promise<void>;
  readonly set: (change: (now: T) => T) => void;
}

/** Reads what a page shows, and reads it again when the key changes. A late answer of an earlier key is dropped. */
export function useLoad<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ readonly key?: string; readonly value?: T; readonly refusal?: Refusal }>({});
  const running = useRef<AbortController>(undefined);
  const newest = useRef<Promise<void>>(undefined);
  const current = useRef(read);
  current.current = read;
  const load = (): Promise<void> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const later = () => (running.current === own ? undefined : newest.current);
    newest.current = current.current(own.signal).then(
      (value) => (own.signal.aborted ? later() : setState({ key, value })),
      (error) => {
        if (own.signal.aborted) return later();
        if (!(error instanceof Refusal)) throw error;
        setState((now) => ({ ...now, refusal: error }));
        return undefined;
      },
    );
    return newest.current;
  };
  useBack(state.refusal, () => void load());
  useEffect(() => {
    void load();
    return () => running.current?.abort();
  }, [key]);
  return {
    value: state.value,
    refusal: state.refusal,
    reload: load,
    set: (change) => setState((now) => (now.value === undefined ? now : { ...now, value: change(now.value) })),
  };
}

/** Reads once what a component needs besides. Undefined until then, and where it cannot be read. */
export function useOnce<T>(read: (signal: AbortSignal) => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    const reading = new AbortController();
    read(reading.signal).then(
      (answer) => setValue(() => answer),
      () => undefined,
    );
    return () => reading.abort();
  }, []);
  return value;
}

/** Asks again by itself when the service is back that a read did not reach. */
export function useBack(failure: unknown, again: () => void): void {
  const isLost = failure instanceof Refusal && failure.status === 0;
  const isBack = isLost && !offline.value;
  useEffect(() => {
    if (isBack) again();
  }, [isBack]);
}

/** Calls it again and again while the page is seen. */
export function useEvery(milliseconds: number, look: () => void): void {
  const current = useRef(look);
  current.current = look;
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && current.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
