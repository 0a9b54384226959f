import type { JobDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { act } from '../../components/refusal.tsx';
import { may } from '../../rights.ts';
import { Link, navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { hasFailed, isOpen, jobName, plainReason, reasonOf, stateWords } from './jobs.ts';
import './page.css';

interface ButtonsProps {
  readonly job: JobDocument;
  readonly reload: () => void;
}

/** Abort, or run again: whichever the state allows. The page of the job that runs instead tells how it ends. */
export function JobButtons({ job, reload }: ButtonsProps) {
  if (!may('job.write')) return null;
  const doing = async (what: () => Promise<unknown>, done: string) => {
    if (await act(what, done)) reload();
  };
  const { jobId } = job;
  const name = jobName(job);
  if (job.status === 'HOLD') {
    return (
      <IconButton
        icon="play"
        label={t('jobs.release', { job: name })}
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
        label={t('jobs.abort', { job: name })}
        onClick={() => void doing(() => send('DELETE', `/job/${jobId}`), t('jobs.aborted'))}
      />
    );
  }
  if (hasFailed(job) || job.status === 'FINISHED_WARNING') {
    const again = async () => {
      const { jobId: next } = await send<JobDocument>('POST', `/job/${jobId}/re-run`);
      navigate(`/job/${encodeURIComponent(next)}`);
    };
    return (
      <Button
        icon="refresh"
        title={t('jobs.rerun', { job: name })}
        onClick={() => void act(again, t('jobs.rerunDone'))}
      >
        {t('word.again')}
      </Button>
    );
  }
  return null;
}

interface Props {
  readonly job: JobDocument;
  /** Called with the job that runs instead. */
  readonly onAgain: (job: string) => void;
  /** Whether there is room for few words alone. */
  readonly isShort?: boolean;
}

/** Why a job failed or what it warns of: in words for everybody, and behind them in those of the service. */
export function JobFailure({ job, onAgain, isShort }: Props) {
  const again = async () => {
    const { jobId } = await send<JobDocument>('POST', `/job/${job.jobId}/re-run`);
    onAgain(jobId);
  };
  const reason = reasonOf(job) ?? stateWords(job.status);
  const plain = plainReason(reason);
  const full = <Link to={`/job/${job.jobId}`}>{reason}</Link>;
  return (
    <div class="job-failure">
      <div class="small why" role="alert" title={reason}>
        {isShort || plain !== reason ? plain : full}
        {!isShort && plain !== reason && (
          <details>
            <summary>{t('library.panel')}</summary>
            {full}
          </details>
        )}
      </div>
      {job.status === 'FAILED_TOTAL' && may('job.write') && (
        <Button icon="refresh" onClick={() => void act(again, t('jobs.again'))}>
          {t('word.again')}
        </Button>
      )}
    </div>
  );
}
