import type { ShareDocument, ShareTokenDocument, ShareUseListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, Refusal, send } from '../../api/client.ts';
import { me } from '../../api/session.ts';
import { AskButton } from '../../components/ask.tsx';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/chips.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Shown } from '../../components/empty.tsx';
import { useLoad } from '../../components/load.ts';
import { personName } from '../../components/person.tsx';
import { act } from '../../components/refusal.tsx';
import { toast } from '../../components/toast.ts';
import { Time } from '../../components/values.tsx';
import { QrPicture } from '../../factor/qr-picture.tsx';
import { may } from '../../rights.ts';
import { Link } from '../../router.tsx';
import { t } from '../../texts/index.ts';
import { addressOf, placeOf } from './shares.ts';
import './page.css';

interface LinksProps {
  readonly shares: readonly ShareDocument[];
  /** Whether each row says, and leads to, what its link shows. */
  readonly withPlaces?: boolean;
  readonly onEdit: (share: ShareDocument) => void;
  readonly onChanged: () => void;
}

/** Copies an address. Whether the browser did it. */
export async function copyAddress(token: string): Promise<boolean> {
  const isDone = await navigator.clipboard.writeText(addressOf(token)).then(
    () => true,
    () => false,
  );
  toast(t(isDone ? 'shares.copied' : 'word.notCopied'));
  return isDone;
}

/** Links with their visits, and what their makers do with them. */
export function Links({ shares, withPlaces, onEdit, onChanged }: LinksProps) {
  const [shown, setShown] = useState<{ readonly address: string; readonly title: string }>();
  const [received, setReceived] = useState<ShareDocument>();
  const renew = (id: string) =>
    act(async () => {
      const { token } = await send<ShareTokenDocument>('POST', `/share/${id}/token`);
      onChanged();
      await copyAddress(token);
    });
  /** An address that cannot be told, because the service has another key now, is made anew. */
  const withToken = (id: string, use: (token: string) => unknown) =>
    act(async () => {
      const { token } = await get<ShareTokenDocument>(`/share/${id}/token`).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.status !== 404) throw error;
        return { token: undefined };
      });
      if (token !== undefined) await use(token);
      else toast(t('shares.noAddress'), { text: t('shares.newAddress'), run: () => void renew(id) });
    });
  /** The tab opens with the click: a browser refuses one that opens later. */
  const visit = (id: string) => {
    const tab = open('', '_blank');
    return withToken(id, (token) => tab?.location.replace(addressOf(token))).then((isDone) => isDone || tab?.close());
  };
  return (
    <>
      <ul class="links">
        {shares.map((share) => {
          const { id = '', title = placeName(share), state = 'OPEN', keepsToken, user } = share;
          const isOwn = user === me.value?.userName;
          // A revoked link has no address until its maker saves it again.
          const tells = isOwn && keepsToken && state !== 'REVOKED';
          return (
            <li key={id} class="row wrap">
              <span class="grow">
                {tells ? (
                  <button type="button" class="link" title={t('shares.visit')} onClick={() => void visit(id)}>
                    {title}
                  </button>
                ) : (
                  <strong>{title}</strong>
                )}{' '}
                {state !== 'OPEN' && (
                  <Mark tone={state === 'WAITING' ? undefined : 'warn'}>{t(`shares.state.${state}`)}</Mark>
                )}
                <span class="muted small">
                  <Allowed share={share} withPlace={withPlaces === true} />
                </span>
                <span class="muted small">
                  <Facts share={share} isOwn={isOwn} onReceived={() => setReceived(share)} />
                </span>
              </span>
              <span class="row wrap">
                {tells && (
                  <>
                    <Button icon="copy" onClick={() => void withToken(id, copyAddress)}>
                      {t('word.copy')}
                    </Button>
                    <Button
                      onClick={() => void withToken(id, (token) => setShown({ address: addressOf(token), title }))}
                    >
                      {t('shares.qr')}
                    </Button>
                  </>
                )}
                {may('share.write') && (
                  <>
                    {isOwn && !keepsToken && <Button onClick={() => void renew(id)}>{t('shares.newAddress')}</Button>}
                    <Button onClick={() => onEdit(share)}>{t('comments.edit')}</Button>
                    <AskButton
                      kind="danger"
                      action={t('shares.revoke')}
                      question={t('shares.revokeQuestion', { title })}
                      onYes={() => void act(() => send('DELETE', `/share/${id}`), t('shares.revoked')).then(onChanged)}
                    />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {shown && (
        <Dialog title={shown.title} onClose={() => setShown(undefined)}>
          <QrPicture text={shown.address} label={t('shares.qrOf', { title: shown.title })} />
          <p class="mono any-name">{shown.address}</p>
        </Dialog>
      )}
      {received && <Received share={received} onClose={() => setReceived(undefined)} />}
    </>
  );
}

/** A link without a title says what it shows. */
const placeName = ({ item, collection, library, id }: ShareDocument): string =>
  item ?? collection ?? library ?? id ?? '';

/** Target of the link, and what guests may do. */
function Allowed({ share, withPlace }: { readonly share: ShareDocument; readonly withPlace: boolean }) {
  const { allow = [], look, comment, upload, created, library } = share;
  const place = placeOf(share);
  const kind = t(
    `shares.kind.${library !== undefined ? 'selection' : share.item === undefined ? 'collection' : 'item'}`,
  );
  const uses = [
    look !== false && (upload !== undefined || allow.length === 0) && t('shares.look'),
    ...(['play', 'download'] as const).map((use) => allow.includes(use) && t(`shares.${use}`)),
    comment && t('shares.comment'),
    upload !== undefined && t('shares.upload'),
  ].filter(Boolean);
  return (
    <>
      {withPlace && <>{place ? <Link to={place}>{kind}</Link> : kind}: </>}
      {uses.join(', ')}, {t('shares.made')} <Time at={created} />
    </>
  );
}

interface FactsProps {
  readonly share: ShareDocument;
  readonly isOwn: boolean;
  readonly onReceived: () => void;
}

function Facts({ share, isOwn, onReceived }: FactsProps) {
  const { used = 0, maxUses, ends, isProtected, user = '', uploaded } = share;
  const facts = [
    maxUses === undefined ? t('shares.visits', { count: used }) : t('shares.visitsOf', { count: used, max: maxUses }),
    isProtected && t('shares.protected'),
    !isOwn && t('shares.by', { user: personName(user) }),
  ].filter(Boolean);
  const count = uploaded?.files ?? 0;
  return (
    <>
      {uploaded && (
        <>
          {count > 0 ? (
            <button type="button" class="link" onClick={onReceived}>
              {t('shares.uploaded', { count })}
            </button>
          ) : (
            t('shares.uploaded', { count })
          )}
          ,{' '}
        </>
      )}
      {facts.join(', ')}
      {ends !== undefined && (
        <>
          , {t(Date.parse(String(ends)) > Date.now() ? 'shares.until' : 'shares.ended')} <Time at={ends} />
        </>
      )}
    </>
  );
}

/** Files that came through a link, each with who sent it. */
function Received({
  share: { id = '', title = id },
  onClose,
}: {
  readonly share: ShareDocument;
  readonly onClose: () => void;
}) {
  const uses = useLoad(id, (signal) =>
    get<ShareUseListDocument>(`/share/${id}/use`, { query: { number: me.value?.maxPage ?? 100 }, signal }),
  );
  return (
    <Dialog title={t('shares.receivedBy', { title })} wide onClose={onClose}>
      <Shown of={uses} rows={4}>
        {({ use = [] }) => (
          <ul class="links">
            {use.flatMap(({ name, file = [] }) =>
              file.map((each) => (
                <li key={each.item} class="row wrap">
                  <Link class="grow" to={`/item/${each.item}`}>
                    {each.name ?? each.item}
                  </Link>
                  <span class="muted small">
                    {name ?? t('word.someGuest')}, <Time at={each.at} />
                  </span>
                </li>
              )),
            )}
          </ul>
        )}
      </Shown>
    </Dialog>
  );
}
