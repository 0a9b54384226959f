import { useState } from 'preact/hooks';
import { Refusal, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Check, Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/refusal.tsx';
import { type Key, t } from '../../texts/index.ts';
import { addressOfList, newNotification, type Resource, resourceNamed, triggers } from './notifications.ts';

interface Props {
  readonly resources: readonly Resource[];
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Makes a notification that posts JSON. Others are made by the API. */
export function NewNotification({ resources, onClose, onMade }: Props) {
  const offered = resources.filter(({ name }) => triggers[name].length > 0);
  const [name, setName] = useState<string>((offered.find((each) => each.name === 'job') ?? offered[0])?.name ?? '');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const resource = resourceNamed(name);
  const events = resource ? triggers[resource.name] : [];
  const make = async (event: Event) => {
    event.preventDefault();
    if (!resource) return;
    const chosenEvents = events.filter(([kind, each]) => chosen.includes(`${kind} ${each}`));
    try {
      await send('POST', addressOfList(resource), newNotification(url, chosenEvents));
      onMade();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    }
  };
  return (
    <Dialog title={t('notifications.make')} onClose={onClose}>
      <form class="stack" onSubmit={make}>
        <Field
          label={t('notifications.about')}
          value={name}
          options={offered.map((each) => [each.name, t(`notifications.resource.${each.name}` as Key)])}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setChosen([]);
          }}
        />
        <fieldset class="notification-choices">
          <legend>{t('notifications.when')}</legend>
          {events.map(([kind, each]) => {
            const key = `${kind} ${each}`;
            return (
              <Check
                key={key}
                label={key}
                checked={chosen.includes(key)}
                // A trigger has events of one kind.
                disabled={chosen.some((one) => !one.startsWith(`${kind} `))}
                onChange={({ currentTarget }) =>
                  setChosen(currentTarget.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
                }
              />
            );
          })}
        </fieldset>
        <Field
          label={t('notifications.url')}
          hint={t('notifications.urlHint')}
          type="url"
          required
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        {refusal && <RefusalNote error={refusal} />}
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t('word.cancel')}</Button>
          <Button kind="main" type="submit" disabled={url === '' || chosen.length === 0}>
            {t('notifications.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
