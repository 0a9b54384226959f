import type { ItemType, ShareDocument, ShareListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Copy } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.ts';
import { has, may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { ShareForm } from './form.tsx';
import { copyAddress, Links } from './links.tsx';
import { addressOf, type Purpose, startOf, titleOf } from './shares.ts';

interface CommonProps {
  readonly name: string;
  /** Tags that guests may get. Left out: all of the service. */
  readonly tags?: readonly string[] | undefined;
  readonly onClose: () => void;
}

interface EntityProps extends CommonProps {
  readonly of: 'item' | 'collection';
  readonly id: string;
}

interface SelectionProps extends CommonProps {
  readonly of: 'selection';
  /** Ids of the chosen items. */
  readonly items: () => Promise<readonly string[]>;
}

export type ShareDialogProps = EntityProps | SelectionProps;

interface Before {
  /** Kind of the one item. */
  readonly kind: string;
  readonly links: ShareListDocument;
}

async function readBefore(props: ShareDialogProps, number: number, signal: AbortSignal): Promise<Before> {
  const fields = { content: 'metadata', field: 'mediaType', terse: true, interval: 'generic' };
  const query = { number, all: has('_administrator') };
  const at = props.of === 'selection' ? '/share' : `/${props.of}/${encodeURIComponent(props.id)}`;
  const [item, links] = await Promise.all([
    props.of === 'item' ? get<ItemType>(at, { query: fields, signal }) : undefined,
    may('share.read')
      ? get<ShareListDocument>(props.of === 'selection' ? at : `${at}/share`, {
          query: props.of === 'selection' ? { number: 1 } : query,
          signal,
        })
      : {},
  ]);
  const { mediaType } = (item?.terse ?? {}) as Readonly<Record<string, readonly { readonly value?: string }[]>>;
  return { kind: mediaType?.[0]?.value ?? '', links };
}

/** Links to an item, a collection or chosen items for people without an account: makes, changes and revokes them. */
export function ShareDialog(props: ShareDialogProps) {
  const { of, name, tags, onClose } = props;
  const [newShare, setNewShare] = useState<ShareDocument>();
  const [edited, setEdited] = useState<ShareDocument>();
  const [purpose, setPurpose] = useState<Purpose>('show');
  const [max, setMost] = useState(rows);
  const before = useLoad(`${of} ${max}`, (signal) => readBefore(props, max, signal));
  const maxRows = me.value?.maxPage ?? rows;
  const make = async (document: ShareDocument) => {
    const [at, body] =
      props.of === 'selection'
        ? ['/share', { ...document, selection: await props.items() }]
        : [`/${props.of}/${encodeURIComponent(props.id)}/share`, document];
    const share = await send<ShareDocument>('POST', at, body);
    setNewShare(share);
    await copyAddress(share.token!);
    if (of !== 'selection') void before.reload();
  };
  const form = ({ kind, links: { terms } }: Before) => (
    <ShareForm
      key={purpose}
      start={{ title: titleOf(name), ...startOf(of, purpose, kind, may('comment.write')) }}
      action={t('shares.make')}
      takesFiles={of === 'collection'}
      send={make}
      {...{ purpose, terms, tags }}
    />
  );
  if (edited)
    return <EditShare share={edited} onClose={() => setEdited(undefined)} onSaved={() => void before.reload()} />;
  return (
    <Dialog title={t('shares.title', { name })} wide onClose={onClose}>
      <Shown of={before} rows={6}>
        {(read) =>
          newShare ? (
            <Made share={newShare} onAgain={() => setNewShare(undefined)} />
          ) : read.links.terms?.isOn === false ? (
            <p class="note">{t('shares.off')}</p>
          ) : of === 'collection' ? (
            <Tabs
              label={t('shares.purpose')}
              tabs={(['show', 'ask'] as const).map((id) => ({ id, text: t(`shares.purpose.${id}`) }))}
              chosen={purpose}
              onChoose={(id) => setPurpose(id as Purpose)}
            >
              {form(read)}
            </Tabs>
          ) : (
            form(read)
          )
        }
      </Shown>
      {of !== 'selection' && (before.value?.links.share ?? []).length > 0 && (
        <section>
          <h3>{t('nav.links')}</h3>
          <Links shares={before.value!.links.share!} onEdit={setEdited} onChanged={() => void before.reload()} />
          {before.value!.links.share!.length === max && max < maxRows && (
            <Button onClick={() => setMost(Math.min(maxRows, max + rows))}>{t('word.more')}</Button>
          )}
        </section>
      )}
    </Dialog>
  );
}

/** Links that are listed at once. */
const rows = 20;

const pick = (node: HTMLTextAreaElement | null): void => node?.select();

/** Tags that make something to play of an item, by its kind. */
const tagFor = (kind = ''): string | undefined =>
  ({ audio: '__mp3', image: '__jpeg' })[kind] ?? (kind === 'video' ? me.value?.webTag : undefined);

function Made({ share, onAgain }: { readonly share: ShareDocument; readonly onAgain: () => void }) {
  const { nothingToPlay = [], token = '' } = share;
  const [begun, setBegun] = useState<ReadonlySet<string>>(new Set());
  const begin = (id: string, tag: string) =>
    void act(() => send('POST', `/item/${id}/transcode`, undefined, { query: { tag } })).then(
      (isDone) => isDone && setBegun(new Set([...begun, id])),
    );
  return (
    <div class="stack">
      <Field label={t('shares.address')}>
        {(attributes) => (
          <textarea {...attributes} class="input mono" rows={2} readOnly ref={pick} value={addressOf(token)} />
        )}
      </Field>
      {nothingToPlay.length > 0 && (
        <div class="note warn">
          <div class="grow stack">
            <p>{t('shares.nothingToPlay')}</p>
            <ul class="links">
              {nothingToPlay.map(({ id, title = id, mediaType }) => {
                const tag = me.value?.transcoder && may('item.transcode') ? tagFor(mediaType) : undefined;
                return (
                  <li key={id} class="row wrap">
                    <span class="grow">{title}</span>
                    {begun.has(id)
                      ? t('shares.making')
                      : tag && <Button onClick={() => begin(id, tag)}>{t('shares.makeIt')}</Button>}
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
      <div class="actions">
        <Button onClick={onAgain}>{t('shares.again')}</Button>
        <Copy text={addressOf(token)} label={t('word.copy')} />
      </div>
    </div>
  );
}

interface EditProps {
  readonly share: ShareDocument;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Changes what a link allows. Its address stays. */
export function EditShare({ share, onClose, onSaved }: EditProps) {
  const { id = '', title = id, collection, look } = share;
  const before = useLoad(id, (signal) => get<ShareListDocument>('/share', { query: { number: 1 }, signal }));
  return (
    <Dialog title={t('shares.edit', { title })} wide onClose={onClose}>
      <Shown of={before} rows={6}>
        {({ terms }) => (
          <ShareForm
            start={share}
            purpose={look === false ? 'ask' : 'show'}
            takesFiles={collection !== undefined}
            terms={terms}
            action={t('word.save')}
            send={async (document) => {
              await send('PUT', `/share/${id}`, document);
              onSaved();
              onClose();
              toast(t('word.saved'));
            }}
          />
        )}
      </Shown>
    </Dialog>
  );
}
