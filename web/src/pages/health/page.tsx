import { Tabs } from '../../components/tabs.tsx';
import { useKeys } from '../../keys.ts';
import { may } from '../../rights.ts';
import { type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Access } from './access.tsx';
import { Log } from './log.tsx';
import { Runners } from './runners.tsx';
import { State } from './state.tsx';
import './page.css';

const tabs = ['state', 'log', 'access', 'runners'] as const;
/** Tabs for people who are no administrators. */
const own = ['state', 'access'] as const;
const shown = { state: State, log: Log, access: Access, runners: Runners };

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
