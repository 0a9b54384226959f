import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Chips } from '../../components/chips.tsx';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { nameWords, roleWords } from '../../components/words.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { byArea, find, type Kind, pathTo, type Sources } from './people.ts';

interface RelationsProps {
  readonly title: string;
  readonly kind: Kind;
  readonly names: readonly string[];
  /** Path that adds one by PUT, and takes it out by DELETE. */
  readonly pathOf: (name: string) => string;
  readonly onChanged: () => void;
  readonly children?: ComponentChildren;
}

/** Members of a group, or groups of a member. */
export function Relations({ title, kind, names, pathOf, onChanged, children }: RelationsProps) {
  const [typed, setTyped] = useState('');
  const mayChange = may('group.write') && may(`${kind}.read`);
  const { value } = useLoad(typed, async (signal) =>
    typed === '' ? [] : (await find(kind, typed, { signal, number: 10 })).rows,
  );
  const change = async (method: string, name: string) => {
    if (!(await act(() => send(method, pathOf(name))))) return;
    setTyped('');
    onChanged();
  };
  const list = `add to ${title}`;
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      {names.length === 0 && <p class="muted">{t('people.none')}</p>}
      <Chips
        label={title}
        chips={names.map((name) => ({
          id: name,
          text: nameWords(name),
          to: pathTo(kind, name),
          onRemove: may('group.write') ? () => void change('DELETE', name) : undefined,
        }))}
      />
      {children}
      {mayChange && (
        <form
          class="people-add"
          onSubmit={(event) => {
            event.preventDefault();
            void change('PUT', typed);
          }}
        >
          <Field
            label={t(kind === 'user' ? 'me.name' : 'people.group')}
            value={typed}
            list={list}
            required
            autocomplete="off"
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <datalist id={list}>
            {value?.map(({ name, about }) => (
              <option key={name} value={name}>
                {about}
              </option>
            ))}
          </datalist>
          <Button type="submit">{t('word.add')}</Button>
        </form>
      )}
    </section>
  );
}

interface RolesProps {
  readonly sources: Sources;
}

/** Roles as sentences by what they are about, each with the groups that it comes from. */
export function Roles({ sources }: RolesProps) {
  const offered = [...sources.keys()];
  return (
    <section class="card stack" aria-label={t('me.rolesTitle')}>
      <h2>{t('me.rolesTitle')}</h2>
      {offered.length === 0 && <p class="muted">{t('people.none')}</p>}
      <div class="people-roles">
        {byArea(offered).map(([title, roles]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <ul>
              {roles.map((role) => {
                const from = sources.get(role) ?? [];
                return (
                  <li key={role} title={role}>
                    {roleWords(role)}
                    {from.length > 0 && (
                      <span class="muted small">{t('people.from', { groups: from.join(', ') })}</span>
                    )}
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
