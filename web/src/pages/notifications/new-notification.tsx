import type { NotificationHealthDocument, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Check, Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { type Key, t } from '../../texts/index.ts';
import {
  addressOf,
  addressOfList,
  eventWords,
  hostOf,
  idIn,
  newNotification,
  type Resource,
  resourceNamed,
  triggers,
} from './notifications.ts';

interface Props {
  readonly resources: readonly Resource[];
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Makes a notification that posts JSON. Others are made by the API. */
export function NewNotification({ resources, onClose, onMade }: Props) {
  const offered = resources.filter(({ name }) => triggers[name].length > 0);
  const [name, setName] = useState<string>((offered.find((each) => each.name === 'job') ?? offered[0])?.name ?? '');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const resource = resourceNamed(name);
  const events = resource ? triggers[resource.name] : [];
  return (
    <FormDialog
      title={t('notifications.make')}
      disabled={chosen.length === 0}
      onClose={onClose}
      work={async (readField) => {
        if (!resource) return;
        const chosenEvents = events.filter(([kind, each]) => chosen.includes(`${kind} ${each}`));
        const document = newNotification(readField('url'), chosenEvents);
        const { uri = [] } = await send<URIListDocument>('POST', addressOfList(resource), document);
        const at = addressOf(resource, idIn(uri[0] ?? ''));
        // An address of this machine is saved, and its events would be parked.
        if ((await get<NotificationHealthDocument>(`${at}/health`)).blocked) {
          await send('DELETE', at);
          throw new Error(t('notifications.blocked', { host: hostOf(document) }));
        }
        onMade();
      }}
    >
      <Field
        label={t('jobs.column.about')}
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
              label={`${eventWords(key)} (${key})`}
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
      <Field label={t('notifications.url')} hint={t('notifications.urlHint')} type="url" name="url" required />
    </FormDialog>
  );
}
