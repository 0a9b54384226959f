import type { ErrorLogListDocument, ErrorLogType, SelfTestDocument, VersionDocument } from 'portico/types';
import { get } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { useEvery, useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Fact, Time } from '../../components/values.tsx';
import { useKeys } from '../../keys.ts';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { Link, type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Explain, Upgrade } from './explain.tsx';
import { pathOfError, testTone } from './health.ts';
import { Log } from './log.tsx';
import { Runners } from './runners.tsx';
import { Work } from './work.tsx';
import './page.css';

const tabs = ['state', 'work', 'log', 'access', 'upgrade', 'runners'] as const;
/** Tabs for people who are no administrators. */
const own = ['state', 'access'] as const;
const shown = { state: State, work: Work, log: Log, access: Explain, upgrade: Upgrade, runners: Runners };

/** All may see whether the service is well, and why a request of theirs is refused. The rest is for administrators. */
export default function Page({ query }: PageProps) {
  const offered = may('health.read') ? tabs : own;
  const tab = offered.find((each) => each === query['tab']) ?? 'state';
  // Parameters of one tab mean nothing in another.
  const choose = (to: string) =>
    setQuery({ ...Object.fromEntries(Object.keys(query).map((name) => [name, undefined])), tab: to });
  useKeys(
    Object.fromEntries(offered.map((each, at) => [String(at + 1), () => choose(each)])),
    Object.fromEntries(offered.map((each, at) => [String(at + 1), t(`health.tab.${each}`)])),
  );
  const Chosen = shown[tab];
  return (
    <div class="page health">
      <header class="page-head">
        <h1>{t('nav.health')}</h1>
      </header>
      <Tabs
        label={t('nav.health')}
        tabs={offered.map((id) => ({ id, text: t(`health.tab.${id}`) }))}
        chosen={tab}
        onChoose={choose}
      >
        <div class="stack">
          <Chosen query={query} />
        </div>
      </Tabs>
    </div>
  );
}

function State(_props: { readonly query: Query }) {
  const test = useLoad('selftest', (signal) => get<SelfTestDocument>('/selftest', { signal }));
  useEvery(30_000, test.reload);
  return (
    <>
      <Shown of={test} rows={6}>
        {({ status, test: parts = [] }) => (
          <section class="card stack" aria-labelledby="tests">
            <h2 id="tests">
              {t(`health.is.${status}`)} <TestMark status={status} />
            </h2>
            <ul class="health-tests">
              {parts.map((part) => (
                <Part key={part.name} part={part} />
              ))}
            </ul>
          </section>
        )}
      </Shown>
      <Version />
      {may('health.read') && <Errors />}
    </>
  );
}

const TestMark = ({ status }: Pick<SelfTestDocument, 'status'>) => (
  <Mark tone={testTone(status)}>{t(`health.test.${status}`)}</Mark>
);

/** One part, with what it says. Parts below one that is well are left folded. */
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
            <Fact name={t('health.users')}>{info?.userNumber?.current}</Fact>
            <Fact name={t('nav.storages')}>{info?.storageNumber?.current}</Fact>
            <Fact name={t('health.transcoders')}>{info?.transcoderNumber?.current}</Fact>
          </dl>
        </section>
      )}
    </Shown>
  );
}

function Errors() {
  const errors = useLoad('errors', (signal) => get<ErrorLogListDocument>('/error', { signal }));
  useEvery(30_000, errors.reload);
  return (
    <section class="stack" aria-labelledby="errors">
      <h2 id="errors">{t('health.errors')}</h2>
      <Shown of={errors}>
        {({ errorLog = [] }) =>
          errorLog.length === 0 ? (
            <p class="muted">{t('health.errors.none')}</p>
          ) : (
            <Table
              label={t('health.errors')}
              rows={errorLog}
              keyOf={({ type, entityId, timestamp }) => `${type} ${entityId} ${timestamp}`}
              columns={[
                { id: 'about', title: t('health.about'), cell: (error) => <About error={error} /> },
                { id: 'says', title: t('health.says'), cell: ({ description }) => description },
                { id: 'at', title: t('health.at'), cell: ({ timestamp }) => <Time at={timestamp} /> },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
}

function About({ error }: { readonly error: ErrorLogType }) {
  const path = pathOfError(error);
  const text = `${error.type ?? ''} ${error.entityId ?? ''}`;
  return path ? <Link to={path}>{text}</Link> : <span>{text}</span>;
}
