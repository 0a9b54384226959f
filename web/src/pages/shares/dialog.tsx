import type { ShareDocument, ShareListDocument, URIListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Copy } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { documentOf, type Part } from '../../components/document.ts';
import { Shown } from '../../components/empty.tsx';
import { Check, Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act, RefusalNote } from '../../components/refusal.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { tagWords } from '../../components/words.ts';
import { has, may } from '../../rights.ts';
import { t } from '../../texts/index.ts';

export interface ShareDialogProps {
  readonly of: 'item' | 'collection';
  readonly id: string;
  readonly name: string;
  /** Tags that guests may get. Left out: all of the service. */
  readonly tags?: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Links to an item or a collection for people without an account: makes them, lists them and revokes them. */
export function ShareDialog({ of, id, name, tags, onClose }: ShareDialogProps) {
  const path = `/${of}/${encodeURIComponent(id)}/share`;
  const [token, setToken] = useState<string>();
  const [most, setMost] = useState(rows);
  const links = useLoad(`${path} ${most}`, async (signal) => {
    if (!may('share.read')) return [];
    const query = { number: most, all: has('_administrator') };
    return (await get<ShareListDocument>(path, { query, signal })).share ?? [];
  });
  const mostRows = me.value?.maxPage ?? rows;
  return (
    <Dialog title={t('shares.title', { name })} wide onClose={onClose}>
      {token === undefined ? (
        <ShareForm
          takesFiles={of === 'collection'}
          tags={tags}
          make={async (document) => {
            const share = await send<ShareDocument>('POST', path, document);
            setToken(share.token);
            void links.reload();
          }}
        />
      ) : (
        <>
          <p role="status">{t('shares.made')}</p>
          <Field label={t('shares.address')}>
            {(attributes) => (
              <textarea {...attributes} class="input mono" readOnly ref={pick} value={addressOf(token)} />
            )}
          </Field>
          <div class="actions">
            <Button onClick={() => setToken(undefined)}>{t('shares.again')}</Button>
            <Copy text={addressOf(token)} label={t('shares.copy')} />
          </div>
        </>
      )}
      {may('share.read') && (
        <>
          <h3>{t('shares.links')}</h3>
          <Shown of={links}>
            {(shares) =>
              shares.length === 0 ? (
                <p class="muted">{t('shares.none')}</p>
              ) : (
                <>
                  <Links shares={shares} name={name} onRevoked={links.reload} />
                  {shares.length === most && most < mostRows && (
                    <Button onClick={() => setMost(Math.min(mostRows, most + rows))}>{t('word.more')}</Button>
                  )}
                </>
              )
            }
          </Shown>
        </>
      )}
    </Dialog>
  );
}

/** Links that are listed at once. */
const rows = 100;

/** Address of the page for guests. The secret is behind `#`, which browsers send nowhere. */
const addressOf = (token: string): string => `${location.origin}/ui/s#${token}`;

const pick = (node: HTMLTextAreaElement | null): void => {
  node?.focus();
  node?.select();
};

const parts: readonly Pick<Part, 'at' | 'kind'>[] = [
  { at: 'title' },
  { at: 'maxUses', kind: 'number' },
  // Blanks at its ends belong to a password.
  { at: 'password', kind: 'long' },
  { at: 'asksName', kind: 'flag' },
  { at: 'comment', kind: 'flag' },
  { at: 'upload.files', kind: 'number' },
  { at: 'upload.bytes', kind: 'size' },
];

/** What a form of a share says. Its last day ends where the person is. */
function documentFrom(data: FormData, takesFiles: boolean): ShareDocument {
  const textOf = (name: string) => String(data.get(name) ?? '');
  const day = textOf('day');
  const document: ShareDocument = {
    play: data.getAll('play').map(String),
    download: data.getAll('download').map(String),
    ...(day !== '' && { ends: new Date(`${day}T23:59:59.999`).toISOString() }),
    ...(takesFiles && { look: data.has('look') }),
  };
  return documentOf(document, parts as readonly Part[], Object.fromEntries(parts.map(({ at }) => [at, textOf(at)])));
}

interface ShareFormProps {
  /** Whether guests may upload into it. */
  readonly takesFiles: boolean;
  readonly tags: readonly string[] | undefined;
  readonly make: (document: ShareDocument) => Promise<void>;
}

function ShareForm({ takesFiles, tags, make }: ShareFormProps) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [takes, setTakes] = useState(false);
  const choices = useLoad('tags', async (signal) => {
    if (tags || !may('tag.read')) return tags ?? [];
    return (await get<URIListDocument>('/shape-tag', { signal })).uri ?? [];
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    try {
      await make(documentFrom(data, takesFiles));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <form class="stack" onSubmit={submit}>
      <p class="muted">{t('shares.note')}</p>
      <div class="document-form">
        <Field label={t('shares.heading')} name="title" maxLength={200} autocomplete="off" />
        <Field label={t('shares.password')} name="password" type="password" autocomplete="new-password" />
        <Field label={t('shares.ends')} name="day" type="date" />
        <Field label={t('shares.maxUses')} name="maxUses" type="number" min={1} />
        <Check label={t('shares.asksName')} name="asksName" />
        <Check label={t('shares.comment')} name="comment" />
        {takesFiles && (
          <>
            <Check label={t('shares.look')} name="look" defaultChecked />
            <Check
              label={t('shares.takes')}
              checked={takes}
              onChange={({ currentTarget }) => setTakes(currentTarget.checked)}
            />
          </>
        )}
        {takes && (
          <>
            <Field label={t('shares.files')} name="upload.files" type="number" min={1} required />
            <Field label={t('shares.bytes')} name="upload.bytes" placeholder="10 GB" required />
          </>
        )}
      </div>
      <Shown of={choices}>
        {(names) =>
          names.length > 0 && <Table label={t('shares.tags')} keyOf={String} rows={names} columns={tagColumns()} />
        }
      </Shown>
      <p class="muted small">{t('shares.tagsNote')}</p>
      {failure !== undefined && <RefusalNote error={failure} />}
      <div class="actions">
        <Button kind="main" type="submit" icon="link" disabled={busy}>
          {t('shares.make')}
        </Button>
      </div>
    </form>
  );
}

const tagColumns = () => [
  { id: 'tag', title: t('shares.tag'), cell: tagWords },
  ...(['play', 'download'] as const).map((use) => ({
    id: use,
    title: t(`shares.${use}`),
    cell: (tag: string) => (
      <input type="checkbox" name={use} value={tag} aria-label={`${t(`shares.${use}`)}: ${tagWords(tag)}`} />
    ),
  })),
];

interface LinksProps {
  readonly shares: readonly ShareDocument[];
  readonly name: string;
  readonly onRevoked: () => void;
}

function Links({ shares, name, onRevoked }: LinksProps) {
  return (
    <Table
      label={t('shares.links')}
      keyOf={({ id = '' }) => id}
      rows={shares}
      columns={[
        {
          id: 'title',
          title: t('shares.heading'),
          cell: ({ title = name, user = '', isProtected }) => {
            const notes = [
              isProtected && t('shares.protected'),
              user !== me.value?.userName && t('shares.by', { user }),
            ].filter(Boolean);
            return (
              <>
                {title} {notes.length > 0 && <span class="muted small">{notes.join(', ')}</span>}
              </>
            );
          },
        },
        {
          id: 'state',
          title: t('shares.state'),
          cell: ({ state = 'OPEN' }) => (
            <Mark tone={state === 'OPEN' ? 'good' : undefined}>{t(`shares.state.${state}`)}</Mark>
          ),
        },
        {
          id: 'used',
          title: t('shares.used'),
          cell: ({ used = 0, maxUses }) =>
            maxUses === undefined ? used : t('word.doneOf', { done: used, size: maxUses }),
        },
        { id: 'ends', title: t('shares.ends'), cell: ({ ends }) => <Time at={ends} /> },
        {
          id: 'revoke',
          title: '',
          at: 'end',
          cell: ({ id = '' }) =>
            may('share.write') && (
              <Button
                kind="danger"
                onClick={() => void act(() => send('DELETE', `/share/${id}`), t('shares.revoked')).then(onRevoked)}
              >
                {t('shares.revoke')}
              </Button>
            ),
        },
      ]}
    />
  );
}
