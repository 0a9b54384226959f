import type { AuditLogDocument, AuditLogEntryType } from 'portico/types';
import { addressOf, get } from '../../api/client.ts';
import { Mark } from '../../components/chips.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { Pager, QueryForm } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { explainAt } from '../../components/refusal.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import type { Query } from '../../match.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { logQuery, logRows, statusTone, targetOf } from './health.ts';

export const methods = ['GET', 'PUT', 'POST', 'DELETE'] as const;

/** Page that explains a refused request. */
const whyOf = (entry: AuditLogEntryType): string =>
  explainAt({ method: entry.method, target: targetOf(entry), user: entry.runAs ?? entry.username });

/** The audit log, by a filter that the address keeps. */
export function Log({ query }: { readonly query: Query }) {
  const { first, ...filter } = logQuery(query);
  return (
    <>
      <QueryForm
        label={t('health.filter')}
        button={t('health.find')}
        query={query}
        fields={[
          { name: 'user', label: t('access.user') },
          {
            name: 'refused',
            label: t('health.answer'),
            options: [
              ['', t('jobs.group.all')],
              ['true', t('quota.refused')],
            ],
          },
          { name: 'path', label: t('health.path'), placeholder: '/item/*' },
          {
            name: 'method',
            label: t('health.method'),
            options: [['', t('jobs.group.all')], ...methods.map((each) => [each, each] as const)],
          },
          { name: 'since', label: t('health.since'), type: 'datetime-local' },
          { name: 'until', label: t('health.until'), type: 'datetime-local' },
        ]}
      />
      <Entries query={query} />
      <p>
        <a class="row" href={addressOf('/log/export', filter)} download>
          <Icon name="download" />
          {t('health.download')}
        </a>
      </p>
    </>
  );
}

function Entries({ query }: { readonly query: Query }) {
  const parameters = { ...logQuery(query), rows: logRows, performCount: true };
  const log = useLoad(JSON.stringify(parameters), (signal) =>
    get<AuditLogDocument>('/log', { query: parameters, signal }),
  );
  const columns: readonly Column<AuditLogEntryType>[] = [
    { id: 'at', title: t('jobs.column.time'), cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      id: 'user',
      title: t('access.user'),
      cell: ({ username, runAs }) => (runAs ? t('health.as', { user: username, other: runAs }) : username),
    },
    {
      id: 'request',
      title: t('health.request'),
      cell: (entry) => (
        <code class="health-target">
          {entry.method} {targetOf(entry)}
        </code>
      ),
    },
    {
      id: 'answer',
      title: t('health.answer'),
      cell: (entry) => (
        <span class="row">
          <Mark tone={statusTone(entry.responseCode)}>{entry.responseCode}</Mark>
          <span class="muted">{entry.reason}</span>
          {[401, 403, 404].includes(entry.responseCode) && <Link to={whyOf(entry)}>{t('word.why')}</Link>}
        </span>
      ),
    },
    { id: 'from', title: t('health.from'), cell: ({ address }) => <span class="muted">{address}</span> },
  ];
  return (
    <Shown of={log} rows={10}>
      {({ entry = [], count = 0 }) =>
        entry.length === 0 ? (
          <Empty icon="history" text={t('health.log.none')} />
        ) : (
          <>
            <Table
              label={t('health.tab.log')}
              columns={columns}
              rows={entry}
              keyOf={(each) => `${each.timestamp} ${each.username} ${each.method} ${targetOf(each)}`}
            />
            <Pager page={parameters.first / logRows + 1} size={logRows} hits={count} />
          </>
        )
      }
    </Shown>
  );
}
