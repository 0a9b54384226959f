import { useState } from 'preact/hooks';
import { refusalOf, send, sendOnce } from '../../api/client.ts';
import { basic, logIn, me, ownPath } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { sentenceOf } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { t } from '../../texts/index.ts';

/** A new password ends all sessions, so the page logs in with it at once. */
export function Password() {
  const [wrong, setWrong] = useState<{ readonly field: string; readonly text: string }>();
  const isStrong = me.value!.secondFactor;
  const [busy, setBusy] = useState(false);
  const of = (field: string) => (wrong?.field === field ? wrong.text : undefined);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const [old, fresh, again] = ['old', 'new', 'again'].map((name) => String(data.get(name) ?? '')) as [
      string,
      string,
      string,
    ];
    if (fresh !== again) return setWrong({ field: 'again', text: t('me.password.differ') });
    setBusy(true);
    setWrong(undefined);
    try {
      const name = me.value!.userName;
      if (isStrong) {
        await send('PUT', ownPath('/password'), fresh);
        // The new password logs in with the second factor.
        location.reload();
        return undefined;
      }
      const response = await sendOnce('PUT', ownPath('/password'), fresh, {
        headers: { authorization: basic(name, old) },
      });
      if (response.status === 401) return setWrong({ field: 'old', text: t('me.password.wrong') });
      if (!response.ok) return setWrong({ field: 'new', text: sentenceOf(await refusalOf(response)) });
      form.reset();
      await logIn(name, fresh, false);
      toast(t('me.password.changed'));
    } catch (error) {
      setWrong({ field: 'new', text: sentenceOf(error) });
    } finally {
      setBusy(false);
    }
    return undefined;
  };

  return (
    <section class="card stack" aria-labelledby="password">
      <h2 id="password">{t('login.password')}</h2>
      <form class="stack narrow" onSubmit={submit}>
        <input type="text" name="user" autocomplete="username" value={me.value!.userName} readOnly hidden />
        {!isStrong && (
          <Field
            label={t('me.password.old')}
            name="old"
            type="password"
            autocomplete="current-password"
            required
            wrong={of('old')}
          />
        )}
        <NewPassword label={t('me.password.new')} name="new" required wrong={of('new')} />
        <Field
          label={t('me.password.again')}
          name="again"
          type="password"
          autocomplete="new-password"
          required
          wrong={of('again')}
        />
        <div>
          <Button type="submit" disabled={busy}>
            {t('me.password.change')}
          </Button>
        </div>
      </form>
    </section>
  );
}
