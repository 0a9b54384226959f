import type {
  ExplanationDocument,
  MigrationListDocument,
  SecurityFindingListDocument,
  UpgradePlanDocument,
} from 'portico/types';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Mark } from '../../components/chips.tsx';
import { Copy } from '../../components/copy.tsx';
import { Shown } from '../../components/empty.tsx';
import { QueryForm } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { Explanation } from './explanation.tsx';
import { methods } from './log.tsx';

/** A user with its groups, and what becomes of a request. Who is no administrator asks about the own ones. */
export function Explain({ query }: { readonly query: Query }) {
  const isForAll = may('health.read');
  const { method = 'GET', target } = query;
  const user = isForAll ? query['user'] : me.value?.userName;
  return (
    <>
      {isForAll && <Findings />}
      <p class="muted">{t(isForAll ? 'health.explain.about' : 'health.explain.own')}</p>
      <QueryForm
        label={t('health.tab.access')}
        button={t('health.explain')}
        query={query}
        fields={[
          { name: 'method', label: t('health.method'), options: methods.map((each) => [each, each]) },
          { name: 'target', label: t('health.path'), required: !isForAll, placeholder: '/API/item/VX-1' },
          ...(isForAll ? [{ name: 'user', label: t('health.user') }] : []),
        ]}
      />
      {(target || user) && <LoadedExplanation method={method} target={target || undefined} user={user || undefined} />}
    </>
  );
}

/** What is wrong in security.ini and in plugins. */
function Findings() {
  const findings = useLoad('findings', (signal) => get<SecurityFindingListDocument>('/security/finding', { signal }));
  return (
    <Shown of={findings} rows={2}>
      {({ keptSince, finding = [] }) => (
        <section class="card stack" aria-labelledby="findings">
          <h2 id="findings">{t('health.findings')}</h2>
          {finding.length === 0 && <p class="muted">{t('health.findings.none')}</p>}
          {keptSince && (
            <p class="bad">
              {t('health.kept')} <Time at={keptSince} />
            </p>
          )}
          <ul class="health-tests">
            {finding.map(({ severity, file, line, column, code, message, nearest }) => (
              <li key={`${file} ${line} ${column} ${code} ${message}`}>
                <div class="row wrap">
                  <Mark tone={severity === 'error' ? 'bad' : 'warn'}>{t(`health.finding.${severity}`)}</Mark>
                  <code>
                    {file}:{line}:{column}
                  </code>
                </div>
                <p>
                  {message}
                  {nearest && ` (${t('health.nearest', { name: nearest })})`}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Shown>
  );
}

interface ExplainQuery {
  readonly method: string;
  readonly target: string | undefined;
  readonly user: string | undefined;
}

function LoadedExplanation(query: ExplainQuery) {
  const loaded = useLoad(JSON.stringify(query), (signal) =>
    get<ExplanationDocument>('/security/explain', { query: { ...query }, signal }),
  );
  return <Shown of={loaded}>{(explanation) => <Explanation explanation={explanation} />}</Shown>;
}

/** The steps from one release of the original to another. */
export function Upgrade({ query }: { readonly query: Query }) {
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
