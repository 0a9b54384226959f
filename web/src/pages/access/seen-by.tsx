import type { ImportAccessControlListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { t } from '../../texts/index.ts';
import { find } from '../people/people.ts';
import './access.css';

const path = '/import/access/default';
/** The ready-made group whose rights all others have, too. */
const everyone = 'viewer';

/** Groups that get READ or more on each new item. */
export async function seenBy(signal?: AbortSignal): Promise<readonly string[]> {
  const { group = [] } = await get<ImportAccessControlListDocument>(path, { signal });
  return group.filter(({ permission }) => permission !== 'NONE').map(({ name }) => name);
}

async function write(before: readonly string[], after: readonly string[]): Promise<void> {
  const at = (name: string) => `${path}/group/${encodeURIComponent(name)}`;
  for (const name of after.filter((each) => !before.includes(each)))
    await send('PUT', at(name), undefined, { query: { permission: 'READ' } });
  for (const name of before.filter((each) => !after.includes(each))) await send('DELETE', at(name));
}

const choices = ['nobody', 'groups', 'everybody'] as const;
type Choice = (typeof choices)[number];

const choiceOf = (names: readonly string[]): Choice =>
  names.length === 0 ? 'nobody' : names.length === 1 && names[0] === everyone ? 'everybody' : 'groups';

interface SeenByProps {
  /** At the set-up nothing is chosen yet: somebody has to decide. */
  readonly isFirst?: boolean;
  readonly action: string;
  readonly onDone: () => void;
}

/** Asks who sees new items: nobody but their owners, some groups, or all who may look at items. */
export function SeenBy(props: SeenByProps) {
  const loaded = useLoad('seen by', async (signal) => {
    const [names, { rows }] = await Promise.all([seenBy(signal), find('group', '', { signal, number: 1000 })]);
    return { names, groups: rows.map(({ name }) => name) };
  });
  return <Shown of={loaded}>{(value) => <SeenByForm {...props} {...value} />}</Shown>;
}

type FormProps = SeenByProps & { readonly names: readonly string[]; readonly groups: readonly string[] };

function SeenByForm({ isFirst = false, action, onDone, names, groups }: FormProps) {
  const [choice, choose] = useState<Choice | undefined>(isFirst ? undefined : choiceOf(names));
  const [picked, pick] = useState<readonly string[]>(names);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const options = choices.filter((each) => each !== 'everybody' || groups.includes(everyone));
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    const after = choice === 'nobody' ? [] : choice === 'everybody' ? [everyone] : picked;
    await write(names, after).then(onDone, setFailure);
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <fieldset class="stack seen-by">
        <legend>{t('access.seenQuestion')}</legend>
        {options.map((each) => (
          <label key={each} class="check">
            <input type="radio" name="seen" required checked={choice === each} onChange={() => choose(each)} />
            <span>{t(`access.seen.${each}`)}</span>
          </label>
        ))}
      </fieldset>
      {choice === 'groups' && (
        <fieldset class="row wrap seen-by">
          <legend>{t('people.groups')}</legend>
          {groups.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={picked.includes(name)}
                onChange={({ currentTarget }) =>
                  pick(currentTarget.checked ? [...picked, name] : picked.filter((other) => other !== name))
                }
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="muted small">{t('access.seenNote')}</p>
      {failure !== undefined && <RefusalNote error={failure} />}
      <div>
        <Button kind="main" type="submit" disabled={busy || (choice === 'groups' && picked.length === 0)}>
          {action}
        </Button>
      </div>
    </form>
  );
}
