import type { GroupDocument, GroupListDocument, UserDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { exists, get, send } from '../../api/client.ts';
import { Field } from '../../components/field.tsx';
import { FormDialog, type ReadField } from '../../components/form-dialog.tsx';
import { useLoad } from '../../components/load.ts';
import { NewPassword } from '../../components/new-password.tsx';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { seenBy } from '../access/seen-by.tsx';
import { find, pathTo } from './people.ts';

interface FormProps<T> {
  /** Document to change. Left out: a new one is made. */
  readonly of?: T;
  readonly onClose: () => void;
}

export function UserForm({ of, onClose }: FormProps<UserDocument>) {
  const { value } = useLoad('', async (signal) =>
    of || !may('group.read') ? [] : (await find('group', '', { signal, number: 1000 })).rows,
  );
  const [group, setGroup] = useState('');
  const work = async (readField: ReadField) => {
    const [userName, realName, password] = ['name', 'realName', 'password'].map(readField) as [string, string, string];
    if (of) {
      const at = pathTo('user', of.userName);
      await send('PUT', `${at}/realname`, realName);
      if (password !== '') await send('PUT', `${at}/password`, password);
      return;
    }
    const groupList = group === '' ? undefined : { group: [{ groupName: group }] };
    await send('POST', '/user', { userName, realName, password, groupList });
    navigate(pathTo('user', userName));
  };
  return (
    <FormDialog title={t(of ? 'people.change' : 'people.makeUser')} onClose={onClose} work={work}>
      {!of && <Field label={t('me.name')} name="name" required autocomplete="off" />}
      <Field label={t('me.realName')} name="realName" defaultValue={of?.realName ?? ''} autocomplete="off" />
      <NewPassword
        label={t('login.password')}
        name="password"
        required={!of}
        {...(of && { hint: t('people.keepPassword') })}
      />
      {value && value.length > 0 && (
        <Field
          label={t('access.group')}
          name="group"
          value={group}
          onChange={({ currentTarget }) => setGroup(currentTarget.value)}
          options={[['', t('people.none')], ...value.map(({ name }) => [name, name] as const)]}
        />
      )}
      {!of && <VisibleItems group={group} />}
    </FormDialog>
  );
}

/** Note on the items that a new user of a group will see. */
function VisibleItems({ group }: { readonly group: string }) {
  const { value } = useLoad(group, async (signal) => {
    if (group === '') return [];
    const [names, { group: around = [] }] = await Promise.all([
      seenBy(signal),
      get<GroupListDocument>(`${pathTo('group', group)}/parents`, { query: { traverse: true }, signal }),
    ]);
    const own = [group, ...around.map(({ groupName }) => groupName)];
    return names.filter((name) => own.includes(name));
  });
  if (!value) return null;
  return (
    <p class="muted small" role="status">
      {group === ''
        ? t('people.willSeeNothing')
        : value.length > 0
          ? t('people.willSeeNew', { groups: value.join(', ') })
          : t('people.willSeeShared', { group })}
    </p>
  );
}

export function GroupForm({ of, onClose }: FormProps<GroupDocument>) {
  const work = async (readField: ReadField) => {
    const name = of?.groupName ?? readField('name');
    const at = pathTo('group', name);
    if (!of) {
      // The service would change that group.
      if (await exists(at)) throw new Error(t('word.taken', { name }));
      await send('PUT', at);
    }
    await send('PUT', `${at}/description`, readField('description'));
    if (!of) navigate(at);
  };
  return (
    <FormDialog title={t(of ? 'people.change' : 'people.makeGroup')} onClose={onClose} work={work}>
      {!of && <Field label={t('word.name')} name="name" required autocomplete="off" />}
      <Field label={t('people.description')} name="description" defaultValue={of?.description ?? ''} />
    </FormDialog>
  );
}
