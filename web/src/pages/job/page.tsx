import type { JobDocument, JobProblemListDocument } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { useClock } from '../../components/clock.ts';
import { Empty, Pending } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { Person } from '../../components/person.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Bar, Time } from '../../components/values.tsx';
import { may } from '../../rights.ts';
import { Link, type PageProps } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { JobButtons } from '../jobs/job-actions.tsx';
import {
  datum,
  durationOf,
  durationText,
  hasFailed,
  isOpen,
  isRunning,
  itemOf,
  jobData,
  jobName,
  jobPercent,
  placeOfProblem,
  plainReason,
  priorities,
  priorityWords,
  problemWords,
  reasonOf,
  shareOf,
  stateWords,
  stepPercent,
  subjectOf,
  toneOf,
} from '../jobs/jobs.ts';
import { useJobNews, withProgress } from '../jobs/live.ts';
import '../jobs/page.css';
import './page.css';

type Task = NonNullable<NonNullable<JobDocument['log']>['task']>[number];

export default function Page({ params }: PageProps) {
  const id = params['id']!;
  const {
    value: job,
    refusal,
    reload,
    set,
  } = useLoad(id, (signal) => get<JobDocument>(`/job/${encodeURIComponent(id)}`, { query: jobData, signal }));
  useJobNews({
    load: reload,
    isBusy: job !== undefined && isRunning(job),
    concerns: ({ entityId }) => entityId === id,
    progress: (event) => event.entityId === id && set((now) => withProgress(now, event)),
  });
  useEnd(job);
  if (!job) return <Pending of={{ refusal, reload }} rows={8} />;
  const reason = reasonOf(job);
  return (
    <div class="page job">
      <p class="page-back">
        <Link to="/jobs">{t('nav.jobs')}</Link>
      </p>
      <header class="page-head">
        <h1>{jobName(job)}</h1>
        <Mark tone={toneOf(job.status)}>{stateWords(job.status)}</Mark>
        <JobButtons job={job} reload={reload} />
      </header>
      {isOpen(job) && <Running job={job} />}
      {hasFailed(job) && reason !== undefined && (
        <p class="job-error" role="alert">
          {plainReason(reason)}
        </p>
      )}
      <Facts job={job} reload={reload} />
      <JobProblems job={job} />
      <Steps tasks={job.log?.task ?? []} />
      <Data job={job} />
    </div>
  );
}

/** Tells how a job has ended that ran while somebody looked at it. */
function useEnd(job: JobDocument | undefined): void {
  const openJob = useRef<string>(undefined);
  useEffect(() => {
    if (!job) return;
    if (openJob.current === job.jobId && !isOpen(job)) toast(`${jobName(job)}: ${stateWords(job.status)}.`);
    openJob.current = isOpen(job) ? job.jobId : undefined;
  }, [job?.jobId, job?.status]);
}

function Running({ job }: { job: JobDocument }) {
  const percent = jobPercent(job);
  const step = stepPercent(job);
  const { currentStep, totalSteps } = job;
  return (
    <div class="job-running">
      <Bar value={percent / 100} label={t('jobs.progressOf', { job: jobName(job) })} />
      <p role="status">
        {percent} %
        {currentStep &&
          ` · ${t('job.stepOf', { number: currentStep.number, total: totalSteps ?? 0, description: currentStep.description })}`}
        {step !== undefined && ` · ${step} %`}
      </p>
    </div>
  );
}

function Facts({ job, reload }: { job: JobDocument; reload: () => void }) {
  const [now, setNow] = useState(Date.now);
  useClock(1_000, () => isOpen(job) && setNow(Date.now()));
  const item = itemOf(job);
  const about = subjectOf(job);
  const time = durationOf(job, now);
  return (
    <dl class="facts">
      {item && (
        <>
          <dt>{t('job.item')}</dt>
          <dd>
            <Link to={`/item/${item}`}>{about ?? t('media.unnamed')}</Link>
          </dd>
        </>
      )}
      <dt>{t('job.user')}</dt>
      <dd>
        <Person user={job.user} />
      </dd>
      <dt>{t('job.priority')}</dt>
      <dd>
        {may('job.write') && isOpen(job) ? (
          <select
            class="input"
            aria-label={t('job.priority')}
            value={job.priority}
            onChange={async ({ currentTarget: { value } }) => {
              const query = { priority: value };
              if (await act(() => send('PUT', `/job/${job.jobId}`, undefined, { query }), t('job.prioritySet')))
                reload();
            }}
          >
            {priorities.map((each) => (
              <option key={each} value={each}>
                {priorityWords(each)}
              </option>
            ))}
          </select>
        ) : (
          priorityWords(job.priority)
        )}
      </dd>
      <dt>{t('jobs.column.started')}</dt>
      <dd>{job.started ? <Time at={job.started} /> : '–'}</dd>
      <dt>{t('jobs.column.time')}</dt>
      <dd>{time === undefined ? '–' : durationText(time)}</dd>
      {datum(job, 'abortReason') && (
        <>
          <dt>{t('job.abortReason')}</dt>
          <dd>{datum(job, 'abortReason')}</dd>
        </>
      )}
    </dl>
  );
}

/** Problems that hold up a waiting job. */
function JobProblems({ job }: { job: JobDocument }) {
  const key = job.status === 'WAITING' ? job.jobId : '';
  const { value } = useLoad<JobProblemListDocument>(key, (signal) =>
    key === '' ? Promise.resolve({}) : get(`/job/${key}/problem`, { signal }),
  );
  const { problem = [] } = value ?? {};
  if (problem.length === 0) return null;
  return (
    <section class="jobs-problems" aria-label={t('jobs.problems')}>
      <h2>{t('job.waits')}</h2>
      <ul>
        {problem.map((each) => {
          const to = placeOfProblem(each);
          const about = (each.data ?? []).map(({ value: text }) => text).join(', ');
          return (
            <li key={each.id}>
              <strong>{problemWords(each.type)}</strong> {to ? <Link to={to}>{about}</Link> : about}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Steps({ tasks }: { tasks: readonly Task[] }) {
  if (tasks.length === 0) return <Empty icon="jobs" text={t('job.noSteps')} />;
  return (
    <section class="job-steps" aria-label={t('job.steps')}>
      <h2>{t('job.steps')}</h2>
      <ol>
        {tasks.map((task) => (
          <li key={`${task.step}-${task.attempts}`}>
            <div class="job-step">
              <Mark tone={toneOf(task.status)}>{stateWords(task.status)}</Mark>
              <strong>{task.description || t('job.step', { number: task.step })}</strong>
              {task.attempts > 0 && <span class="job-attempt">{t('job.attempt', { number: task.attempts + 1 })}</span>}
              {task.timestamp && <Time at={task.timestamp} />}
            </div>
            <Progress progress={task.progress} label={task.description ?? ''} />
            {task.errorMessage && <p class="job-error">{task.errorMessage}</p>}
            <TaskNotes task={task} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Progress({ progress, label }: { progress: Task['progress']; label: string }) {
  const share = shareOf(progress);
  if (share === undefined || share === 1) return null;
  return <Bar value={share} label={t('jobs.progressOf', { job: label })} />;
}

/** Sentences and parts of an attempt. */
function TaskNotes({ task }: { task: Task }) {
  const { subStep = [], subTask = [] } = task;
  if (subStep.length + subTask.length === 0) return null;
  return (
    <ul class="job-notes">
      {subStep.map(({ timestamp, description }, at) => (
        <li key={`s${at}`}>
          <Time at={timestamp} /> {description}
        </li>
      ))}
      {subTask.map((each) => (
        <li key={`t${each.id}`}>
          <Mark tone={toneOf(each.status)}>{stateWords(each.status)}</Mark> {each.description}
          {each.errorMessage && <span class="job-error">{each.errorMessage}</span>}
        </li>
      ))}
    </ul>
  );
}

function Data({ job }: { job: JobDocument }) {
  const { data = [] } = job;
  if (data.length === 0) return null;
  return (
    <details class="job-data">
      <summary>{t('job.data', { count: data.length })}</summary>
      <dl>
        {data.map(({ key, value }, at) => (
          <div key={String(at)}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
