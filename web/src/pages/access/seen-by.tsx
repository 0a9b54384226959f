import type { ImportAccessControlListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { reloadMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { RefusalNote } from '../../components/refusal.tsx';
import { lacks } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { find } from '../people/people.ts';
import './access.css';

const path = '/import/access/default';
/** The ready-made group whose rights all others have, too. */
const everyone = 'viewer';

type Level = NonNullable<ImportAccessControlListDocument['group']>[number]['permission'];
type Levels = ReadonlyMap<string, Level>;

const mayChange = (level: Level | undefined): boolean => level === 'WRITE' || level === 'ALL';

/** Groups that get READ or more on each new item. */
async function levelsOf(signal?: AbortSignal): Promise<Levels> {
  const { group = [] } = await get<ImportAccessControlListDocument>(path, { signal });
  return new Map(group.flatMap(({ name, permission }) => (permission === 'NONE' ? [] : [[name, permission]])));
}

export const seenBy = async (signal?: AbortSignal): Promise<readonly string[]> => [...(await levelsOf(signal)).keys()];

async function write(before: Levels, after: Levels): Promise<void> {
  const at = (name: string) => `${path}/group/${encodeURIComponent(name)}`;
  for (const [name, permission] of after)
    if (before.get(name) !== permission) await send('PUT', at(name), undefined, { query: { permission } });
  for (const name of before.keys()) if (!after.has(name)) await send('DELETE', at(name));
}

const choices = ['nobody', 'groups', 'everybody'] as const;
type Choice = (typeof choices)[number];

const choiceOf = (names: readonly string[]): Choice =>
  names.length === 0 ? 'nobody' : names.includes(everyone) ? 'everybody' : 'groups';

interface SeenByProps {
  /** At the set-up nothing is chosen yet: somebody has to decide. */
  readonly isFirst?: boolean;
  readonly action: string;
  readonly onDone: () => void;
}

/** Asks who sees new items: nobody but their owners, some groups, or all who may look at items. And who changes them. */
export function SeenBy(props: SeenByProps) {
  const loaded = useLoad('seen by', async (signal) => {
    const [levels, { rows }] = await Promise.all([levelsOf(signal), find('group', '', { signal, number: 1000 })]);
    return { levels, groups: rows.map(({ name }) => name) };
  });
  return <Shown of={loaded}>{(value) => <SeenByForm {...props} {...value} />}</Shown>;
}

type FormProps = SeenByProps & { readonly levels: Levels; readonly groups: readonly string[] };

function SeenByForm({ isFirst = false, action, onDone, levels, groups }: FormProps) {
  const [choice, choose] = useState<Choice | undefined>(isFirst ? undefined : choiceOf([...levels.keys()]));
  const [picked, pick] = useState<readonly string[]>([...levels.keys()]);
  const [changing, setChanging] = useState<readonly string[]>(picked.filter((name) => mayChange(levels.get(name))));
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const options = choices.filter((each) => each !== 'everybody' || groups.includes(everyone));
  const changeable = choice === 'groups' ? picked : groups;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    const changers = choice === 'nobody' ? [] : changing.filter((name) => changeable.includes(name));
    const seeing = choice === 'nobody' ? [] : choice === 'everybody' ? [everyone] : picked;
    const levelOf = (name: string): Level =>
      changers.includes(name) ? (levels.get(name) === 'ALL' ? 'ALL' : 'WRITE') : 'READ';
    const after = new Map([...seeing, ...changers].map((name) => [name, levelOf(name)]));
    try {
      await write(levels, after);
      // Nobody is an answer, too: the checklist asks no more.
      if (lacks('access')) {
        await send('PUT', '/configuration/properties/newItemsDecided', 'true');
        await reloadMe();
      }
      onDone();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <fieldset class="stack checks">
        <legend>{t('access.seenQuestion')}</legend>
        {options.map((each) => (
          <label key={each} class="check">
            <input type="radio" name="seen" required checked={choice === each} onChange={() => choose(each)} />
            <span>{t(`access.seen.${each}`)}</span>
          </label>
        ))}
      </fieldset>
      {choice === 'groups' && <Groups legend={t('people.groups')} names={groups} picked={picked} pick={pick} />}
      {choice !== undefined && choice !== 'nobody' && changeable.length > 0 && (
        <Groups legend={t('access.changeQuestion')} names={changeable} picked={changing} pick={setChanging} />
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

interface GroupsProps {
  readonly legend: string;
  readonly names: readonly string[];
  readonly picked: readonly string[];
  readonly pick: (names: readonly string[]) => void;
}

function Groups({ legend, names, picked, pick }: GroupsProps) {
  return (
    <fieldset class="row wrap checks">
      <legend>{legend}</legend>
      {names.map((name) => (
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
  );
}
