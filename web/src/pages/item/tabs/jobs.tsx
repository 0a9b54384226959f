import type { JobDocument, JobListDocument } from 'portico/types';
import { get } from '../../../api/client.ts';
import { Mark } from '../../../components/chips.tsx';
import { Empty, Skeleton } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { RefusalNote } from '../../../components/refusal.tsx';
import { Bar, Time } from '../../../components/values.tsx';
import { Link } from '../../../router.tsx';
import { t } from '../../../texts/index.ts';
import { JobButtons } from '../../jobs/job-actions.tsx';
import { isOpen, jobPercent, stateWords, toneOf, typeWords } from '../../jobs/jobs.ts';
import { useJobNews, withProgress } from '../../jobs/live.ts';
import type { TabProps } from '../item.ts';

/** Jobs of the item, the newest first. */
export function JobsTab({ item }: TabProps) {
  const { value, refusal, reload, set } = useLoad(`jobs ${item.id}`, (signal) =>
    get<JobListDocument>('/job', {
      query: { jobmetadata: `itemId=${item.id}`, user: false, metadata: true, sort: 'jobId desc', number: 50 },
      signal,
    }),
  );
  const jobs = value?.job ?? [];
  useJobNews({
    load: reload,
    isBusy: () => jobs.some(isOpen),
    progress: (event) =>
      set((now) => ({
        ...now,
        job: now.job?.map((job) => (job.jobId === event.entityId ? withProgress(job, event) : job)),
      })),
  });
  if (refusal && !value) return <RefusalNote error={refusal} onAgain={reload} />;
  if (!value) return <Skeleton />;
  if (jobs.length === 0) return <Empty icon="jobs" text={t('item.noJobs')} />;
  return (
    <ul class="plain jobs-of">
      {jobs.map((job) => (
        <Row key={job.jobId} job={job} reload={reload} />
      ))}
    </ul>
  );
}

function Row({ job, reload }: { job: JobDocument; reload: () => void }) {
  const percent = jobPercent(job);
  return (
    <li>
      <div class="row">
        <Link to={`/job/${job.jobId}`}>{typeWords(job.type)}</Link>
        <code class="muted">{job.jobId}</code>
        <span class="grow" />
        <Mark tone={toneOf(job.status)}>{stateWords(job.status)}</Mark>
        <JobButtons job={job} reload={reload} />
      </div>
      {isOpen(job) && (
        <div class="row">
          <Bar value={percent / 100} label={t('jobs.progressOf', { job: job.jobId })} />
          <span class="small percent">{percent} %</span>
        </div>
      )}
      <p class="muted small">
        {job.user} · <Time at={job.started} />
      </p>
    </li>
  );
}
