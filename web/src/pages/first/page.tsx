import type { MetadataFieldListDocument, StorageDocument, StorageListDocument } from 'portico/types';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { logIn, me, ownPath, proposedFolder } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Skeleton } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { minPassword, NewPassword } from '../../components/new-password.tsx';
import { lacksRole, RefusalNote, sentenceOf } from '../../components/refusal.tsx';
import { has, lacks } from '../../rights.ts';
import { Link, navigate, type PageProps, setQuery } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { SeenBy } from '../access/seen-by.tsx';
import { addressOfFolder, freeFolder, makeStorage } from '../storages/storages.ts';
import { MakeSample } from './checklist.tsx';
import './page.css';

type Row = readonly [name: string, type: string, english: string, swedish: string, more: object, data?: object];

const single = { schema: { min: 0, max: 1 } };

/** Fields that a library begins with. They are in the form of each item. */
const fields: readonly Row[] = [
  ['asset_description', 'string', 'Description', 'Beskrivning', single, { ui_long: 'true' }],
  ['asset_keywords', 'string-exact', 'Keywords', 'Nyckelord', {}, { facet: 'true' }],
  [
    'asset_rating',
    'integer',
    'Rating, 1 to 5',
    'Betyg, 1 till 5',
    { ...single, integerRestriction: { minInclusive: 1, maxInclusive: 5 } },
    { facet: 'true' },
  ],
  ['asset_comment', 'string', 'Note', 'Anteckning', {}, { ui_long: 'true' }],
];

/** Makes the fields that are missing. */
async function makeFirstFields(): Promise<void> {
  const { field = [] } = await get<MetadataFieldListDocument>('/metadata-field');
  for (const [index, [name, type, english, swedish, more, data = {}]] of fields.entries()) {
    if (field.some((each) => each.name === name)) continue;
    const all = { label_en: english, label_sv: swedish, ui_order: String(index + 1), ui_form: 'true', ...data };
    const pairs = Object.entries(all).map(([key, value]) => ({ key, value }));
    await send('PUT', `/metadata-field/${name}`, { type, ...more, data: pairs });
  }
}

/** Set-up of an empty service before its first film: a password, a place for files, and presets. */
export default function Page({ query }: PageProps) {
  const [storages, setStorages] = useState<readonly StorageDocument[]>();
  const [error, setError] = useState<unknown>();
  // The address has the step, so that a reload goes on with it. Only a login by link begins with the password.
  const step = steps.find((each) => each === query['step']) ?? 'storage';
  const goTo = (next: Step) => setQuery({ step: next });
  // As it was when the page came: the step that makes one is still shown.
  const hasStorage = useMemo(() => !lacks('storage'), [storages]);
  const load = () => {
    setError(undefined);
    get<StorageListDocument>('/storage').then(({ storage = [] }) => setStorages(storage), setError);
  };
  useEffect(load, []);

  // An administrator has sent a login link to a person without a password.
  if (!has('_administrator') && step === 'password')
    return (
      <div class="page first">
        <h1>{t('first.password')}</h1>
        <section class="card">
          <PasswordStep onDone={() => navigate('/')} />
        </section>
      </div>
    );
  if (!has('_administrator')) return <Empty icon="lock" text={lacksRole('_administrator')} />;
  if (query['sample'])
    return (
      <div class="page first">
        <h1>{t('first.sample')}</h1>
        <MakeSample />
      </div>
    );
  if (error !== undefined) {
    return (
      <div class="page">
        <RefusalNote error={error} onAgain={load} />
      </div>
    );
  }
  if (!storages) return <Skeleton />;
  if (hasStorage && step === 'storage') {
    return (
      <Empty icon="check" text={t('first.over')}>
        <Button onClick={() => navigate('/')}>{t('nav.library')}</Button>
        <Button onClick={() => goTo('seen')}>{t('people.seenTitle')}</Button>
      </Empty>
    );
  }
  // With the sample there is a storage before the first step.
  const isShown = { password: step === 'password' || proposedFolder.value !== '', storage: !hasStorage };
  const shown = steps.filter((each) => isShown[each as keyof typeof isShown] ?? true);
  return (
    <div class="page first">
      <h1>{t('first.title')}</h1>
      <p class="muted">{t('first.lead')}</p>
      <ol>
        {shown.map((name, at) => (
          <StepCard
            key={name}
            number={at + 1}
            isDone={at < shown.indexOf(step)}
            isNow={name === step}
            title={titles[name]()}
          >
            {name === 'password' ? (
              <PasswordStep onDone={() => goTo(hasStorage ? 'seen' : 'storage')} />
            ) : name === 'storage' ? (
              <StorageStep storages={storages} onDone={() => goTo('seen')} />
            ) : name === 'seen' ? (
              <SeenBy isFirst action={t('first.next')} onDone={() => goTo('ready')} />
            ) : (
              <Ready />
            )}
          </StepCard>
        ))}
      </ol>
    </div>
  );
}

const steps = ['password', 'storage', 'seen', 'ready'] as const;
type Step = (typeof steps)[number];
const titles: Readonly<Record<Step, () => string>> = {
  password: () => t('first.password'),
  storage: () => t('first.storage'),
  seen: () => t('people.seenTitle'),
  ready: () => t('first.ready'),
};

const Ready = () => (
  <>
    <p class="muted">{me.value?.transcoder ? t('first.withTranscoder') : t('first.withoutTranscoder')}</p>
    <div class="row wrap">
      <Link to="/uploads" class="button main">
        {t('library.upload')}
      </Link>
      <Link to="/" class="button">
        {t('nav.library')}
      </Link>
    </div>
  </>
);

interface StepCardProps {
  readonly number: number;
  readonly isDone: boolean;
  readonly isNow: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

function StepCard({ number, isDone, isNow, title, children }: StepCardProps) {
  const own = useRef<HTMLLIElement>(null);
  const wasNow = useRef(isNow);
  // The button that ends a step goes with it, and the focus would be lost.
  useEffect(() => {
    if (isNow && !wasNow.current) own.current!.focus();
    wasNow.current = isNow;
  }, [isNow]);
  return (
    <li class="card" ref={own} tabIndex={-1} aria-current={isNow ? 'step' : undefined}>
      <h2 class="row">
        <span class="number" data-done={isDone}>
          {isDone ? <Icon name="check" /> : number}
        </span>
        {title}
      </h2>
      {isNow && <div class="stack">{children}</div>}
    </li>
  );
}

function PasswordStep({ onDone }: { readonly onDone: () => void }) {
  // Only a first start prints a password.
  const isPrinted = has('_administrator');
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const password = String(data.get('password') ?? '');
    setBusy(true);
    try {
      await send('PUT', ownPath('/password'), password);
      // A new password ends all sessions.
      await logIn(me.value!.userName, password, false);
      onDone();
    } catch (error) {
      setWrong(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <input type="text" name="name" autocomplete="username" value={me.value!.userName} readOnly hidden />
      <NewPassword
        label={t('me.password.new')}
        {...(isPrinted && { hint: t('first.passwordHint', { least: minPassword }) })}
        name="password"
        required
        autofocus
        wrong={wrong}
      />
      <div class="row wrap">
        <Button kind="main" type="submit" disabled={busy}>
          {t('first.setPassword')}
        </Button>
        {isPrinted && (
          <Button kind="quiet" onClick={onDone}>
            {t('first.keepPassword')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface StorageStepProps {
  readonly storages: readonly StorageDocument[];
  readonly onDone: () => void;
}

function StorageStep({ storages, onDone }: StorageStepProps) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const gigabytes = Number(data.get('capacity'));
    const uri = addressOfFolder(String(data.get('uri') ?? ''));
    setBusy(true);
    setWrong(undefined);
    try {
      await send('PUT', '/APIinit/preset-templates');
      await send('PUT', '/APIinit/groups');
      await makeFirstFields();
      // The last one, since the session is read again with it: the presets are in it.
      await makeStorage({
        type: 'LOCAL',
        capacity: gigabytes * 1e9,
        method: [{ uri, read: true, write: true, browse: true }],
      });
      onDone();
    } catch (error) {
      setWrong(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <Field
        label={t('storages.address')}
        hint={t('first.folderHint')}
        name="uri"
        defaultValue={freeFolder([proposedFolder.value || (me.value?.folder ?? [])].flat(), storages)}
        placeholder="file:///srv/media/"
        required
        spellcheck={false}
        wrong={wrong}
      />
      <Field
        label={t('storages.capacity')}
        name="capacity"
        type="number"
        min={1}
        defaultValue="100"
        required
        inputMode="numeric"
      />
      <p class="muted small">{t('first.alsoMakes')}</p>
      <div>
        <Button kind="main" type="submit" disabled={busy}>
          {t('first.makeStorage')}
        </Button>
      </div>
    </form>
  );
}
