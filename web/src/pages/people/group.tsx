import type { GroupDocument, ListedGroupType, UserListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { Head } from '../../components/head.tsx';
import { Pager } from '../../components/list-query.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { roleWords } from '../../components/words.ts';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { GroupForm } from './forms.tsx';
import { Relations, Roles } from './parts.tsx';
import { offeredRoles, pageSize, pathTo, sourcesOf } from './people.ts';
import { Rights } from './rights.tsx';

const namesOf = (list: readonly ListedGroupType[] = []) =>
  list.filter(({ role }) => !role).map(({ groupName }) => groupName);

export function Group({ name, page }: { name: string; page: number }) {
  const at = pathTo('group', name);
  const [changing, setChanging] = useState(false);
  const mayWrite = may('group.write');
  const loaded = useLoad(`${at} ${page}`, async (signal) => {
    const [group, users, { hits: people = 0 }, sources, roles] = await Promise.all([
      get<GroupDocument>(at, { signal }),
      get<UserListDocument>(`${at}/users`, { query: { first: (page - 1) * pageSize + 1, number: pageSize }, signal }),
      get<UserListDocument>(`${at}/users`, { query: { traverse: true, number: 1 }, signal }),
      sourcesOf(`${at}/parents?traverse=true`, [name], signal),
      offeredRoles(signal),
    ]);
    return { group, users, people, sources, roles };
  });
  const { reload } = loaded;
  return (
    <div class="page stack">
      <Shown of={loaded} rows={8}>
        {({ group, group: { role, description, childGroupList, parentGroupList }, users, people, sources, roles }) => (
          <>
            <Head to="/people" up={t('nav.people')} title={name}>
              {mayWrite && !role && (
                <>
                  <Button onClick={() => setChanging(true)}>{t('people.change')}</Button>
                  <AskButton
                    kind="danger"
                    action={t('word.delete')}
                    question={t('people.deleteQuestion', { name })}
                    onYes={() =>
                      void act(() => send('DELETE', at)).then((worked) => worked && navigate('/people?show=group'))
                    }
                  />
                </>
              )}
            </Head>
            <p>{description ?? (role && roleWords(name))}</p>
            {mayWrite && !role && (
              <Rights key={name} group={name} sources={sources} offered={roles} people={people} onSaved={reload} />
            )}
            <Relations
              title={t('people.users')}
              kind="user"
              names={(users.user ?? []).map(({ userName }) => userName)}
              pathOf={(user) => at + pathTo('user', user)}
              onChanged={reload}
            >
              <Pager page={page} size={pageSize} hits={users.hits ?? 0} />
            </Relations>
            <Relations
              title={t('people.children')}
              kind="group"
              names={namesOf(childGroupList?.group)}
              pathOf={(child) => at + pathTo('group', child)}
              onChanged={reload}
            />
            {!role && (
              <>
                <Relations
                  title={t('people.parents')}
                  kind="group"
                  names={namesOf(parentGroupList?.group)}
                  pathOf={(parent) => pathTo('group', parent) + at}
                  onChanged={reload}
                />
                {!mayWrite && <Roles sources={sources} offered={roles} />}
              </>
            )}
            {changing && (
              <GroupForm
                of={group}
                onClose={() => {
                  setChanging(false);
                  reload();
                }}
              />
            )}
          </>
        )}
      </Shown>
    </div>
  );
}
