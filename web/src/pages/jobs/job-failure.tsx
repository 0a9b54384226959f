import type { JobDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { act } from '../../kit/act.ts';
import { Button } from '../../kit/button.tsx';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { reasonOf } from './jobs.ts';
import { stateWords } from './words.ts';
import './job-failure.css';

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
