import type { RunnerListDocument, RunnerType } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Copy } from '../../components/copy.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Bar, Time } from '../../components/values.tsx';
import { may, typed } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';

/** Makes the user of a runner, and a token that lasts a year. */
const tokenCommand = (): string =>
  ['user add runner --generate', 'group join _runner runner', 'token new runner --seconds 31536000']
    .map(typed)
    .join(' && ');

/** For another machine, which has no instance. */
const command = (): string => `${me.value?.program ?? 'portico'} runner --url https://ADDRESS/API --token TOKEN`;

const pageSize = 100;
/** Milliseconds between two looks. */
const lookPause = 5_000;

const tasks = { TRANSCODE: 'health.task.TRANSCODE', STILLS: 'health.task.STILLS', PROBE: 'health.task.PROBE' } as const;

/** Other machines that do media work: when each last called, and what it does now. */
export function Runners() {
  const [pages, setPages] = useState(1);
  const runners = useLoad(`runners ${pages}`, async (signal) => {
    const read = (at: number) =>
      get<RunnerListDocument>('/runner', { query: { first: at * pageSize + 1, number: pageSize }, signal });
    return (await Promise.all(Array.from({ length: pages }, (_page, at) => read(at)))).flatMap(
      ({ runner = [] }) => runner,
    );
  });
  useEvery(lookPause, runners.reload);
  const remove = ({ id = '' }: RunnerType) =>
    void act(() => send('DELETE', `/runner/${encodeURIComponent(id)}`), t('health.runners.removed')).then(
      runners.reload,
    );
  const pause = ({ id = '', paused }: RunnerType) =>
    act(
      () => send('POST', `/runner/${encodeURIComponent(id)}/${paused ? 'resume' : 'pause'}`),
      t(paused ? 'health.runners.resumed' : 'health.runners.paused'),
    ).then(runners.reload);
  const columns: readonly Column<RunnerType>[] = [
    { id: 'name', title: t('health.runners.runner'), cell: (runner) => <Name runner={runner} /> },
    {
      id: 'state',
      title: t('health.state'),
      cell: (runner) => <State runner={runner} />,
    },
    { id: 'seen', title: t('health.runners.seen'), cell: ({ seen }) => <Time at={seen} /> },
    { id: 'version', title: t('health.version'), cell: ({ version }) => version },
    { id: 'tasks', title: t('health.runners.tasks'), cell: ({ task = [] }) => <Tasks tasks={task} /> },
    {
      id: 'tools',
      title: '',
      at: 'end',
      cell: (runner) =>
        may('runner.write') && (
          <>
            {may('runner.pause') && (
              <IconButton
                icon={runner.paused ? 'play' : 'pause'}
                label={t(runner.paused ? 'health.runners.resume' : 'health.runners.pause', { name: runner.name ?? '' })}
                onClick={() => void pause(runner)}
              />
            )}
            <AskButton
              icon="trash"
              kind="danger"
              action={t('word.removeNamed', { name: runner.name ?? '' })}
              question={t('health.runners.removeQuestion', { name: runner.name ?? '', user: runner.user ?? '' })}
              onYes={() => remove(runner)}
            />
          </>
        ),
    },
  ];
  return (
    <Shown of={runners} rows={4}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon="jobs" text={t('health.runners.none')}>
            <p class="muted">{t('health.runners.token')}</p>
            <p class="row">
              <code>{tokenCommand()}</code>
              <Copy text={tokenCommand} />
            </p>
            <p class="muted">{t('health.runners.how')}</p>
            <p class="row">
              <code>{command()}</code>
              <Copy text={command} />
            </p>
          </Empty>
        ) : (
          <>
            <Table label={t('health.tab.runners')} columns={columns} rows={rows} keyOf={({ id = '' }) => id} />
            {rows.length === pages * pageSize && <Button onClick={() => setPages(pages + 1)}>{t('word.more')}</Button>}
          </>
        )
      }
    </Shown>
  );
}

function State({ runner: { state, paused, task = [] } }: { readonly runner: RunnerType }) {
  const works = task.length > 0;
  return (
    <span class="row wrap">
      {state !== 'ONLINE' && <Mark tone="warn">{t('health.runners.away')}</Mark>}
      {paused && <Mark tone="warn">{t('health.runners.isPaused')}</Mark>}
      {state === 'ONLINE' && (works || !paused) && (
        <Mark tone={works ? 'live' : 'good'}>{t(works ? 'health.runners.busy' : 'health.runners.free')}</Mark>
      )}
    </span>
  );
}

function Name({ runner: { name, user = '', label = [] } }: { readonly runner: RunnerType }) {
  return (
    <div class="health-kind">
      <strong>{name}</strong>
      <Link to={`/user/${encodeURIComponent(user)}`}>{user}</Link>
      {label.length > 0 && (
        <span class="row wrap">
          {label.map((each) => (
            <Mark key={each}>{each}</Mark>
          ))}
        </span>
      )}
    </div>
  );
}

function Tasks({ tasks: running }: { readonly tasks: NonNullable<RunnerType['task']> }) {
  return (
    <>
      {running.map(({ type, job, progress }) => {
        const words = Object.hasOwn(tasks, type) ? t(tasks[type as keyof typeof tasks]) : type;
        return (
          <div key={job + type} class="health-kind">
            <Link to={`/job/${encodeURIComponent(job)}`}>
              {words} {job}
            </Link>
            <Bar label={`${words} ${job}`} value={progress / 100} />
          </div>
        );
      })}
    </>
  );
}
