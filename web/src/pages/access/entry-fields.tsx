import { useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { find, type Kind } from '../people/people.ts';

const levels = ['READ', 'WRITE', 'ALL', 'NONE'] as const;

export interface EntryDraft {
  readonly kind: Kind;
  readonly name: string;
  readonly permission: string;
}

export const emptyDraft: EntryDraft = { kind: 'user', name: '', permission: 'READ' };

/** The entry that the service makes of a draft. */
export const entryOf = ({ kind, name, permission }: EntryDraft) => ({ [kind]: name.trim(), permission });

/** Fields for the user or group that gets access, and for its level. Names are proposed to people who may list them. */
export function EntryFields({
  draft,
  onChange,
}: {
  readonly draft: EntryDraft;
  readonly onChange: (to: EntryDraft) => void;
}) {
  const { kind, name, permission } = draft;
  const [typed, setTyped] = useState('');
  const { value } = useLoad(`${kind} ${typed}`, async (signal) =>
    may(`${kind}.read`) ? (await find(kind, typed, { signal, number: 50 })).rows : [],
  );
  return (
    <div class="three">
      <Field
        label={t('access.whoKind')}
        options={[
          ['user', t('access.user')],
          ['group', t('access.group')],
        ]}
        value={kind}
        onChange={({ currentTarget }) => onChange({ ...draft, kind: currentTarget.value as Kind, name: '' })}
      />
      <Field
        label={t('word.name')}
        required
        autocapitalize="off"
        autocomplete="off"
        list="access-names"
        value={name}
        onInput={({ currentTarget }) => {
          onChange({ ...draft, name: currentTarget.value });
          setTyped(currentTarget.value.trim());
        }}
      />
      <datalist id="access-names">
        {(value ?? []).map((row) => (
          <option key={row.name} value={row.name}>
            {row.about}
          </option>
        ))}
      </datalist>
      <Field
        label={t('access.level')}
        options={levels.map((level) => [level, t(`access.level.${level}`)])}
        value={permission}
        onChange={({ currentTarget }) => onChange({ ...draft, permission: currentTarget.value })}
      />
    </div>
  );
}
