import { useState } from 'preact/hooks';
import { Refusal, send } from '../../api/client.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Check } from '../../components/field.tsx';
import { RefusalNote } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { roleWords } from '../../components/words.ts';
import { useUnsaved } from '../../router.tsx';
import { type Key, t } from '../../texts/index.ts';
import { bundles, changeOf, chosen, namesOf, type RoleChange, statesOf } from './bundles.ts';
import { BundleRow, From, Singles } from './parts.tsx';
import { giversOf, pathTo, type Sources } from './people.ts';

interface RightsProps {
  readonly group: string;
  readonly sources: Sources;
  /** All roles of the service. */
  readonly offered: readonly string[];
  /** Number of users who are in the group. */
  readonly people: number;
  readonly onSaved: () => Promise<void>;
}

const wordsOf = (name: string): string =>
  bundles.some(([bundle]) => bundle === name) ? t(`people.may.${name}` as Key) : roleWords(name);

/** Rights of a group, in bundles above folded single rights. All of them are saved together. */
export function Rights({ group, sources, offered, people, onSaved }: RightsProps) {
  const entries = [...sources];
  const before = new Set(entries.filter(([, from]) => from.includes(group)).map(([role]) => role));
  const inherited = new Set(entries.filter(([, from]) => from.some((name) => name !== group)).map(([role]) => role));
  const others = (roles: readonly string[]) => giversOf(roles, sources).filter((name) => name !== group);
  // Choices alone are kept: after a conflict they go on from the roles as somebody else left them.
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const own = chosen(before, choices);
  const choose = (roles: readonly string[], isOn: boolean) =>
    setChoices(new Map([...choices, ...roles.map((role) => [role, isOn] as const)]));
  const [refusal, setRefusal] = useState<unknown>();
  const change = changeOf(before, own);
  const isChanged = change.add.length + change.remove.length > 0;
  const [isBusy, setBusy] = useState(false);
  useUnsaved(isChanged && !isBusy);
  const states = statesOf(offered, own, inherited);
  const words = (gain: Key, loss: Key) => sentenceOf(change, states, { group, people, gain, loss });
  const save = async () => {
    const listed = [
      ...change.add.map((groupName) => ({ groupName })),
      ...change.remove.map((groupName) => ({ groupName, remove: true })),
    ];
    setRefusal(undefined);
    setBusy(true);
    try {
      await send('PUT', `${pathTo('group', group)}/roles`, { group: listed });
      // The next choices begin with the roles as they are now.
      await onSaved();
      setChoices(new Map());
      toast(words('people.got', 'people.lost'));
    } catch (error) {
      setRefusal(error);
      if (isConflict(error)) await onSaved();
    }
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label={t('me.rolesTitle')}>
      <h2>{t('me.rolesTitle')}</h2>
      <ul class="people-bundles">
        {states.map((state) => (
          <BundleRow
            key={state.name}
            state={state}
            from={others(state.roles)}
            onChange={() => choose(state.roles, state.has < state.roles.length)}
          />
        ))}
        {offered.includes('_administrator') && (
          <li>
            {own.has('_administrator') ? (
              <Check label={roleWords('_administrator')} checked onChange={() => choose(['_administrator'], false)} />
            ) : (
              <AskButton
                action={t('people.giveAll')}
                question={t('people.giveAllQuestion', { group })}
                onYes={() => choose(['_administrator'], true)}
              />
            )}
          </li>
        )}
      </ul>
      <Singles
        roles={offered.filter((role) => role !== '_administrator')}
        of={(role) => (
          <>
            <Check
              label={roleWords(role)}
              checked={own.has(role) || inherited.has(role)}
              disabled={inherited.has(role) && !own.has(role)}
              onChange={({ currentTarget }) => choose([role], currentTarget.checked)}
            />
            <From groups={others([role])} />
          </>
        )}
      />
      {refusal !== undefined &&
        (isConflict(refusal) ? (
          <p class="note warn" role="alert">
            {t('people.conflict')}
          </p>
        ) : (
          <RefusalNote error={refusal} />
        ))}
      {isChanged && (
        <div class="people-save">
          <p role="status">{words('people.gets', 'people.loses')}</p>
          <Button onClick={() => setChoices(new Map())}>{t('word.undo')}</Button>
          <Button kind="main" disabled={isBusy} onClick={() => void save()}>
            {t('word.save')}
          </Button>
        </div>
      )}
    </section>
  );
}

const isConflict = (error: unknown): boolean => error instanceof Refusal && error.status === 409;

/** Words within a sentence. */
const within = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

interface SentenceParts {
  readonly group: string;
  readonly people: number;
  readonly gain: Key;
  readonly loss: Key;
}

/** "editor gets: may share. 3 people." */
function sentenceOf(
  { add, remove }: RoleChange,
  states: ReturnType<typeof statesOf>,
  { group, people, gain, loss }: SentenceParts,
): string {
  const part = (key: Key, roles: readonly string[]) =>
    roles.length > 0 && t(key, { group, what: namesOf(roles, states).map(wordsOf).map(within).join(', ') });
  return [part(gain, add), part(loss, remove), t('people.count', { people })].filter(Boolean).join(' ');
}
