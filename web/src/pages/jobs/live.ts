import type { JobDocument } from 'portico/types';
import { useEffect, useRef } from 'preact/hooks';
import { type LiveEvent, onEvent } from '../../api/events.ts';

/** Milliseconds between two looks at jobs that run, while the page is seen. */
const busyPause = 3_000;
const idlePause = 15_000;
const together = 400;

/** Progress of a running job, as its event tells it. */
function progressIn({ data = [] }: LiveEvent): { readonly value: number; readonly total: number } | undefined {
  const of = (key: string) => Number(data.find((each) => each.key === key)?.value);
  const [value, total] = [of('progress'), of('total')];
  return Number.isFinite(value) && total > 0 ? { value, total } : undefined;
}

/** The job with the progress of an event in its running attempt. */
export function withProgress(job: JobDocument, event: LiveEvent): JobDocument {
  const progress = progressIn(event);
  if (!progress) return job;
  const task = (job.log?.task ?? []).map((each) =>
    each.status === 'STARTED' ? { ...each, progress: { ...progress, unit: each.progress?.unit } } : each,
  );
  return { ...job, log: { task } };
}

interface JobWatcher {
  /** Reads the list or the job again. */
  readonly load: () => void;
  /** Whether anything that is shown runs. */
  readonly isBusy: () => boolean;
  readonly progress: (event: LiveEvent) => void;
}

/**
 * Keeps jobs current: events of own jobs at once, jobs of others by looking again, which events of this caller do not
 * tell. Nothing is asked while the page is hidden.
 */
export function useJobNews(watcher: JobWatcher): void {
  const current = useRef(watcher);
  current.current = watcher;
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const reloadSoon = () => {
      due ??= setTimeout(() => {
        due = undefined;
        current.current.load();
      }, together);
    };
    const look = () => {
      timer = setTimeout(
        () => {
          if (!document.hidden) current.current.load();
          look();
        },
        current.current.isBusy() ? busyPause : idlePause,
      );
    };
    look();
    const end = onEvent('job/*', (event) => {
      if (event.name === 'job/progress') current.current.progress(event);
      else reloadSoon();
    });
    return () => {
      end();
      clearTimeout(due);
      clearTimeout(timer);
    };
  }, []);
}
