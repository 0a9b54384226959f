import type { SharedAnnotationListDocument, SharedAnnotationType } from 'portico/types';
import { secondsOf } from '../player/frames.ts';
import { clockText } from '../texts/clock.ts';
import { ask, element, post, t } from './element.ts';

const pageSize = 100;
const longest = 4000;

/** Comments of guests on an item, with the replies below each, and a form. `media`: what plays. */
export function commentsBeside(path: string, media: HTMLMediaElement | undefined): HTMLElement {
  const list = element('ol', { className: 'comments' });
  const more = element('button', { className: 'plain', textContent: t('guest.more'), hidden: true });
  const section = element('section', {}, element('h2', { textContent: t('guest.comments') }), list, more);
  const repliesTo = new Map<string, HTMLElement>();
  const form = formOf(path, media, (written) => {
    add(written);
    count += 1;
  });
  let count = 0;

  function add(comment: SharedAnnotationType): void {
    const node = nodeOf(comment);
    const above = repliesTo.get(comment.parent ?? '');
    if (above) above.append(node);
    else list.append(node);
  }

  function nodeOf(comment: SharedAnnotationType): HTMLElement {
    const { id = '', parent, start, text = '', name = t('guest.service'), created } = comment;
    const seconds = secondsOf(start, Number.NaN);
    const when = Number.isFinite(seconds) ? clockText(Math.floor(seconds)) : undefined;
    const goTo = media && when ? element('button', { className: 'plain small', textContent: when }) : undefined;
    goTo?.addEventListener('click', () => {
      media!.currentTime = seconds;
    });
    const date = created && new Date(created).toLocaleString(document.documentElement.lang);
    const head = element('p', { className: 'quiet' }, goTo, element('strong', { textContent: name }), ` ${date ?? ''}`);
    const node = element('li', {}, head, element('p', { className: 'said', textContent: text }));
    if (parent !== undefined) return node;
    const replies = element('ol', { className: 'comments' });
    const reply = element('button', {
      ...{ className: 'plain small', textContent: t('guest.reply') },
      ariaLabel: t('guest.replyTo', { name }),
    });
    reply.addEventListener('click', () => form.replyTo(id, name));
    repliesTo.set(id, replies);
    node.append(reply, replies);
    return node;
  }

  async function load(): Promise<void> {
    const { hits = 0, annotation = [] } = await ask<SharedAnnotationListDocument>(
      `${path}?first=${count + 1}&number=${pageSize}`,
    );
    annotation.forEach(add);
    count += annotation.length;
    more.hidden = annotation.length === 0 || count >= hits;
  }

  more.addEventListener('click', () => void load().catch(() => undefined));
  // Without comments of guests, the service has none to give.
  load().then(
    () => section.append(form.node),
    () => section.remove(),
  );
  return section;
}

function formOf(path: string, media: HTMLMediaElement | undefined, onWritten: (comment: SharedAnnotationType) => void) {
  const text = element('textarea', { name: 'text', required: true, maxLength: longest, rows: 3 });
  const label = element('span', { textContent: t('guest.comment') });
  const atTime = element('input', { type: 'checkbox', checked: true });
  const moment = element('span');
  const tellMoment = (): void => {
    moment.textContent = t('guest.at', { time: clockText(Math.floor(media?.currentTime ?? 0)) });
  };
  const cancel = element('button', {
    type: 'button',
    className: 'plain',
    textContent: t('guest.cancel'),
    hidden: true,
  });
  const state = element('p', { className: 'bad', role: 'alert' });
  const send = element('button', { textContent: t('guest.send') });
  const time = media && element('label', { className: 'inline' }, atTime, moment);
  const buttons = element('div', { className: 'row' }, send, cancel);
  const node = element('form', {}, element('label', {}, label, text), time, state, buttons);
  let parent: string | undefined;

  function replyTo(id: string | undefined, name = ''): void {
    parent = id;
    label.textContent = id === undefined ? t('guest.comment') : t('guest.replyTo', { name });
    cancel.hidden = id === undefined;
    if (time) time.hidden = id !== undefined;
    text.focus();
  }

  tellMoment();
  for (const name of ['timeupdate', 'seeked']) media?.addEventListener(name, tellMoment);
  cancel.addEventListener('click', () => replyTo(undefined));
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    state.textContent = '';
    send.disabled = true;
    const start = media && atTime.checked && parent === undefined ? { start: media.currentTime.toFixed(3) } : {};
    post<SharedAnnotationType>(path, { text: text.value, ...(parent !== undefined && { parent }), ...start })
      .then(
        (written) => {
          onWritten(written);
          text.value = '';
          replyTo(undefined);
        },
        (error) => {
          state.textContent = t(error === 507 ? 'guest.enough' : error === 404 ? 'guest.gone' : 'guest.failed');
        },
      )
      .finally(() => {
        send.disabled = false;
      });
  });
  return { node, replyTo };
}
