import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty, Shown } from '../../components/empty.tsx';
import { Find, Pager, pageIn } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { Table } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.ts';
import { nameWords } from '../../components/words.ts';
import { useKeys } from '../../keys.ts';
import { has, may } from '../../rights.ts';
import { Link, type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { SeenBy } from '../access/seen-by.tsx';
import { GroupForm, UserForm } from './forms.tsx';
import { Group } from './group.tsx';
import { MayShare } from './may-share.tsx';
import { find, type Kind, pageSize, pathTo } from './people.ts';
import { User } from './user.tsx';
import './page.css';

export default function Page({ params: { user, group }, query }: PageProps) {
  if (user) return <User key={user} name={user} />;
  if (group) return <Group key={group} name={group} page={pageIn(query)} />;
  return <People query={query} />;
}

const titles = { user: 'people.users', group: 'people.groups' } as const;
const makes = { user: 'people.makeUser', group: 'people.makeGroup' } as const;

function People({ query }: Pick<PageProps, 'query'>) {
  const kind: Kind = query['show'] === 'group' ? 'group' : 'user';
  const [making, setMaking] = useState<Kind>();
  const [isSeen, setSeen] = useState(false);
  const mayMake = may(`${kind}.write`);
  const page = pageIn(query);
  const q = query['q'] ?? '';
  const loaded = useLoad(`${kind} ${q} ${page}`, (signal) => find(kind, q, { signal, page }));
  useKeys({ n: () => mayMake && setMaking(kind) }, { n: t(makes[kind]) });
  const kinds = (['user', 'group'] as const).filter((each) => may(`${each}.read`));
  const Form = making === 'group' ? GroupForm : UserForm;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('nav.people')}</h1>
        <div class="row wrap">
          {has('_administrator') && <Button onClick={() => setSeen(true)}>{t('people.seenTitle')}</Button>}
          {mayMake && (
            <Button kind="main" icon="plus" onClick={() => setMaking(kind)}>
              {t(makes[kind])}
            </Button>
          )}
        </div>
      </header>
      <MayShare />
      <Tabs
        label={t('nav.people')}
        tabs={kinds.map((id) => ({ id, text: t(titles[id]) }))}
        chosen={kind}
        onChoose={(show) => setQuery({ show: show === 'user' ? undefined : show, page: undefined })}
      >
        <div class="stack">
          <Find />
          <Shown of={loaded} rows={6}>
            {({ rows, hits }) => (
              <>
                {rows.length === 0 && <Empty icon="people" text={t('word.nothingFound')} />}
                {rows.length > 0 && (
                  <Table
                    label={t(titles[kind])}
                    rows={rows}
                    keyOf={({ name }) => name}
                    columns={[
                      {
                        id: 'name',
                        title: t('word.name'),
                        cell: ({ name, disabled }) => (
                          <span class="row wrap">
                            <Link to={pathTo(kind, name)}>{name}</Link>
                            {disabled && <Mark tone="warn">{t('people.disabled')}</Mark>}
                          </span>
                        ),
                      },
                      {
                        id: 'about',
                        title: t(kind === 'user' ? 'me.realName' : 'people.description'),
                        cell: ({ about }) => about,
                      },
                      ...(kind === 'user'
                        ? [
                            {
                              id: 'groups',
                              title: t('people.groups'),
                              cell: ({ groups }: { groups: readonly string[] }) => groups.map(nameWords).join(', '),
                            },
                          ]
                        : []),
                    ]}
                  />
                )}
                <Pager page={page} size={pageSize} hits={hits} />
              </>
            )}
          </Shown>
        </div>
      </Tabs>
      {isSeen && (
        <Dialog title={t('people.seenTitle')} onClose={() => setSeen(false)}>
          <SeenBy
            action={t('word.save')}
            onDone={() => {
              setSeen(false);
              toast(t('word.saved'));
            }}
          />
        </Dialog>
      )}
      {making && (
        <Form
          onClose={() => {
            setMaking(undefined);
            loaded.reload();
          }}
        />
      )}
    </div>
  );
}
