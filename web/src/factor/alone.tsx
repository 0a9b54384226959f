import type { PasskeyChallengeDocument } from 'portico/types';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { t } from '../texts/index.ts';
import { askPasskey, hasPasskeys } from './passkey.ts';
import { sendStep } from './step.ts';

const challenge = () => sendStep<PasskeyChallengeDocument>('challenge', {});

interface AloneProps {
  readonly onDone: () => Promise<void>;
  readonly onWrong: (text: string) => void;
}

/** A login without a password, where the service allows it. */
export function Alone({ onDone, onWrong }: AloneProps) {
  const [allowed, setAllowed] = useState(false);
  useEffect(() => {
    if (hasPasskeys)
      challenge().then(
        (answer) => setAllowed(answer.challenge !== undefined),
        () => undefined,
      );
  }, []);
  const logIn = async () => {
    try {
      const passkey = await askPasskey(await challenge(), true);
      if (!passkey) return;
      await sendStep('factor', { passkey });
      await onDone();
    } catch {
      onWrong(t('factor.unknown'));
    }
  };
  return allowed ? (
    <Button icon="key" onClick={logIn}>
      {t('factor.alone')}
    </Button>
  ) : null;
}
