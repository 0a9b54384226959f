import type { JobDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { act } from '../../components/refusal.tsx';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { hasFailed, isOpen, reasonOf, stateWords } from './jobs.ts';
import './page.css';

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

interface Props {
  readonly job: JobDocument;
  /** Called with the job that runs instead. */
  readonly onAgain: (job: string) => void;
}

/** Why a job failed or what it warns of, in the words of the service. One that failed can be run again. */
export function JobFailure({ job, onAgain }: Props) {
  const again = async () => {
    const { jobId } = await send<JobDocument>('POST', `/job/${job.jobId}/re-run`);
    onAgain(jobId);
  };
  return (
    <div class="job-failure">
      <p class="small" role="alert">
        <Link to={`/job/${job.jobId}`}>{reasonOf(job) ?? stateWords(job.status)}</Link>
      </p>
      {job.status === 'FAILED_TOTAL' && may('job.write') && (
        <Button icon="refresh" onClick={() => void act(again, t('jobs.again'))}>
          {t('word.again')}
        </Button>
      )}
    </div>
  );
}
