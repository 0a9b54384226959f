import type { LoginProviderType, SecondStepDocument } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/client.ts';
import {
  endLogin,
  goToProvider,
  linkIsOver,
  linkStep,
  loadMe,
  logIn,
  loginIsOld,
  loginProviders,
} from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Check, Field } from '../components/field.tsx';
import { Brand } from '../components/icon.tsx';
import { iconNames } from '../components/icon-names.ts';
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
  const [step, setStep] = useState(name === undefined ? linkStep.value : undefined);
  const [stays, setStays] = useState(false);
  const later = useLater();
  const password = useRef<HTMLFormElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const text = (field: string) => String(data.get(field) ?? '');
    setBusy(true);
    setWrong(undefined);
    const answer = await logIn(name ?? text('name'), text('password'), data.has('stay')).catch((error) => error);
    setBusy(false);
    if (answer instanceof Refusal) {
      setWrong(wordsOf(answer));
      password.current?.querySelector<HTMLInputElement>('[name=password]')?.select();
    } else if (answer) {
      setStays(data.has('stay'));
      setStep(answer as SecondStepDocument);
    } else finish();
  };
  const finish = () => {
    loadLook().catch(() => undefined);
    onDone?.();
  };
  const comeIn = async () => {
    await loadMe();
    finish();
  };
  const over = () => {
    setStep(undefined);
    setWrong(t('login.over'));
  };
  if (step && later) return <later.SecondStep of={step} stay={stays} onDone={comeIn} onOver={over} />;
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
      {later && <later.Alone onDone={comeIn} onWrong={setWrong} />}
    </form>
  );
}

type Later = typeof import('../pages/user-pages.ts');

/** Parts that few logins need. They come with pages that are loaded ahead. */
function useLater(): Later | undefined {
  const [later, setLater] = useState<Later>();
  useEffect(() => {
    import('../pages/user-pages.ts').then(setLater, () => undefined);
  }, []);
  return later;
}

/** Buttons of the providers of security.ini. A service without them, or without their extension, shows none. */
function Providers({ isAgain = false }: { readonly isAgain?: boolean }) {
  const [providers, setProviders] = useState<readonly LoginProviderType[]>([]);
  useEffect(() => {
    loginProviders().then(setProviders, () => undefined);
  }, []);
  if (providers.length === 0) return null;
  return (
    <div class="stack">
      {providers.map(({ name, title, icon }) => (
        <Button
          key={name}
          icon={iconNames.find((each) => each === icon) ?? 'key'}
          onClick={() => goToProvider(name, isAgain)}
        >
          {t(isAgain ? 'login.againWith' : 'login.with', { provider: title })}
        </Button>
      ))}
    </div>
  );
}

const failures: ReadonlyMap<string | null, Parameters<typeof t>[0]> = new Map([
  ['refused', 'login.refused'],
  ['expired', 'login.expired'],
  ['failed', 'login.failed'],
]);

export function LoginPage() {
  const failure = failures.get(new URLSearchParams(location.search).get('login'));
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
        {failure && (
          <p class="note warn" role="alert">
            {t(failure)}
          </p>
        )}
        <LoginForm />
        <Providers />
      </div>
    </main>
  );
}

/** Over the page: what was typed stays, and requests that wait are sent again. */
export function LoginDialog({ name }: { readonly name: string }) {
  return (
    <Dialog
      title={t(loginIsOld.value ? 'login.oldTitle' : 'login.endedTitle')}
      onClose={loginIsOld.value ? () => endLogin(false) : undefined}
    >
      <p class="muted">{t(loginIsOld.value ? 'login.old' : 'login.ended')}</p>
      <LoginForm name={name} onDone={() => endLogin(true)} />
      <Providers isAgain />
      <Button kind="quiet" onClick={() => location.assign('/ui/')}>
        {t('login.other')}
      </Button>
    </Dialog>
  );
}
