import { signal } from '@preact/signals';
import type { ShareGuestDocument } from 'portico/types';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { isLanguage, speak, t } from '../texts/index.ts';
import { isToken, keepAsking, OpenShare, type Place, placeOf, send } from './guest.ts';
import { About, List } from './list.tsx';

/** The page for guests of a share. It loads the player and the comments with the first item. */

type View =
  | { readonly share: OpenShare }
  /** Needs of the entrance besides the secret, and the maker. */
  | { readonly entrance: ShareGuestDocument }
  /** Status of a refusal. */
  | { readonly refusal: unknown };

const place = signal<Place>(placeOf(location.hash));
const view = signal<View | undefined>(undefined);
/** The page of an item, once it is loaded. */
const itemPage = signal<typeof import('./item.tsx') | undefined>(undefined);

async function open(token: string, more: object = {}): Promise<void> {
  const guest = await send<ShareGuestDocument>('POST', '/APInoauth/share', { token, ...more });
  if (place.peek().token !== token) return;
  view.value = guest.id === undefined ? { entrance: guest } : { share: new OpenShare(token, guest) };
}

const fail = (refusal: unknown): void => {
  view.value = { refusal };
};

/** Another item is another entry of the history, and another link another share. */
function follow(): void {
  const before = place.peek().token;
  place.value = placeOf(location.hash);
  const { token } = place.peek();
  if (token === before) return;
  view.value = undefined;
  open(token).catch(fail);
}

const loadItemPage = (): Promise<void> =>
  import('./item.tsx').then((page) => {
    itemPage.value = page;
  });

function Page() {
  const { token, item: named } = place.value;
  const now = view.value;
  const share = now && 'share' in now ? now.share : undefined;
  const item = share && (share.guest.item ?? named);
  const [mark, loaded] = [share?.mark.value, itemPage.value];
  const scroll = useRef(0);
  useEffect(() => {
    if (share && item === undefined) scrollTo(0, scroll.current);
    if (item !== undefined || mark) loadItemPage().catch(fail);
    return () => {
      if (item === undefined) scroll.current = scrollY;
    };
  }, [share, item, !mark]);
  useEffect(() => share && loaded?.keepMark(share.mark), [share, loaded]);
  useEffect(
    () =>
      share &&
      keepAsking(() =>
        share.ask().catch((error) => {
          if (error === 404) fail(error);
          return false;
        }),
      ),
    [share],
  );
  if (!now) return null;
  if ('refusal' in now)
    return (
      <Message>
        <p>{t(now.refusal !== 404 ? 'guest.failed' : isToken(token) ? 'guest.gone' : 'guest.cut')}</p>
        {now.refusal !== 404 && <Button onClick={() => void open(token).catch(fail)}>{t('word.again')}</Button>}
      </Message>
    );
  if ('entrance' in now) return <Entrance key={token} guest={now.entrance} />;
  const Item = loaded?.ItemPage;
  return (
    <>
      {now.share.guest.item === undefined && (
        <List key={token} share={now.share} isHidden={item !== undefined} onFail={fail} />
      )}
      {item !== undefined && Item && <Item key={`${token} ${item}`} share={now.share} id={item} onFail={fail} />}
    </>
  );
}

function Message({ title = t('guest.title'), children }: { title?: string | undefined; children: ComponentChildren }) {
  document.title = title;
  return (
    <main class="message stack">
      <h1>{title}</h1>
      {children}
    </main>
  );
}

function Entrance({ guest }: { readonly guest: ShareGuestDocument }) {
  const { needs = [], title } = guest;
  const [wrong, setWrong] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setWrong(undefined);
    try {
      await open(place.peek().token, Object.fromEntries(new FormData(form.current!)));
    } catch (error) {
      if (error === 403 || error === 429) setWrong(t(error === 403 ? 'guest.wrong' : 'guest.wait'));
      else fail(error);
    }
  };
  const field = { required: true, maxLength: 1000 };
  return (
    <Message title={title}>
      <About guest={guest} />
      <form class="stack" ref={form} onSubmit={(event) => void submit(event)}>
        {needs.includes('name') && (
          <Field {...field} label={t('guest.name')} name="name" autocomplete="name" maxLength={100} />
        )}
        {needs.includes('password') && (
          <Field {...field} label={t('guest.password')} name="password" type="password" wrong={wrong} />
        )}
        {!needs.includes('password') && wrong && (
          <p class="bad" role="alert">
            {wrong}
          </p>
        )}
        <Button kind="main" type="submit">
          {t('guest.open')}
        </Button>
      </form>
    </Message>
  );
}

async function begin(): Promise<void> {
  const spoken = navigator.language.slice(0, 2);
  const { token, item } = place.peek();
  if (item !== undefined) loadItemPage().catch(() => undefined);
  await Promise.all([speak(isLanguage(spoken) ? spoken : 'en'), open(token).catch(fail)]);
  addEventListener('hashchange', follow);
  render(<Page />, document.getElementById('guest')!);
}

void begin();
