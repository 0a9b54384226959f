import { useRef, useState } from 'preact/hooks';
import type { Refusal } from '../api/client.ts';
import { endLogin, linkIsOver, logIn } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Check, Field } from '../components/field.tsx';
import { Brand } from '../components/icon.tsx';
import { sentenceOf } from '../components/refusal.tsx';
import { loadLook } from '../look.ts';
import { t } from '../texts/index.ts';

function wordsOf(refusal: Refusal): string {
  if (refusal.status === 401) return t('login.wrong');
  if (refusal.status === 429) return t('login.wait', { seconds: refusal.retryAfter ?? 1 });
  if (refusal.status === 403 && refusal.context === 'connection') return t('login.tls');
  return sentenceOf(refusal);
}

interface LoginFormProps {
  /** The person whose session has ended. */
  readonly name?: string;
  readonly onDone?: () => void;
}

function LoginForm({ name, onDone }: LoginFormProps) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const password = useRef<HTMLFormElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (field: string) => String(data.get(field) ?? '');
    setBusy(true);
    setWrong(undefined);
    const refusal = await logIn(name ?? text('name'), text('password'), data.has('stay')).catch((error) => error);
    setBusy(false);
    if (refusal) {
      setWrong(wordsOf(refusal));
      password.current?.querySelector<HTMLInputElement>('[name=password]')?.select();
      return;
    }
    loadLook().catch(() => undefined);
    onDone?.();
  };
  return (
    <form class="stack" ref={password} onSubmit={submit}>
      {name === undefined ? (
        <Field label={t('login.name')} name="name" autocomplete="username" required autofocus spellcheck={false} />
      ) : (
        <Field label={t('login.name')} name="name" autocomplete="username" value={name} readOnly />
      )}
      <Field
        label={t('login.password')}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        autofocus={name !== undefined}
        wrong={wrong}
      />
      <Check label={t('login.stay')} name="stay" />
      <Button kind="main" type="submit" disabled={busy}>
        {t('login.submit')}
      </Button>
    </form>
  );
}

export function LoginPage() {
  return (
    <main class="login" id="main">
      <div class="card">
        <h1 class="row">
          <Brand />
          <span>Portico</span>
        </h1>
        {linkIsOver.value && (
          <p class="note warn" role="alert">
            {t('login.linkOver')}
          </p>
        )}
        <LoginForm />
      </div>
    </main>
  );
}

/** Over the page: what was typed stays, and requests that wait are sent again. */
export function LoginDialog({ name }: { readonly name: string }) {
  return (
    <Dialog title={t('login.endedTitle')}>
      <p class="muted">{t('login.ended')}</p>
      <LoginForm name={name} onDone={() => endLogin(true)} />
      <Button kind="quiet" onClick={() => location.assign('/ui/')}>
        {t('login.other')}
      </Button>
    </Dialog>
  );
}
