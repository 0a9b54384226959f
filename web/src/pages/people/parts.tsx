import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Chips, Mark } from '../../components/chips.tsx';
import { Check, Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { nameWords, roleWords } from '../../components/words.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { type BundleState, statesOf } from './bundles.ts';
import { byArea, find, giversOf, type Kind, pathTo, type Sources } from './people.ts';

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
            label={t(kind === 'user' ? 'me.name' : 'access.group')}
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

/** Groups that rights come from. */
export const From = ({ groups }: { readonly groups: readonly string[] }) =>
  groups.length > 0 ? <span class="muted small">{t('people.from', { groups: groups.join(', ') })}</span> : null;

interface BundleRowProps {
  readonly state: BundleState;
  readonly from: readonly string[];
  /** Left out: it is only shown. */
  readonly onChange?: () => void;
}

/** A bundle of rights: on, off, or in part. */
export function BundleRow({ state: { name, roles, has, isFixed }, from, onChange }: BundleRowProps) {
  const isPart = has > 0 && has < roles.length;
  return (
    <li>
      <Check
        label={t(`people.may.${name}`)}
        checked={has === roles.length}
        indeterminate={isPart}
        disabled={isFixed || !onChange}
        onChange={onChange}
      />
      {isPart && <Mark>{t('word.doneOf', { done: has, size: roles.length })}</Mark>}
      <From groups={from} />
    </li>
  );
}

interface SinglesProps {
  readonly roles: readonly string[];
  readonly isOpen?: boolean;
  readonly of: (role: string) => ComponentChildren;
}

/** Single rights by what they are about, folded. */
export const Singles = ({ roles, isOpen, of }: SinglesProps) => (
  <details open={isOpen}>
    <summary>{t('people.single')}</summary>
    <div class="people-roles">
      {byArea(roles).map(([title, areaRoles]) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <ul>
            {areaRoles.map((role) => (
              <li key={role} title={role}>
                {of(role)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </details>
);

interface RolesProps {
  readonly sources: Sources;
  /** All roles of the service. Of none there are no bundles. */
  readonly offered: readonly string[];
}

/** Rights to read: bundles above folded single ones, each with the groups that it comes from. */
export function Roles({ sources, offered }: RolesProps) {
  const roles = [...sources.keys()];
  const isAdministrator = sources.has('_administrator');
  const states = isAdministrator ? [] : statesOf(offered, new Set(roles), new Set());
  return (
    <section class="card stack" aria-label={t('me.rolesTitle')}>
      <h2>{t('me.rolesTitle')}</h2>
      {roles.length === 0 && <p class="muted">{t('people.none')}</p>}
      <ul class="people-bundles">
        {isAdministrator && (
          <li>
            <Check label={roleWords('_administrator')} checked disabled />
            <From groups={giversOf(['_administrator'], sources)} />
          </li>
        )}
        {states.map((state) => (
          <BundleRow key={state.name} state={state} from={giversOf(state.roles, sources)} />
        ))}
      </ul>
      {roles.length > 0 && !isAdministrator && (
        <Singles
          roles={roles}
          isOpen={states.length === 0}
          of={(role) => (
            <>
              {roleWords(role)} <From groups={giversOf([role], sources)} />
            </>
          )}
        />
      )}
    </section>
  );
}
