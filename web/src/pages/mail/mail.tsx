import type { MailDocument } from 'portico/types';
import { get, Refusal, send } from '../../api/client.ts';
import { ownPath } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Shown } from '../../components/empty.tsx';
import { Check, Field } from '../../components/field.tsx';
import { WorkForm } from '../../components/form-dialog.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { t } from '../../texts/index.ts';

const kinds = ['mention', 'assignment', 'review', 'share', 'quota', 'login'] as const;

/** Address of a user for mail, and the kinds of news that go there. `at`: path of the user. Left out: the person. */
export function Mail({ at = ownPath() }: { readonly at?: string }) {
  const path = `${at}/mail`;
  const loaded = useLoad(path, (signal) => get<MailDocument>(path, { signal }));
  const isOwn = at === ownPath();
  const { refusal } = loaded;
  const write = async (mail: MailDocument) => {
    await send('PUT', path, mail).catch((error) => {
      throw isOff(error) ? new Error(t('mail.off')) : error;
    });
    await loaded.reload();
  };
  return (
    <section class="card stack" aria-labelledby="mail">
      <h2 id="mail">{t('mail.title')}</h2>
      {isOff(refusal) ? (
        <p class="muted">{t('mail.off')}</p>
      ) : (
        <Shown of={loaded}>
          {(mail) => (
            <>
              {isOwn && <p class="muted">{t('mail.about')}</p>}
              {mail.address && !mail.confirmed && <Confirm {...{ mail, write, isOwn }} />}
              <Choices key={JSON.stringify(mail)} {...{ mail, write }} />
              {mail.address && (
                <div class="row">
                  <Button
                    onClick={() => void act(() => send('DELETE', path), t('records.removed')).then(loaded.reload)}
                  >
                    {t('mail.end')}
                  </Button>
                </div>
              )}
            </>
          )}
        </Shown>
      )}
    </section>
  );
}

/** Whether the service sends no mail. */
const isOff = (error: unknown): boolean => error instanceof Refusal && error.context === 'setting';

interface FormProps {
  readonly mail: MailDocument;
  readonly isOwn: boolean;
  readonly write: (mail: MailDocument) => Promise<void>;
}

/** The code that went to a new address. Without it nothing else goes there. */
function Confirm({ mail, isOwn, write }: FormProps) {
  const { address = '', kind, digest, language } = mail;
  if (!isOwn) return <Mark tone="warn">{t('mail.waits')}</Mark>;
  return (
    <WorkForm
      label={t('mail.confirm')}
      action={t('mail.confirm')}
      kind="main"
      work={async (readField) => {
        await write({ code: readField('code').trim(), kind, digest, language });
        toast(t('word.saved'));
      }}
    >
      <p>{t('mail.sent', { address })}</p>
      <Field label={t('mail.code')} name="code" required autocomplete="one-time-code" spellcheck={false} />
    </WorkForm>
  );
}

function Choices({ mail, write }: Omit<FormProps, 'isOwn'>) {
  const { address = '', kind = [], digest = false, language } = mail;
  return (
    <WorkForm
      label={t('mail.title')}
      action={t('word.save')}
      work={async (readField) => {
        const chosen = kinds.filter((each) => readField(each) !== '');
        if (chosen.length === 0) throw new Error(t('mail.noKind'));
        await write({
          address: readField('address').trim(),
          kind: chosen,
          digest: readField('digest') !== '',
          language,
        });
        toast(t('word.saved'));
      }}
    >
      <Field
        label={t('mail.address')}
        name="address"
        type="email"
        required
        autocomplete="email"
        defaultValue={address}
      />
      <fieldset class="stack checks">
        <legend>{t('mail.kinds')}</legend>
        {kinds.map((each) => (
          <Check key={each} name={each} label={t(`mail.kind.${each}`)} defaultChecked={kind.includes(each)} />
        ))}
      </fieldset>
      <Check name="digest" label={t('mail.digest')} defaultChecked={digest} />
    </WorkForm>
  );
}
