import type { JobDocument, RestoreDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useLoad } from '../../components/load.ts';
import { toast } from '../../components/toast.ts';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import { numberText, sizeText, t } from '../../texts/index.ts';

export interface RestoreProps {
  readonly item: string;
  /** Tag of the shapes. Left out: all of the item. */
  readonly tag?: string | undefined;
}

interface DialogProps extends RestoreProps {
  readonly onClose: () => void;
}

type Tier = NonNullable<RestoreDocument['tier']>[number];

/** `3 to 5 hours`. Under an hour it is minutes. */
function timeWords({ least = 0, most = least }: Tier): string {
  const [unit, seconds] = most < 3600 ? (['restore.minutes', 60] as const) : (['restore.hours', 3600] as const);
  const times = new Set([least, most].map((each) => numberText(Math.round(each / seconds))));
  return t(unit, { time: [...times].join(' – ') });
}

const costWords = ({ cost, currency = '' }: Tier): string =>
  cost === undefined
    ? t('restore.noPrice')
    : t('restore.cost', { cost: `${numberText(Math.ceil(cost * 100) / 100)} ${currency}` });

const defaultDays = 7;

/** Brings files back from an archive. What it takes is told before. */
function RestoreDialog({ item, tag, onClose }: DialogProps) {
  const path = `/item/${encodeURIComponent(item)}/restore`;
  const loaded = useLoad(`${path} ${tag}`, (signal) => get<RestoreDocument>(path, { query: { tag }, signal }));
  const { file = [], tier = [], bytes = 0 } = loaded.value ?? {};
  return (
    <FormDialog
      title={t('restore.title')}
      action={t('restore.button')}
      disabled={tier.length === 0}
      onClose={onClose}
      work={async (readField) => {
        const query = { tag, expirationInDays: readField('days'), retrievalTier: readField('tier') };
        const { jobId } = await send<JobDocument>('PUT', path, undefined, { query });
        toast(
          t('restore.begun'),
          may('job.read') ? { text: t('library.showJob'), run: () => navigate(`/job/${jobId}`) } : undefined,
        );
      }}
    >
      <Shown of={loaded} rows={3}>
        {() =>
          tier.length === 0 ? (
            <p>{t(file.length === 0 ? 'restore.none' : 'restore.onTheWay')}</p>
          ) : (
            <>
              <p>{t('restore.what', { count: file.length, size: sizeText(bytes) })}</p>
              <fieldset class="stack checks">
                <legend>{t('restore.speed')}</legend>
                {tier.map(({ name = '', ...each }, at) => (
                  <label key={name} class="check">
                    <input type="radio" name="tier" value={name} defaultChecked={at === 0} />
                    <span>
                      {timeWords(each)} <span class="muted">· {costWords(each)}</span>
                    </span>
                  </label>
                ))}
              </fieldset>
              <Field
                label={t('restore.days')}
                hint={t('restore.daysHint')}
                name="days"
                type="number"
                min={1}
                max={3650}
                required
                defaultValue={String(defaultDays)}
              />
            </>
          )
        }
      </Shown>
    </FormDialog>
  );
}

/** Brings files of an item back from an archive, once it is said what that takes. */
export function Restore(props: RestoreProps) {
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button kind="main" icon="history" onClick={() => open(true)}>
        {t('restore.button')}
      </Button>
      {isOpen && <RestoreDialog {...props} onClose={() => open(false)} />}
    </>
  );
}
