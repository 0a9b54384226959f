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
  const isLost = failure instanceof Refusal && failure.isAway;
  const isBack = isLost && !offline.value;
  useEffect(() => {
    if (isBack) again();
  }, [isBack]);
}

const maxPause = 60_000;

/**
 * Looks at what no event tells, ever more seldom while nobody touches the page. A hidden page asks for nothing, and once
 * when it is shown again. Undefined: there is nothing to look at.
 */
export function useEvery(milliseconds: number | undefined, look: () => void): void {
  const current = useRef(look);
  current.current = look;
  useEffect(() => {
    if (milliseconds === undefined) return undefined;
    let pause = milliseconds;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      if (document.hidden) return;
      timer = setTimeout(() => {
        pause = Math.max(milliseconds, Math.min(pause * 2, maxPause));
        current.current();
        wait();
      }, pause);
    };
    const touched = () => {
      if (pause === milliseconds) return;
      pause = milliseconds;
      wait();
    };
    const turned = () => {
      pause = milliseconds;
      if (!document.hidden) current.current();
      wait();
    };
    wait();
    const ends = new AbortController();
    const { signal } = ends;
    document.addEventListener('visibilitychange', turned, { signal });
    for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, touched, { signal });
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }, [milliseconds]);
}
