import type { JobDocument } from 'portico/types';
import { useEffect, useRef } from 'preact/hooks';
import { type LiveEvent, onEvent } from '../../api/events.ts';
import { useEvery } from '../../components/load.ts';

/** Milliseconds between two looks at jobs that run, and in which several events are one. */
const [busyPause, together] = [3_000, 400];

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
  readonly isBusy: boolean;
  /** Whether an event is about what is shown. Default: all are. */
  readonly concerns?: (event: LiveEvent) => boolean;
  readonly progress: (event: LiveEvent) => void;
}

/** Keeps jobs current by their events. No event tells the progress of jobs of others: while jobs run, it looks again. */
export function useJobNews(watcher: JobWatcher): void {
  const current = useRef(watcher);
  current.current = watcher;
  useEvery(watcher.isBusy ? busyPause : undefined, watcher.load);
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = onEvent('job/*', (event) => {
      const { concerns = () => true, progress } = current.current;
      if (event.name === 'job/progress') progress(event);
      else if (concerns(event)) {
        due ??= setTimeout(() => {
          due = undefined;
          current.current.load();
        }, together);
      }
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, []);
}
