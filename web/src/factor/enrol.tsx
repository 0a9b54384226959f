import type { NewSecondFactorDocument, RecoveryCodesDocument, SecondFactorOfferDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Copy } from '../components/copy.tsx';
import { Field } from '../components/field.tsx';
import { RefusalNote } from '../components/refusal.tsx';
import { t } from '../texts/index.ts';
import './factor.css';
import { hasPasskeys, makePasskey } from './passkey.ts';
import { QrPicture } from './qr-picture.tsx';

export interface EnrolProps {
  readonly offer: (kind: 'TOTP' | 'PASSKEY') => Promise<SecondFactorOfferDocument>;
  readonly accept: (answer: NewSecondFactorDocument) => Promise<RecoveryCodesDocument>;
  /** Called when the person has seen the recovery codes, or there are none. */
  readonly onDone: () => void;
}

/** Sets up a passkey, or an app that makes codes. The first one shows recovery codes. */
export function Enrol({ offer, accept, onDone }: EnrolProps) {
  const [name, setName] = useState('');
  const [app, setApp] = useState<SecondFactorOfferDocument>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const trying = async (what: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await what().catch(setError);
    setBusy(false);
  };
  const add = async (answer: NewSecondFactorDocument) => {
    const { code = [] } = await accept({ ...answer, name });
    if (code.length > 0) setCodes(code);
    else onDone();
  };
  const addPasskey = () =>
    trying(async () => {
      const passkey = await makePasskey(await offer('PASSKEY'));
      if (passkey) await add({ passkey });
      else throw new Error(t('factor.noPasskey'));
    });
  const addApp = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code') ?? '');
    return trying(() => add({ sealed: app!.sealed!, code }));
  };

  if (codes) return <Codes codes={codes} onDone={onDone} />;
  return (
    <div class="stack">
      {app ? (
        <form class="stack" onSubmit={addApp}>
          <p>{t('factor.scan')}</p>
          <QrPicture text={app.uri ?? ''} label={t('factor.picture')} />
          <p class="mono factor-secret">
            {app.secret?.replace(/.{4}(?=.)/g, '$& ')} <Copy text={app.secret ?? ''} />
          </p>
          <p>
            <a href={app.uri ?? ''}>{t('factor.openApp')}</a>
          </p>
          <Field
            label={t('factor.code')}
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            autofocus
          />
          <Button kind="main" type="submit" disabled={busy}>
            {t('factor.add')}
          </Button>
        </form>
      ) : (
        <>
          <Field
            label={t('word.name')}
            hint={t('factor.nameHint')}
            value={name}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <div class="row wrap">
            {hasPasskeys && (
              <Button kind="main" icon="key" disabled={busy} onClick={addPasskey}>
                {t('factor.addPasskey')}
              </Button>
            )}
            <Button icon="keyboard" disabled={busy} onClick={() => trying(async () => setApp(await offer('TOTP')))}>
              {t('factor.addApp')}
            </Button>
          </div>
        </>
      )}
      {error !== undefined && <RefusalNote error={error} />}
    </div>
  );
}

/** Recovery codes, shown once. */
export function Codes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  return (
    <div class="stack">
      <p>{t('factor.codes')}</p>
      <ul class="mono factor-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="row wrap">
        <Copy text={codes.join('\n')} label={t('factor.copyCodes')} />
        <Button kind="main" onClick={onDone}>
          {t('factor.codesKept')}
        </Button>
      </div>
    </div>
  );
}
