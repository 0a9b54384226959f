import type { JobDocument, JobListDocument, JobProblemListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Chips, Mark } from '../../components/chips.tsx';
import { useClock } from '../../components/clock.ts';
import { Empty, Pending } from '../../components/empty.tsx';
import { Check } from '../../components/field.tsx';
import { Pager } from '../../components/list-query.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { Person } from '../../components/person.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Bar, Time } from '../../components/values.tsx';
import { has } from '../../rights.ts';
import { Link, type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { useNewsOf } from '../item/news.ts';
import { JobButtons } from './job-actions.tsx';
import {
  durationOf,
  durationText,
  filterFrom,
  groups,
  isOpen,
  isRunning,
  itemOf,
  type JobFilter,
  jobName,
  jobPercent,
  jobQuery,
  jobTypes,
  pageSize,
  placeOfProblem,
  plainReason,
  problemWords,
  reasonOf,
  stateWords,
  subjectOf,
  toneOf,
  typeWords,
} from './jobs.ts';
import { useJobNews, withProgress } from './live.ts';
import './page.css';

export default function Page({ query }: PageProps) {
  const mayAll = has('_job_read');
  const filter = filterFrom(query);
  const key = JSON.stringify([filter, mayAll]);
  const {
    value: list,
    refusal,
    reload,
    set,
  } = useLoad(key, (signal) => get<JobListDocument>('/job', { query: jobQuery(filter, mayAll), signal }));
  useJobNews({
    load: reload,
    isBusy: (list?.job ?? []).some(isRunning),
    progress: (event) =>
      set((now) => ({
        ...now,
        job: now.job?.map((job) => (job.jobId === event.entityId ? withProgress(job, event) : job)),
      })),
  });
  const jobs = list?.job ?? [];
  return (
    <div class="page jobs">
      <header class="page-head">
        <h1>{t('nav.jobs')}</h1>
      </header>
      <Filters filter={filter} mayAll={mayAll} />
      {mayAll && <Problems />}
      {(refusal || !list) && <Pending of={{ refusal, reload }} rows={8} />}
      {list && jobs.length === 0 && (
        <Empty icon="jobs" text={t(Object.keys(query).length > 0 ? 'jobs.none' : 'jobs.noneYet')}>
          {Object.keys(query).length > 0 && (
            <Button onClick={() => setQuery(Object.fromEntries(Object.keys(query).map((name) => [name, undefined])))}>
              {t('jobs.clear')}
            </Button>
          )}
        </Empty>
      )}
      {jobs.length > 0 && <Rows jobs={jobs} reload={reload} />}
      <Pager page={filter.page} size={pageSize} hits={list?.hits ?? 0} />
    </div>
  );
}

/** Filters, which the address keeps. */
function Filters({ filter, mayAll }: { filter: JobFilter; mayAll: boolean }) {
  const change = (to: Readonly<Record<string, string | undefined>>) => setQuery({ page: undefined, ...to });
  return (
    <form
      class="jobs-filters"
      role="search"
      aria-label={t('jobs.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="jobs-groups" role="group" aria-label={t('jobs.column.state')}>
        {groups.map((group) => (
          <button
            type="button"
            key={group}
            aria-pressed={filter.group === group}
            onClick={() => change({ state: group === 'all' ? undefined : group })}
          >
            {t(`jobs.group.${group}`)}
          </button>
        ))}
      </div>
      <select
        class="input"
        aria-label={t('jobs.typeFilter')}
        value={filter.type}
        onChange={({ currentTarget: { value } }) => change({ type: value })}
      >
        <option value="">{t('jobs.allTypes')}</option>
        {[...new Set([...jobTypes, ...(filter.type === '' ? [] : [filter.type])])].map((type) => (
          <option key={type} value={type}>
            {typeWords(type)}
          </option>
        ))}
      </select>
      {mayAll && (
        <Check
          label={t('jobs.mine')}
          checked={!filter.all}
          onChange={({ currentTarget: { checked } }) => change({ mine: checked ? 'true' : undefined })}
        />
      )}
      {filter.item !== '' && (
        <Chips
          label={t('jobs.filters')}
          chips={[
            { id: 'item', text: t('jobs.ofItem', { item: filter.item }), onRemove: () => change({ item: undefined }) },
          ]}
        />
      )}
    </form>
  );
}

/** Problems that hold jobs up, with links to the places where something can be done about them. */
function Problems() {
  const { value, reload } = useLoad('problems', (signal) => get<JobProblemListDocument>('/job/problem', { signal }));
  const { problem = [] } = value ?? {};
  useNewsOf(undefined, ['job/*', 'storage/*'], reload);
  useEvery(problem.length > 0 ? 30_000 : undefined, reload);
  if (problem.length === 0) return null;
  return (
    <section class="jobs-problems" aria-label={t('jobs.problems')}>
      <h2>{t('jobs.problems')}</h2>
      <ul>
        {problem.map((each) => {
          const to = placeOfProblem(each);
          const about = (each.data ?? []).map(({ value }) => value).join(', ');
          return (
            <li key={each.id}>
              <strong>{problemWords(each.type)}</strong> {to ? <Link to={to}>{about}</Link> : about}{' '}
              <span>{t('jobs.problemJobs', { count: each.job?.length ?? 0 })}</span>
              <span class="jobs-problem-ids">
                {(each.job ?? []).slice(0, 5).map((id) => (
                  <Link key={id} to={`/job/${id}`}>
                    {id}
                  </Link>
                ))}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Rows({ jobs, reload }: { jobs: readonly JobDocument[]; reload: () => void }) {
  const [now, setNow] = useState(Date.now);
  useClock(1_000, () => setNow(Date.now()));
  const columns: readonly Column<JobDocument>[] = [
    {
      id: 'job',
      title: t('jobs.column.job'),
      cell: ({ jobId, type }) => <Link to={`/job/${jobId}`}>{typeWords(type)}</Link>,
    },
    {
      id: 'state',
      title: t('jobs.column.state'),
      cell: ({ status }) => <Mark tone={toneOf(status)}>{stateWords(status)}</Mark>,
    },
    { id: 'about', title: t('jobs.column.about'), cell: (job) => <About job={job} /> },
    { id: 'step', title: t('jobs.column.step'), cell: (job) => <Step job={job} /> },
    { id: 'user', title: t('jobs.column.user'), cell: ({ user }) => <Person user={user} /> },
    { id: 'started', title: t('jobs.column.started'), cell: ({ started }) => <Time at={started} /> },
    {
      id: 'time',
      title: t('jobs.column.time'),
      at: 'end',
      cell: (job) => {
        const time = durationOf(job, now);
        return time === undefined ? '' : durationText(time);
      },
    },
    {
      id: 'actions',
      title: t('item.actions'),
      at: 'end',
      cell: (job) => <JobButtons job={job} reload={reload} />,
    },
  ];
  return <Table label={t('nav.jobs')} columns={columns} rows={jobs} keyOf={({ jobId }) => jobId} />;
}

function About({ job }: { job: JobDocument }) {
  const item = itemOf(job);
  const about = subjectOf(job);
  if (!item) return <span class="jobs-about">{about ?? '–'}</span>;
  return (
    <span class="jobs-about">
      <Link to={`/item/${item}`}>{about ?? t('media.unnamed')}</Link>
    </span>
  );
}

/** The step that runs, what it waits for, or why it failed. */
function Step({ job }: { job: JobDocument }) {
  const { waiting, currentStep } = job;
  const says = waiting
    ? `${problemWords(waiting.requirement ?? '')} ${waiting.resourceId ?? ''}`
    : (currentStep?.description ?? '');
  const reason = reasonOf(job);
  if (reason !== undefined && !isOpen(job))
    return (
      <span class="jobs-step" title={reason}>
        {plainReason(reason)}
      </span>
    );
  if (!isOpen(job)) return <span class="jobs-step">{job.status === 'FINISHED' ? '' : says}</span>;
  return (
    <span class="jobs-step">
      <Bar value={jobPercent(job) / 100} label={t('jobs.progressOf', { job: jobName(job) })} />
      <span>{says}</span>
    </span>
  );
}
