import { useState } from 'preact/hooks';
import { Field } from '../../kit/field.tsx';
import { useLoad } from '../../kit/load.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { find, type Kind } from '../people/people.ts';

const levels = ['READ', 'WRITE', 'ALL', 'NONE'] as const;

export interface Wish {
  readonly kind: Kind;
  readonly name: string;
  readonly permission: string;
}

export const firstWish: Wish = { kind: 'user', name: '', permission: 'READ' };

/** The entry that the service makes of a wish. */
export const entryOf = ({ kind, name, permission }: Wish) => ({ [kind]: name.trim(), permission });

/** Who gets access, and how much. Names are proposed to who may list them. */
export function GiveFields({ wish, onChange }: { readonly wish: Wish; readonly onChange: (to: Wish) => void }) {
  const { kind, name, permission } = wish;
  const [typed, setTyped] = useState('');
  const { value } = useLoad(`${kind} ${typed}`, async (signal) =>
    may(`${kind}.read`) ? (await find(kind, typed, { signal, number: 50 })).rows : [],
  );
  return (
    <div class="three">
      <Field
        label={t('item.whoKind')}
        options={[
          ['user', t('item.user')],
          ['group', t('item.group')],
        ]}
        value={kind}
        onChange={({ currentTarget }) => onChange({ ...wish, kind: currentTarget.value as Kind, name: '' })}
      />
      <Field
        label={t('item.name')}
        required
        autocapitalize="off"
        autocomplete="off"
        list="access-names"
        value={name}
        onInput={({ currentTarget }) => {
          onChange({ ...wish, name: currentTarget.value });
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
        label={t('item.level')}
        options={levels.map((level) => [level, t(`item.level.${level}`)])}
        value={permission}
        onChange={({ currentTarget }) => onChange({ ...wish, permission: currentTarget.value })}
      />
    </div>
  );
}
