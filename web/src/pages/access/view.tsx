import type { AccessControlMergedDocument, AccessExplanationDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Skeleton } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { Table } from '../../components/table.tsx';
import { nameWords, sentenceWords } from '../../components/words.ts';
import { has, may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { type AccessEntry, accessRows } from '../item/item.ts';
import { EntryFields, emptyDraft, entryOf } from './entry-fields.tsx';

interface ViewProps {
  /** Path of an item or a collection in the API. */
  readonly at: string;
  /** Left out: what the entries say. */
  readonly mayGive?: boolean;
  readonly onDone?: () => void;
}

const levelWords = (level = 'NONE'): string => t(`access.level.${level as 'OWNER'}`);

/** Who may do what with an item or a collection, and why. */
export function AccessView({ at, mayGive, onDone }: ViewProps) {
  const path = `${at}/access`;
  const { value, refusal, reload } = useLoad(path, (signal) =>
    get<AccessControlMergedDocument>(`${at}/merged-access`, { signal }),
  );
  if (refusal && !value) return <RefusalNote error={refusal} onAgain={reload} />;
  if (!value) return <Skeleton />;
  const after = () => {
    reload();
    onDone?.();
  };
  const rows = accessRows(value.access);
  const owns = rows.some((row) => row.username === me.value?.userName && row.level === 'OWNER');
  const isOwner = may('item.grant') && (owns || has('_administrator'));
  const hasAll = rows.some((row) => row.username === me.value?.userName && row.level === 'ALL');
  const canGrant = may('item.grant') && (mayGive ?? (isOwner || hasAll));
  const remove = (ids: readonly string[]) =>
    act(() => Promise.all(ids.map((id) => send('DELETE', `${path}/${id}`))), t('access.accessRemoved')).then(after);
  return (
    <div class="stack">
      <Table
        label={t('access.title')}
        keyOf={({ key }) => key}
        rows={rows}
        columns={[
          {
            id: 'who',
            title: t('access.who'),
            cell: ({ username, group }) => (
              <>
                {username ?? (group && nameWords(group))}
                {group !== undefined && username !== undefined && (
                  <span class="muted small"> ({nameWords(group)})</span>
                )}
              </>
            ),
          },
          {
            id: 'level',
            title: t('access.level'),
            cell: ({ level, type, extradata }) => (
              <>
                <Mark tone={level === 'NONE' ? 'bad' : undefined}>{levelWords(level)}</Mark>
                {type !== 'GENERIC' && <span class="muted small"> {[type, extradata].filter(Boolean).join(' ')}</span>}
              </>
            ),
          },
          { id: 'why', title: t('access.why'), cell: ({ entries }) => [...new Set(entries.map(whyOf))].join(' · ') },
          {
            id: 'remove',
            title: '',
            at: 'end',
            cell: ({ username = '', group = username, removable }) =>
              canGrant &&
              removable.length > 0 && (
                <IconButton
                  icon="x"
                  label={t('access.accessRemove', { name: group })}
                  onClick={() => void remove(removable)}
                />
              ),
          },
        ]}
      />
      {canGrant && <Grant path={path} onDone={after} />}
      {may('user.read') && <Explain path={path} />}
      {isOwner && <Owner path={path} onDone={after} />}
    </div>
  );
}

function whyOf({ superUser, collection, library, grantor, permission }: AccessEntry): string {
  if (superUser) return t('access.whySuper');
  if (permission === 'OWNER') return t('access.whyOwner');
  if (collection !== undefined) return t('access.whyCollection', { collection });
  if (library !== undefined) return t('access.whyLibrary', { library });
  return grantor === undefined ? t('access.whyEntry') : t('access.whyGrantor', { grantor });
}

interface PartProps {
  readonly path: string;
  readonly onDone: () => void;
}

function Grant({ path, onDone }: PartProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [failure, setFailure] = useState<unknown>();
  const grant = async (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    try {
      await send('POST', path, entryOf(draft));
      setDraft({ ...draft, name: '' });
      onDone();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <form class="card stack" onSubmit={grant} aria-label={t('access.grant')}>
      <h2>{t('access.grant')}</h2>
      {failure !== undefined && <RefusalNote error={failure} />}
      <EntryFields draft={draft} onChange={setDraft} />
      <div class="row">
        <Button type="submit" kind="main" disabled={draft.name.trim() === ''}>
          {t('access.give')}
        </Button>
      </div>
    </form>
  );
}

/** Which entry decides for a user. */
function Explain({ path }: { path: string }) {
  const [name, setName] = useState('');
  const [answer, setAnswer] = useState<AccessExplanationDocument>();
  const [failure, setFailure] = useState<unknown>();
  const ask = async (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    setAnswer(undefined);
    await get<AccessExplanationDocument>(`${path}/explain`, { query: { user: name.trim() } }).then(
      setAnswer,
      setFailure,
    );
  };
  return (
    <form class="card stack" onSubmit={ask} aria-label={t('access.explain')}>
      <h2>{t('access.explain')}</h2>
      <div class="row">
        <input
          class="input"
          aria-label={t('access.user')}
          placeholder={t('access.user')}
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit">{t('access.ask')}</Button>
      </div>
      {failure !== undefined && <RefusalNote error={failure} />}
      {answer && (
        <div role="status" class="stack">
          <p>
            <Mark tone={answer.permission === 'NONE' ? 'bad' : 'good'}>{levelWords(answer.permission)}</Mark>{' '}
            {answer.reason && sentenceWords(answer.reason)}
          </p>
          <ul class="small">
            {(answer.entry ?? []).map(({ id, says, counts }) => (
              <li key={id} class={counts ? undefined : 'muted'}>
                {says && sentenceWords(says)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}

function Owner({ path, onDone }: PartProps) {
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const give = async (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    await send('PUT', `${path}/owner/${encodeURIComponent(name.trim())}`).then(() => {
      setName('');
      onDone();
    }, setFailure);
  };
  return (
    <form class="card stack" onSubmit={give} aria-label={t('access.owner')}>
      <h2>{t('access.owner')}</h2>
      <p class="muted small">{t('access.ownerNote')}</p>
      {failure !== undefined && <RefusalNote error={failure} />}
      <div class="row">
        <input
          class="input"
          aria-label={t('access.newOwner')}
          placeholder={t('access.newOwner')}
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit">{t('access.giveOwner')}</Button>
      </div>
    </form>
  );
}
