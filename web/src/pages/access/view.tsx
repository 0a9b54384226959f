import type { AccessControlMergedDocument, AccessExplanationDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Pending } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { WorkForm } from '../../components/form-dialog.tsx';
import { useLoad } from '../../components/load.ts';
import { Person, personName } from '../../components/person.tsx';
import { act } from '../../components/refusal.tsx';
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

/** Access to an item or a collection: who may do what, and why. */
export function AccessView({ at, mayGive, onDone }: ViewProps) {
  const path = `${at}/access`;
  const { value, refusal, reload } = useLoad(path, (signal) =>
    get<AccessControlMergedDocument>(`${at}/merged-access`, { signal }),
  );
  if (!value) return <Pending of={{ refusal, reload }} />;
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
                {username === undefined ? group && nameWords(group) : <Person user={username} />}
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
  return grantor === undefined ? t('access.whyEntry') : t('access.whyGrantor', { grantor: personName(grantor) });
}

interface PartProps {
  readonly path: string;
  readonly onDone: () => void;
}

function Grant({ path, onDone }: PartProps) {
  const [draft, setDraft] = useState(emptyDraft);
  return (
    <WorkForm
      class="card stack"
      label={t('access.grant')}
      action={t('access.give')}
      kind="main"
      disabled={draft.name.trim() === ''}
      work={async () => {
        await send('POST', path, entryOf(draft));
        setDraft({ ...draft, name: '' });
        onDone();
      }}
    >
      <h2>{t('access.grant')}</h2>
      <EntryFields draft={draft} onChange={setDraft} />
    </WorkForm>
  );
}

/** Form that tells which entry decides for a user. */
function Explain({ path }: Pick<PartProps, 'path'>) {
  const [answer, setAnswer] = useState<AccessExplanationDocument>();
  return (
    <WorkForm
      class="card stack"
      label={t('access.explain')}
      action={t('health.explain')}
      work={async (readField) => {
        const user = readField('name').trim();
        setAnswer(await get<AccessExplanationDocument>(`${path}/explain`, { query: { user } }));
      }}
    >
      <h2>{t('access.explain')}</h2>
      <Field label={t('access.user')} name="name" required />
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
    </WorkForm>
  );
}

function Owner({ path, onDone }: PartProps) {
  const [changes, setChanges] = useState(0);
  return (
    <WorkForm
      class="card stack"
      label={t('access.owner')}
      action={t('access.giveOwner')}
      work={async (readField) => {
        await send('PUT', `${path}/owner/${encodeURIComponent(readField('name').trim())}`);
        setChanges(changes + 1);
        onDone();
      }}
    >
      <h2>{t('access.owner')}</h2>
      <p class="muted small">{t('access.ownerNote')}</p>
      <Field key={changes} label={t('access.newOwner')} name="name" required />
    </WorkForm>
  );
}
