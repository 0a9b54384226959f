import type { UserType } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { me, ownPath } from '../../api/session.ts';
import { Field } from '../../components/field.tsx';
import { act } from '../../components/refusal.tsx';
import { Factors } from '../../factor/list.tsx';
import { look, setLook } from '../../look.ts';
import { late } from '../../router.tsx';
import { isLanguage, languages, t } from '../../texts/index.ts';
import { Keys } from './keys.tsx';
import './page.css';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';

const Mail = late(async () => (await import('../when-asked.ts')).Mail);

export default function Page() {
  return (
    <div class="page me">
      <h1>{t('me.title')}</h1>
      <Account />
      <LookForm />
      <Mail />
      {me.value!.password && <Password />}
      <Factors />
      <Sessions />
      <Keys />
    </div>
  );
}

function Account() {
  const { userName, role = [] } = me.value!;
  const [user, setUser] = useState<UserType>();
  useEffect(() => {
    get<UserType>(ownPath()).then(setUser, () => undefined);
  }, []);
  const realName = user?.realName ?? me.value!.realName;
  return (
    <section class="card stack" aria-labelledby="account">
      <h2 id="account">{t('me.account')}</h2>
      <dl class="facts">
        <dt>{t('me.name')}</dt>
        <dd>{userName}</dd>
        {realName && (
          <>
            <dt>{t('me.realName')}</dt>
            <dd>{realName}</dd>
          </>
        )}
        <dt>{t('me.rolesTitle')}</dt>
        <dd>
          <details>
            <summary>{t('me.roles', { count: role.length })}</summary>
            <p class="mono small muted">{role.join(' ')}</p>
          </details>
        </dd>
      </dl>
    </section>
  );
}

function LookForm() {
  const { theme, density, language } = look.value;
  const change = (name: string) => (event: Event) =>
    void act(() => setLook({ [name]: (event.currentTarget as HTMLSelectElement).value }));
  return (
    <section class="card stack" aria-labelledby="look">
      <h2 id="look">{t('me.look')}</h2>
      <div class="three">
        <Field
          label={t('me.theme')}
          value={theme}
          onChange={change('theme')}
          options={[
            ['auto', t('me.theme.auto')],
            ['light', t('me.theme.light')],
            ['dark', t('me.theme.dark')],
          ]}
        />
        <Field
          label={t('me.density')}
          value={density}
          onChange={change('density')}
          options={[
            ['cozy', t('me.density.cozy')],
            ['compact', t('me.density.compact')],
          ]}
        />
        <Field
          label={t('me.language')}
          value={isLanguage(language) ? language : 'en'}
          onChange={change('language')}
          options={languages()}
        />
      </div>
    </section>
  );
}
