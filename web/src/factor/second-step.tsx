import type { LoginAnswerDocument, PasskeyChallengeDocument, SecondStepDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { Refusal } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { sentenceOf } from '../components/refusal.tsx';
import { t } from '../texts/index.ts';
import { Enrol } from './enrol.tsx';
import { askPasskey, hasPasskeys } from './passkey.ts';
import { sendStep } from './step.ts';

interface SecondStepProps {
  readonly of: SecondStepDocument;
  readonly stay: boolean;
  readonly onDone: () => Promise<void>;
  /** The login is over: the person begins again. */
  readonly onOver: () => void;
}

/** Step after the password: a passkey or a code, or the first set-up of one. */
export function SecondStep({ of: { step, needs, kind = [] }, stay, onDone, onOver }: SecondStepProps) {
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [recovers, setRecovers] = useState(false);

  const answer = async (make: () => Promise<LoginAnswerDocument | undefined>) => {
    setBusy(true);
    setWrong(undefined);
    try {
      const proof = await make();
      if (proof) {
        await sendStep('factor', { step, ...proof }, stay);
        await onDone();
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) onOver();
      else setWrong(error instanceof Refusal && error.status === 403 ? t('factor.wrong') : sentenceOf(error));
    }
    setBusy(false);
  };
  const withPasskey = () =>
    answer(async () => {
      const passkey = await askPasskey(await sendStep<PasskeyChallengeDocument>('challenge', { step }), false);
      return passkey && { passkey };
    });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code') ?? '');
    return answer(async () => (recovers ? { recoveryCode: code } : { code }));
  };

  if (needs === 'enrolment') {
    return (
      <div class="stack">
        <p>{t('factor.must')}</p>
        <Enrol
          offer={(chosen) => sendStep('offer', { step, kind: chosen })}
          accept={(enrolment) => sendStep('enrol', { step, ...enrolment }, stay)}
          onDone={onDone}
        />
      </div>
    );
  }
  const hasCodes = recovers || kind.includes('TOTP');
  return (
    <div class="stack">
      {kind.includes('PASSKEY') && hasPasskeys && !recovers && (
        <Button kind="main" icon="key" disabled={busy} onClick={withPasskey}>
          {t('factor.usePasskey')}
        </Button>
      )}
      {hasCodes && (
        <form class="stack" onSubmit={submit}>
          <Field
            key={String(recovers)}
            label={t(recovers ? 'factor.recovery' : 'factor.code')}
            name="code"
            inputMode={recovers ? 'text' : 'numeric'}
            autocomplete="one-time-code"
            required
            autofocus
            wrong={wrong}
          />
          <Button kind={kind.includes('PASSKEY') && !recovers ? undefined : 'main'} type="submit" disabled={busy}>
            {t('factor.goOn')}
          </Button>
        </form>
      )}
      {!hasCodes && wrong && (
        <p class="note warn" role="alert">
          {wrong}
        </p>
      )}
      <Button kind="quiet" onClick={() => setRecovers(!recovers)}>
        {t(recovers ? 'factor.notRecovery' : 'factor.useRecovery')}
      </Button>
    </div>
  );
}
