import './guest.css';
import type { SharedItemListDocument, SharedItemType, ShareGuestDocument } from 'portico/types';
import { sizeIn } from '../texts/size.ts';
import { commentsBeside } from './comments.ts';
import { ask, type Child, element, isSwedish, type Key, post, t } from './element.ts';

/** The page for guests of a share: none of the code of the other page. The secret is behind `#`, which browsers send nowhere. */

const sizeText = (bytes: number): string => sizeIn(document.documentElement.lang, bytes);

const main = document.getElementById('guest')!;
const token = location.hash.slice(1);
let share = '';

const at = (path = ''): string => `/APInoauth/share/${encodeURIComponent(share)}${path}`;

const enter = (more: object): Promise<ShareGuestDocument> => post('/APInoauth/share', { token, ...more });

function draw(title: string, ...children: readonly Child[]): void {
  document.title = title;
  main.replaceChildren(element('h1', { textContent: title }), ...children.filter((child) => child !== undefined));
}

const failure = (error: unknown): void =>
  draw(t('guest.title'), element('p', { textContent: t(error === 404 ? 'guest.gone' : 'guest.failed') }));

const field = (label: Key, name: string, type: string): HTMLElement =>
  element('label', {}, t(label), element('input', { name, type, required: true, maxLength: 1000 }));

function drawForm(needs: readonly string[]): void {
  const wrong = element('p', { className: 'bad', role: 'alert' });
  const form = element(
    'form',
    {},
    needs.includes('name') ? field('guest.name', 'name', 'text') : undefined,
    needs.includes('password') ? field('guest.password', 'password', 'password') : undefined,
    wrong,
    element('button', { textContent: t('guest.open') }),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    wrong.textContent = '';
    enter(Object.fromEntries(new FormData(form))).then(open, (error) => {
      if (error === 403 || error === 429) wrong.textContent = t(error === 403 ? 'guest.wrong' : 'guest.wait');
      else failure(error);
    });
  });
  draw(t('guest.title'), form);
  form.querySelector('input')?.focus();
}

async function open(guest: ShareGuestDocument): Promise<void> {
  if (guest.id === undefined) {
    drawForm(guest.needs ?? []);
    return;
  }
  share = guest.id;
  if (guest.item !== undefined) await drawItem(guest.item, guest);
  else await drawList(guest);
}

const titleOf = ({ title }: SharedItemType): string => title ?? t('guest.untitled');

function tile(item: SharedItemType, guest: ShareGuestDocument): HTMLElement {
  const picture = element('img', { alt: '', loading: 'lazy', src: at(`/item/${item.id}/picture`) });
  picture.addEventListener('error', () => picture.replaceWith(element('i', { className: 'none' })));
  const button = element('button', { className: 'tile' }, picture, element('span', { textContent: titleOf(item) }));
  button.addEventListener('click', () => void drawItem(item.id, guest).catch(failure));
  return element('li', {}, button);
}

async function drawList(guest: ShareGuestDocument): Promise<void> {
  const list = element('ul', { className: 'grid' });
  const more = element('button', { className: 'plain', textContent: t('guest.more') });
  let cursor: string | undefined = '*';
  const load = async (): Promise<void> => {
    const page: SharedItemListDocument = await ask(at(`/item?cursor=${encodeURIComponent(cursor ?? '*')}`));
    list.append(...(page.item ?? []).map((item) => tile(item, guest)));
    cursor = page.nextCursor;
    more.hidden = cursor === undefined;
  };
  more.addEventListener('click', () => void load().catch(failure));
  if (guest.look) await load();
  const nothing =
    guest.look && list.children.length === 0 ? element('p', { className: 'quiet' }, t('guest.nothing')) : undefined;
  const title = guest.title ?? t('guest.title');
  draw(title, guest.upload && dropZone(guest), nothing, guest.look ? list : undefined, guest.look ? more : undefined);
}

async function drawItem(id: string, guest: ShareGuestDocument): Promise<void> {
  const path = at(`/item/${encodeURIComponent(id)}`);
  const item: SharedItemType = await ask(path);
  const shapes = item.shape ?? [];
  const address = (shape: string): string => `${path}/shape/${encodeURIComponent(shape)}`;
  const playing = shapes.find(({ play, mimeType = '' }) => play && /^(?:video|audio|image)\//.test(mimeType));
  const isOne = guest.item !== undefined;
  const back = isOne ? undefined : element('button', { className: 'plain', textContent: t('guest.back') });
  back?.addEventListener('click', () => void drawList(guest).catch(failure));
  const downloads = shapes
    .filter(({ download }) => download)
    .map(({ id: shape, tag = [], bytes = 0 }) => {
      const text = t('guest.download', { tag: tag.join(', '), size: sizeText(bytes) });
      return element('a', { className: 'button', href: address(shape), download: titleOf(item), textContent: text });
    });
  const shown = stage(item, playing, address);
  const media = shown instanceof HTMLMediaElement ? shown : undefined;
  const comments = guest.comment ? commentsBeside(`${path}/annotation`, media) : undefined;
  draw(titleOf(item), shown, element('div', { className: 'row' }, back, ...downloads), comments);
}

function stage(
  item: SharedItemType,
  playing: NonNullable<SharedItemType['shape']>[number] | undefined,
  address: (shape: string) => string,
): HTMLElement {
  const kind = playing?.mimeType?.split('/')[0];
  const poster = at(`/item/${encodeURIComponent(item.id)}/picture`);
  const common = { className: 'stage', ariaLabel: titleOf(item) };
  if (playing && kind === 'video')
    return element('video', { ...common, src: address(playing.id), poster, controls: true, playsInline: true });
  if (playing && kind === 'audio') return element('audio', { ...common, src: address(playing.id), controls: true });
  const picture = element('img', {
    className: 'stage',
    alt: titleOf(item),
    src: playing ? address(playing.id) : poster,
  });
  picture.addEventListener('error', () => picture.remove());
  return picture;
}

function dropZone(guest: ShareGuestDocument): HTMLElement {
  const input = element('input', { type: 'file', multiple: true });
  const state = element('p', { className: 'quiet', role: 'status' });
  const left = element('p', { className: 'quiet' });
  const tell = ({ upload }: ShareGuestDocument): void => {
    left.textContent = t('guest.left', { files: String(upload?.files ?? 0), size: sizeText(upload?.bytes ?? 0) });
  };
  const zone = element('div', { className: 'drop' }, element('label', {}, t('guest.drop'), input), left, state);
  async function send(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const { name } = file;
      state.textContent = t('guest.sending', { name });
      try {
        tell(await ask(at(`/file?filename=${encodeURIComponent(name)}`), { method: 'POST', body: file }));
        state.textContent = t('guest.sent', { name });
      } catch (error) {
        if (error === 404) return failure(error);
        state.textContent = t(error === 507 || error === 413 ? 'guest.full' : 'guest.failed', { name });
      }
    }
  }
  input.addEventListener('change', () => void send([...(input.files ?? [])]));
  for (const name of ['dragover', 'dragleave', 'drop'] as const)
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.toggle('over', name === 'dragover');
      if (name === 'drop') void send([...(event.dataTransfer?.files ?? [])]);
    });
  tell(guest);
  return zone;
}

document.documentElement.lang = isSwedish ? 'sv' : 'en';
enter({}).then(open).catch(failure);
