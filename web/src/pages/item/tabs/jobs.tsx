import type { JobDocument, JobListDocument } from 'portico/types';
import { get } from '../../../api/client.ts';
import { Mark } from '../../../components/chips.tsx';
import { Empty, Pending } from '../../../components/empty.tsx';
import { useLoad } from '../../../components/load.ts';
import { Person } from '../../../components/person.tsx';
import { Bar, Time } from '../../../components/values.tsx';
import { Link } from '../../../router.tsx';
import { t } from '../../../texts/index.ts';
import { JobButtons } from '../../jobs/job-actions.tsx';
import { isOpen, isRunning, jobData, jobName, jobPercent, stateWords, toneOf, typeWords } from '../../jobs/jobs.ts';
import { useJobNews, withProgress } from '../../jobs/live.ts';
import type { TabProps } from '../item.ts';

/** Jobs of the item, the newest first. */
export function JobsTab({ item }: TabProps) {
  const { value, refusal, reload, set } = useLoad(`jobs ${item.id}`, (signal) =>
    get<JobListDocument>('/job', {
      query: { jobmetadata: `itemId=${item.id}`, user: false, ...jobData, sort: 'jobId desc', number: 50 },
      signal,
    }),
  );
  const jobs = value?.job ?? [];
  useJobNews({
    load: reload,
    isBusy: jobs.some(isRunning),
    concerns: ({ data = [] }) => data.some(({ value }) => value === item.id),
    progress: (event) =>
      set((now) => ({
        ...now,
        job: now.job?.map((job) => (job.jobId === event.entityId ? withProgress(job, event) : job)),
      })),
  });
  if (!value) return <Pending of={{ refusal, reload }} />;
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
        <span class="grow" />
        <Mark tone={toneOf(job.status)}>{stateWords(job.status)}</Mark>
        <JobButtons job={job} reload={reload} />
      </div>
      {isOpen(job) && (
        <div class="row">
          <Bar value={percent / 100} label={t('jobs.progressOf', { job: jobName(job) })} />
          <span class="small percent">{percent} %</span>
        </div>
      )}
      <p class="muted small">
        <Person user={job.user} /> · <Time at={job.started} />
      </p>
    </li>
  );
}
