import type { ExplanationDocument, SecurityFindingListDocument } from 'portico/types';
import { get } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Mark } from '../../components/chips.tsx';
import { Copy } from '../../components/copy.tsx';
import { Shown } from '../../components/empty.tsx';
import { QueryForm } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { Time } from '../../components/values.tsx';
import type { Query } from '../../match.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { outcomeOf } from './health.ts';
import { methods } from './log.tsx';
import { May, Missing } from './may.tsx';
import { Folded } from './state.tsx';
import '../notification/page.css';

/** A user with its groups, and what becomes of a request. Who is no administrator asks about the own ones. */
export function Access({ query }: { readonly query: Query }) {
  const isForAll = may('health.read');
  const { method = 'GET', target } = query;
  const user = isForAll ? query['user'] : me.value?.userName;
  return (
    <>
      <May query={query} />
      <Folded title={t('health.support')} isOpen={target !== undefined}>
        <QueryForm
          label={t('health.support')}
          button={t('health.explain')}
          query={query}
          fields={[
            { name: 'method', label: t('health.method'), options: methods.map((each) => [each, each]) },
            { name: 'target', label: t('health.path'), required: !isForAll, placeholder: '/API/item/VX-1' },
          ]}
        />
        {(target || user) && <Explanation method={method} target={target || undefined} user={user || undefined} />}
      </Folded>
      {isForAll && <Findings />}
    </>
  );
}

/** Problems in security.ini and in plugins. */
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

/** Answer of the service: whether a request passes, what is missing, and a text for support with all that decides. */
function Explanation(query: ExplainQuery) {
  const loaded = useLoad(JSON.stringify(query), async (signal) => {
    const ask = { query: { ...query }, signal };
    const [explanation, text] = await Promise.all([
      get<ExplanationDocument>('/security/explain', ask),
      get<string>('/security/explain', { ...ask, headers: { accept: 'text/plain' } }),
    ]);
    return { explanation, text };
  });
  return (
    <Shown of={loaded}>
      {({ explanation, text }) => {
        const { method, path, user = '', missing = [], note = [] } = explanation;
        const outcome = path === undefined ? undefined : outcomeOf(explanation);
        return (
          <section class="stack" aria-labelledby="explained" aria-live="polite">
            <h2 id="explained" class="row wrap">
              {path === undefined ? user : <code>{`${method} ${path}`}</code>}
              {outcome && <Mark tone={outcome === 'open' ? 'good' : 'bad'}>{t(`health.outcome.${outcome}`)}</Mark>}
            </h2>
            {missing.map((each) => (
              <Missing key={each.says} user={user} missing={each} onMended={() => void loaded.reload()} />
            ))}
            {note.map((each) => (
              <p key={each} class="muted small">
                {each}
              </p>
            ))}
            <pre class="service-text" tabIndex={0} aria-label={t('health.support')}>
              {text}
            </pre>
            <div>
              <Copy text={text} />
            </div>
          </section>
        );
      }}
    </Shown>
  );
}
