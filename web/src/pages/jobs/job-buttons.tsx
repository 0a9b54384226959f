import type { JobDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { act } from '../../kit/act.ts';
import { IconButton } from '../../kit/button.tsx';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { hasFailed, isOpen } from './jobs.ts';

/** Abort, or run again: whichever the state allows. */
export function JobButtons({ job, reload }: { job: JobDocument; reload: () => void }) {
  if (!may('job.write')) return null;
  const doing = async (what: () => Promise<unknown>, done: string) => {
    if (await act(what, done)) reload();
  };
  const { jobId } = job;
  if (job.status === 'HOLD') {
    return (
      <IconButton
        icon="play"
        label={t('jobs.release', { job: jobId })}
        onClick={() =>
          void doing(() => send('PUT', `/job/${jobId}`, undefined, { query: { status: 'READY' } }), t('jobs.released'))
        }
      />
    );
  }
  if (isOpen(job) && job.status !== 'ABORTED_PENDING') {
    return (
      <IconButton
        icon="stop"
        label={t('jobs.abort', { job: jobId })}
        onClick={() => void doing(() => send('DELETE', `/job/${jobId}`), t('jobs.aborted'))}
      />
    );
  }
  if (hasFailed(job)) {
    return (
      <IconButton
        icon="refresh"
        label={t('jobs.rerun', { job: jobId })}
        onClick={() => void doing(() => send('POST', `/job/${jobId}/re-run`), t('jobs.rerunDone'))}
      />
    );
  }
  return null;
}
