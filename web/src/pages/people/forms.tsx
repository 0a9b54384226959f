import type { GroupDocument, UserDocument } from 'portico/types';
import { exists, send } from '../../api/client.ts';
import { Field } from '../../kit/field.tsx';
import { FormDialog, type Given } from '../../kit/form-dialog.tsx';
import { useLoad } from '../../kit/load.ts';
import { may } from '../../rights.ts';
import { navigate } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { find, pathTo } from './people.ts';

interface FormProps<T> {
  /** What is changed. Left out: one is made. */
  readonly of?: T;
  readonly onClose: () => void;
}

export function UserForm({ of, onClose }: FormProps<UserDocument>) {
  const { value } = useLoad('', async (signal) =>
    of || !may('group.read') ? [] : (await find('group', '', { signal, number: 1000 })).rows,
  );
  const work = async (given: Given) => {
    const [userName, realName, password, group] = ['name', 'realName', 'password', 'group'].map(given) as [
      string,
      string,
      string,
      string,
    ];
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
      <Field
        label={t('me.password')}
        name="password"
        type="password"
        autocomplete="new-password"
        required={!of}
        hint={of && t('people.keepPassword')}
      />
      {value && value.length > 0 && (
        <Field
          label={t('people.group')}
          name="group"
          defaultValue=""
          options={[['', t('people.none')], ...value.map(({ name }) => [name, name] as const)]}
        />
      )}
    </FormDialog>
  );
}

export function GroupForm({ of, onClose }: FormProps<GroupDocument>) {
  const work = async (given: Given) => {
    const name = of?.groupName ?? given('name');
    const at = pathTo('group', name);
    if (!of) {
      // The service would change that group.
      if (await exists(at)) throw new Error(t('word.taken', { name }));
      await send('PUT', at);
    }
    await send('PUT', `${at}/description`, given('description'));
    if (!of) navigate(at);
  };
  return (
    <FormDialog title={t(of ? 'people.change' : 'people.makeGroup')} onClose={onClose} work={work}>
      {!of && <Field label={t('library.name')} name="name" required autocomplete="off" />}
      <Field label={t('people.description')} name="description" defaultValue={of?.description ?? ''} />
    </FormDialog>
  );
}
