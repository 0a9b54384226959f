import type {
  ExplanationDocument,
  ExplanationGroupType,
  ExplanationLevelType,
  SecurityFindingListDocument,
} from 'portico/types';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { QueryForm } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { Fact, Time } from '../../components/values.tsx';
import { nameWords, roleWords } from '../../components/words.ts';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { outcomeOf } from './health.ts';
import { methods } from './log.tsx';

/** A user with its groups, and what becomes of a request. Who is no administrator asks about the own ones. */
export function Access({ query }: { readonly query: Query }) {
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

/** Answer of the service: whether a request passes, what is missing, and where the groups of the user come from. */
function Explanation({ explanation }: { readonly explanation: ExplanationDocument }) {
  const { method, path, user = '', note = [], group = [], level = [], step = [] } = explanation;
  const outcome = path === undefined ? undefined : outcomeOf(explanation);
  return (
    <section class="card stack" aria-labelledby="explained" aria-live="polite">
      <h2 id="explained" class="row wrap">
        {path === undefined ? user : <code>{`${method} ${path}`}</code>}
        {outcome && <Mark tone={outcome === 'open' ? 'good' : 'bad'}>{t(`health.outcome.${outcome}`)}</Mark>}
      </h2>
      <Missing explanation={explanation} />
      {note.map((each) => (
        <p key={each} class="muted small">
          {each}
        </p>
      ))}
      <Facts explanation={explanation} />
      {level.length > 0 && <Levels rows={level} />}
      {group.length > 0 && <Groups rows={group} />}
      {step.length > 0 && <Steps rows={step} />}
    </section>
  );
}

function Missing({ explanation: { missing = [], user = '' } }: { readonly explanation: ExplanationDocument }) {
  if (missing.length === 0) return null;
  return (
    <ul class="health-tests">
      {missing.map(({ what, name = '', group = [], says }) => (
        <li key={says}>
          <p>{what === 'role' ? t('health.closedTo', { user, role: name, words: roleWords(name) }) : says}</p>
          {group.length > 0 && <p class="muted small">{t('health.givers', { groups: group.join(', ') })}</p>}
        </li>
      ))}
    </ul>
  );
}

function Facts({ explanation }: { readonly explanation: ExplanationDocument }) {
  const { pattern, line, file = '', known: realms = [], needs = '', route, lastLogin } = explanation;
  return (
    <dl class="facts">
      <Fact name={t('health.chain')}>
        {pattern && (
          <>
            <code>{pattern}</code> {line ? t('health.line', { line, file }) : t('health.builtIn')}
          </>
        )}
      </Fact>
      <Fact name={t('health.route')}>{route && <code>{route}</code>}</Fact>
      <Fact name={t('health.needs')}>{needs && <span title={needs}>{roleWords(needs)}</span>}</Fact>
      <Fact name={t('health.realms')}>{realms.map(({ realm }) => realm).join(', ')}</Fact>
      <Fact name={t('health.lastLogin')}>
        {lastLogin && (
          <>
            <Time at={lastLogin.at} /> {lastLogin.realm ?? lastLogin.way}
          </>
        )}
      </Fact>
    </dl>
  );
}

/** Levels that the route asks for, with the entries that speak for the user. */
const Levels = ({ rows }: { readonly rows: readonly ExplanationLevelType[] }) => (
  <Table
    label={t('health.levels')}
    rows={rows}
    keyOf={({ kind, id, level }) => `${kind} ${id} ${level}`}
    columns={[
      { id: 'level', title: t('health.levels'), cell: ({ kind, id, level }) => `${level} · ${kind} ${id}` },
      {
        id: 'answer',
        title: t('health.answer'),
        cell: ({ granted, reason, owner, entry = [] }) => (
          <div>
            <Mark tone={granted ? 'good' : 'bad'}>{t(granted ? 'health.outcome.open' : 'health.missing')}</Mark>
            {reason && <p>{reason}</p>}
            {owner && <p>{t('health.owner', { owner })}</p>}
            {entry.map(({ id, says }) => (
              <p key={id} class="muted small">
                {id}: {says}
              </p>
            ))}
          </div>
        ),
      },
    ]}
  />
);

const Groups = ({ rows }: { readonly rows: readonly ExplanationGroupType[] }) => (
  <Table
    label={t('health.groups')}
    rows={rows}
    keyOf={({ name }) => name}
    columns={[
      {
        id: 'name',
        title: t('health.groups'),
        cell: ({ name, role }) => <span title={name}>{role ? nameWords(name) : name}</span>,
      },
      { id: 'source', title: t('health.source'), cell: (row) => <Source row={row} /> },
    ]}
  />
);

function Source({ row: { source, realm = '', claim, through = [] } }: { readonly row: ExplanationGroupType }) {
  return (
    <>
      {source !== 'group' && t(`health.source.${source}`, { realm })} {claim && <code>{claim}</code>}{' '}
      {through.length > 0 && t('health.source.through', { groups: through.join(', ') })}
    </>
  );
}

const answerTones = { accept: 'good', refuse: 'bad', pass: undefined, skipped: undefined } as const;

const Steps = ({ rows }: { readonly rows: NonNullable<ExplanationDocument['step']> }) => (
  <Table
    label={t('health.filters')}
    rows={rows}
    keyOf={({ name }) => name}
    columns={[
      { id: 'name', title: t('health.filters'), cell: ({ name }) => <code>{name}</code> },
      {
        id: 'answer',
        title: t('health.answer'),
        cell: ({ answer, reason }) => (
          <span class="row">
            <Mark tone={answerTones[answer]}>{t(`health.step.${answer}`)}</Mark>
            {reason}
          </span>
        ),
      },
    ]}
  />
);
