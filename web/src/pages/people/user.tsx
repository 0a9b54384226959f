import type { UserDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { Head } from '../../components/head.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { Factors } from '../../factor/list.tsx';
import { may } from '../../rights.ts';
import { Link, late } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { Keys } from '../me/keys.tsx';
import { Sessions } from '../me/sessions.tsx';
import { UserForm } from './forms.tsx';
import { Relations, Roles } from './parts.tsx';
import { offeredRoles, pathTo, sourcesOf } from './people.ts';

const Mail = late(async () => (await import('../when-asked.ts')).Mail);

export function User({ name }: { name: string }) {
  const at = pathTo('user', name);
  const [changing, setChanging] = useState(false);
  const loaded = useLoad(at, async (signal) => {
    const [user, sources, roles] = await Promise.all([
      get<UserDocument>(at, { signal }),
      sourcesOf(`${at}/allgroups`, [], signal),
      offeredRoles(signal),
    ]);
    return { user, sources, roles };
  });
  const { reload } = loaded;
  const isOwn = name === me.value?.userName;
  const mayWrite = may('user.write');
  const enable = async (disabled: boolean) => {
    const done = t(disabled ? 'people.mayLogIn' : 'people.mayNotLogIn', { name });
    if (await act(() => (disabled ? send('PUT', `${at}/enable`) : send('DELETE', at)), done)) reload();
  };
  return (
    <div class="page stack">
      <Shown of={loaded} rows={8}>
        {({ user, user: { realName, disabled = false }, sources, roles }) => (
          <>
            <Head
              to="/people"
              up={t('nav.people')}
              title={name}
              mark={disabled && <Mark tone="warn">{t('people.disabled')}</Mark>}
            >
              {mayWrite && <Button onClick={() => setChanging(true)}>{t('people.change')}</Button>}
              {mayWrite &&
                !isOwn &&
                (disabled ? (
                  <Button onClick={() => enable(true)}>{t('people.enable')}</Button>
                ) : (
                  <AskButton
                    kind="danger"
                    action={t('people.disable')}
                    question={t('people.disableQuestion', { name })}
                    onYes={() => enable(false)}
                  />
                ))}
            </Head>
            {realName && <p>{realName}</p>}
            {may('health.read') && (
              <p>
                <Link to={`/health?tab=access&user=${encodeURIComponent(name)}`}>
                  {t('people.explain', { user: name })}
                </Link>
              </p>
            )}
            <Relations
              title={t('people.groups')}
              kind="group"
              names={(user.groupList?.group ?? []).map(({ groupName }) => groupName)}
              pathOf={(group) => `${pathTo('group', group)}${at}`}
              onChanged={reload}
            />
            <Roles sources={sources} offered={roles} />
            {(mayWrite || isOwn) && (
              <>
                <Mail at={at} />
                <Factors at={at} />
                <Sessions at={at} />
                <Keys at={at} />
              </>
            )}
            {changing && (
              <UserForm
                of={user}
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
