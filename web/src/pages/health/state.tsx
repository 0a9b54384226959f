import type {
  ConfigurationPropertyListDocument,
  ErrorLogListDocument,
  ErrorLogType,
  JobListDocument,
  MigrationListDocument,
  SelfTestDocument,
  UpgradePlanDocument,
  VersionDocument,
  WorkListDocument,
  WorkType,
} from 'portico/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { Copy } from '../../components/copy.tsx';
import { Shown } from '../../components/empty.tsx';
import { QueryForm } from '../../components/list-query.tsx';
import { type Loaded, useEvery, useLoad } from '../../components/load.ts';
import { type Column, Table } from '../../components/table.tsx';
import { Bar, Fact, Time } from '../../components/values.tsx';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { numberText, t } from '../../texts/index.ts';
import { Checklist, RemoveSample } from '../first/checklist.tsx';
import { filterFrom, jobName, jobQuery, plainReason } from '../jobs/jobs.ts';
import { pathOfError, testTone, workRows, workTone } from './health.ts';

/** Findings that need a look, in sentences. All else is folded. */
export function State({ query }: { readonly query: Query }) {
  const isForAll = may('health.read');
  const test = useLoad('selftest', (signal) => get<SelfTestDocument>('/selftest', { signal }));
  const work = useLoad('work', async (signal) =>
    isForAll ? ((await get<WorkListDocument>('/work', { signal })).work ?? []) : [],
  );
  useEvery(30_000, () => {
    void test.reload();
    void work.reload();
  });
  const properties = useLoad('properties', async (signal) => {
    if (!isForAll) return undefined;
    const { property = [] } = await get<ConfigurationPropertyListDocument>('/configuration/properties', { signal });
    return new Map(property.map(({ key, value = '' }) => [key, value]));
  });
  const backup = properties.value?.get('lastBackup');
  const now = Date.now();
  const rows = workRows(work.value ?? [], now);
  const lateRows = rows.filter(({ word }) => word === 'failing' || word === 'late');
  return (
    <>
      <Checklist />
      <Shown of={test} rows={6}>
        {({ status, test: parts = [] }) => (
          <section class="card stack" aria-labelledby="tests">
            <h2 id="tests">{t(`health.is.${status === 'ok' && lateRows.length > 0 ? 'warning' : status}`)}</h2>
            <ul class="health-tests">
              {lateRows.map((row) => (
                <li key={row.kind}>
                  {lateWords(row, now)} <Link to={places[row.kind] ?? '/health?tab=work'}>{t('health.look')}</Link>
                </li>
              ))}
              {parts
                .filter((part) => part.status !== 'ok')
                .map((part) => (
                  <Part key={part.name} part={part} />
                ))}
            </ul>
            {isForAll && properties.value && <p class="muted">{backupWords(backup)}</p>}
            <details>
              <summary class="muted">{t('health.checked', { count: parts.length })}</summary>
              <ul class="health-tests">
                {parts.map((part) => (
                  <Part key={part.name} part={part} />
                ))}
              </ul>
            </details>
          </section>
        )}
      </Shown>
      {isForAll && <Errors />}
      {isForAll && (
        <Folded title={t('health.tab.work')} isOpen={query['tab'] === 'work'}>
          <Work of={work} />
        </Folded>
      )}
      {isForAll ? (
        <Folded title={t('health.version')} isOpen={query['tab'] === 'upgrade'}>
          <Version />
          <Upgrade query={query} />
        </Folded>
      ) : (
        <Version />
      )}
      {properties.value?.has('portico.sample') && <RemoveSample />}
    </>
  );
}

/** When a backup was made, as `portico backup` notes it: a time, or that it is kept elsewhere. */
function backupWords(noted: string | undefined) {
  if (noted === undefined) return t('health.noBackup');
  if (Number.isNaN(Date.parse(noted))) return t('health.backupElsewhere');
  return (
    <>
      {t('health.lastBackup')} <Time at={noted} />
    </>
  );
}

/** Pages that show what waits. */
const places: Readonly<Record<string, string>> = { deliveries: '/notifications', jobs: '/jobs?state=open' };

/** "3 notifications wait for 12 minutes". */
function lateWords({ kind, says, word, waiting = 0, oldest, due, lastFailureReason = '' }: Row, now: number): string {
  if (word === 'failing') return t('health.fails', { what: says ?? kind, reason: lastFailureReason });
  const since = oldest ?? due;
  const minutes = since === undefined ? 1 : Math.max(1, Math.floor((now - Date.parse(since)) / 60_000));
  const time = t('health.minutes', { minutes });
  const count = t(kind === 'deliveries' ? 'health.waitingNotifications' : 'health.waitingPieces', {
    count: Math.max(1, waiting),
  });
  return t(kind === 'deliveries' ? 'health.waitsNotifications' : 'health.waits', { what: says ?? kind, count, time });
}

interface FoldedProps {
  readonly title: string;
  /** Whether the address asks for it. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

/** Section that few look for. It is read when it is opened. */
export function Folded({ title, isOpen, children }: FoldedProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="card health-folded" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div class="stack">{children}</div>}
    </details>
  );
}

const TestMark = ({ status }: Pick<SelfTestDocument, 'status'>) => (
  <Mark tone={testTone(status)}>{t(`health.test.${status}`)}</Mark>
);

/** Part of the self-test with its messages. Parts below one that is well are left folded. */
function Part({ part: { name, description, status, message = [], test = [] } }: { readonly part: SelfTestDocument }) {
  return (
    <li>
      <div class="row wrap">
        <strong>{description ?? name}</strong>
        <TestMark status={status} />
      </div>
      {message.map((each) => (
        <p key={each} class="muted small">
          {each}
        </p>
      ))}
      {test.length > 0 && (
        <details open={status !== 'ok'}>
          <summary class="muted small">{t('health.parts', { count: test.length })}</summary>
          <ul class="health-tests">
            {test.map((each) => (
              <Part key={each.name} part={each} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Version() {
  const version = useLoad('version', (signal) => get<VersionDocument>('/version', { signal }));
  return (
    <Shown of={version}>
      {({ component = [], licenseInfo: info }) => (
        <section class="card stack" aria-labelledby="version">
          <h2 id="version">{t('health.version')}</h2>
          <dl class="facts">
            {component.map((each) => (
              <Fact key={each.name} name={each.name}>
                {each.version}
              </Fact>
            ))}
            <Fact name={t('health.items')}>{info?.itemNumber?.current}</Fact>
            <Fact name={t('people.users')}>{info?.userNumber?.current}</Fact>
            <Fact name={t('nav.storages')}>{info?.storageNumber?.current}</Fact>
            <Fact name={t('health.transcoders')}>{info?.transcoderNumber?.current}</Fact>
          </dl>
        </section>
      )}
    </Shown>
  );
}

function Errors() {
  const errors = useLoad('errors', async (signal) => {
    const failed = jobQuery({ ...filterFrom({}), group: 'failed' }, true);
    const [{ errorLog = [] }, { job = [] }] = await Promise.all([
      get<ErrorLogListDocument>('/error', { signal }),
      get<JobListDocument>('/job', { query: failed, signal }),
    ]);
    return { errorLog, names: new Map(job.map((each) => [each.jobId, jobName(each)])) };
  });
  useEvery(30_000, errors.reload);
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">{t('health.errors')}</h2>
      <Shown of={errors}>
        {({ errorLog, names }) =>
          errorLog.length === 0 ? (
            <p class="muted">{t('health.errors.none')}</p>
          ) : (
            <Table
              label={t('health.errors')}
              rows={errorLog}
              keyOf={({ type, entityId, timestamp }) => `${type} ${entityId} ${timestamp}`}
              columns={[
                { id: 'about', title: t('jobs.column.about'), cell: (error) => <About error={error} names={names} /> },
                {
                  id: 'says',
                  title: t('health.says'),
                  cell: ({ description = '' }) => <span title={description}>{plainReason(description)}</span>,
                },
                { id: 'at', title: t('jobs.column.time'), cell: ({ timestamp }) => <Time at={timestamp} /> },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
}

interface AboutProps {
  readonly error: ErrorLogType;
  /** Names of jobs by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

function About({ error, names }: AboutProps) {
  const path = pathOfError(error);
  return path ? (
    <Link to={path}>
      {names.get(error.entityId ?? '') ?? t(error.type === 'JOB' ? 'jobs.column.job' : 'health.storage')}
    </Link>
  ) : (
    <span>{[error.type, error.entityId].filter(Boolean).join(' ')}</span>
  );
}

type Row = ReturnType<typeof workRows>[number];

/** Work beside requests: what runs, what is due, and what is late. */
function Work({ of: work }: { readonly of: Loaded<WorkType[]> }) {
  useEvery(10_000, work.reload);
  const columns: readonly Column<Row>[] = [
    { id: 'kind', title: t('health.tab.work'), cell: (row) => <Kind row={row} /> },
    {
      id: 'state',
      title: t('health.state'),
      cell: ({ word }) => <Mark tone={workTone(word)}>{t(`health.work.${word}`)}</Mark>,
    },
    { id: 'waiting', title: t('health.work.waiting'), at: 'end', cell: ({ waiting = 0 }) => numberText(waiting) },
    {
      id: 'running',
      title: t('health.work.running'),
      at: 'end',
      cell: ({ leased, running = 0 }) => numberText(leased ?? running),
    },
    {
      id: 'done',
      title: t('health.done'),
      at: 'end',
      cell: ({ done = 0, failed = 0 }) => `${numberText(done)} / ${numberText(failed)}`,
    },
    { id: 'due', title: t('health.due'), cell: ({ due, oldest }) => <Time at={due ?? oldest} /> },
  ];
  return (
    <Shown of={work} rows={10}>
      {(rows) => (
        <Table
          label={t('health.tab.work')}
          columns={columns}
          rows={workRows(rows, Date.now())}
          keyOf={({ kind }) => kind}
        />
      )}
    </Shown>
  );
}

function Kind({ row: { kind, says, piece = [], word, lastFailure, lastFailureReason } }: { readonly row: Row }) {
  return (
    <div class="health-kind">
      {says}
      <code class="muted">{kind}</code>
      {word === 'failing' && (
        <span class="bad">
          {lastFailureReason} <Time at={lastFailure} />
        </span>
      )}
      {piece.map(({ name, done, of, says: waits }) => (
        <div key={name} class="small muted">
          {name}: {waits ?? `${numberText(done)}${of === undefined ? '' : ` / ${numberText(of)}`}`}
          <Bar label={`${kind} ${name}`} value={of ? done / of : undefined} />
        </div>
      ))}
    </div>
  );
}

/** The steps from one release of the original to another. */
function Upgrade({ query }: { readonly query: Query }) {
  const { from, to } = query;
  return (
    <>
      <OwnVersion />
      <h2>{t('health.upgrade.original')}</h2>
      <p class="muted">{t('health.upgrade.about')}</p>
      <QueryForm
        label={t('health.tab.upgrade')}
        button={t('health.upgrade.plan')}
        query={query}
        fields={[
          { name: 'from', label: t('health.upgrade.from'), required: true, placeholder: '4.17' },
          { name: 'to', label: t('health.upgrade.to'), required: true, placeholder: '23.2' },
        ]}
      />
      {from && to && <Plan from={from} to={to} />}
    </>
  );
}

/** Version and migrations of this service. */
function OwnVersion() {
  const list = useLoad('migrations', (signal) => get<MigrationListDocument>('/migration', { signal }));
  return (
    <Shown of={list}>
      {({ version, migration = [] }) => (
        <section class="card stack" aria-labelledby="own-version">
          <h2 id="own-version">{t('health.upgrade.own', { version })}</h2>
          <p class="muted">{t('health.upgrade.ownAbout')}</p>
          <Table
            label={t('health.upgrade.migration')}
            rows={migration}
            keyOf={({ number, extension }) => `${extension} ${number}`}
            columns={[
              { id: 'number', title: t('health.upgrade.migration'), cell: ({ number, name }) => `${number} · ${name}` },
              { id: 'of', title: t('health.upgrade.part'), cell: ({ extension }) => extension ?? 'Portico' },
              { id: 'at', title: t('health.upgrade.applied'), cell: ({ applied }) => <Time at={applied} /> },
            ]}
          />
        </section>
      )}
    </Shown>
  );
}

function Plan(query: { readonly from: string; readonly to: string }) {
  const plan = useLoad(`${query.from} ${query.to}`, (signal) =>
    get<UpgradePlanDocument>('/upgrade-plan', { query: { ...query }, signal }),
  );
  return (
    <Shown of={plan} rows={8}>
      {({ step = [] }) => (
        <ol class="health-steps card">
          {step.map(({ release, says, of = [], command }) => (
            <li key={`${release} ${says} ${of}`}>
              <strong>{release}</strong>
              <div class="stack">
                <p>{says}</p>
                {of.length > 0 && <p class="muted small">{of.join(', ')}</p>}
                {command && (
                  <p class="row">
                    <code>{command}</code>
                    <Copy text={command} />
                  </p>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Shown>
  );
}
