import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

type Handler = (event: KeyboardEvent) => void;
export type Keys = Readonly<Record<string, Handler>>;

interface Layer {
  readonly current: { readonly keys: Keys; readonly descriptions: Readonly<Record<string, string>> };
  /** Whether the layers below it rest. */
  readonly isDialog?: boolean;
}

const layers = signal<readonly Layer[]>([]);
/** First key of a sequence, such as `g`: the next key goes to a page, and does nothing else. */
let prefix: { readonly key: string; readonly at: number } | undefined;
const soon = 1200;

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Control that a pointer has pressed last: it has the focus, and who points does not mean it by a key. */
let pointed: EventTarget | null = null;
addEventListener(
  'pointerdown',
  ({ target }) => {
    pointed = (target as Element).closest('button, summary');
  },
  { capture: true },
);

/** Whether the key presses what has the focus. */
const presses = (name: string, target: EventTarget | null): boolean =>
  name === 'Space' && target instanceof HTMLElement && target.matches('button, summary') && target !== pointed;

/** Where letters count. Elsewhere who types does not know of them. */
let letterPlace = '*';

/** Letters count where the focus is in an element that fits, and nowhere else. */
export function keepLetters(place: string): void {
  letterPlace = place;
}

/** `Ctrl+Enter`, `Shift+ArrowDown`, `j`, `?`. A command key counts as Ctrl. */
function nameOf(event: KeyboardEvent): string {
  const marks = [event.ctrlKey || event.metaKey ? 'Ctrl+' : '', event.altKey ? 'Alt+' : ''];
  if (event.shiftKey && event.key.length > 1) marks.push('Shift+');
  return marks.join('') + (event.key === ' ' ? 'Space' : event.key);
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  if (isWriting(event.target) && !/^(?:Ctrl|Alt)\+(?!a$)|^Escape$|^Shift\+Page/.test(name)) return;
  if (presses(name, event.target) || (/^\p{L}$/u.test(name) && !(event.target as Element).closest(letterPlace))) return;
  const open = layers.value.slice(layers.value.findLastIndex(({ isDialog }) => isDialog) + 1);
  const sequence = prefix && event.timeStamp - prefix.at < soon ? `${prefix.key} ${name}` : name;
  prefix = undefined;
  const handler = open.toReversed().find(({ current }) => current.keys[sequence])?.current.keys[sequence];
  if (handler) {
    event.preventDefault();
    handler(event);
    return;
  }
  const begins = open.some(({ current }) => Object.keys(current.keys).some((key) => key.startsWith(`${name} `)));
  if (begins) prefix = { key: name, at: event.timeStamp };
});

function useLayer(layer: Layer, useBegin: typeof useEffect): void {
  useBegin(() => {
    layers.value = [...layers.value, layer];
    return () => {
      layers.value = layers.value.filter((each) => each !== layer);
    };
  }, []);
}

/** Lets only keys of components within a dialog count while it is open. */
export function useDialogKeys(): void {
  const layer = useRef<Layer>({ current: { keys: {}, descriptions: {} }, isDialog: true }).current;
  // Effects of layout come before the other effects of what is within.
  useLayer(layer, useLayoutEffect);
}

/**
 * Keys of a component while it is shown. They do not count in fields, unless with Ctrl or Alt, or Page Up and Page Down
 * with Shift. Ctrl+A chooses the text of a field. `descriptions`: what each does, for the list that `?` opens.
 */
export function useKeys(keys: Keys, descriptions: Readonly<Record<string, string>> = {}): void {
  const layer = useRef<{ current: Layer['current'] }>({ current: { keys, descriptions } }).current;
  layer.current = { keys, descriptions };
  useLayer(layer, useEffect);
}

/** Keys that the shown components name, with their words. */
export const shownKeys = (): readonly (readonly [key: string, description: string])[] =>
  layers.value.flatMap(({ current }) => Object.entries(current.descriptions));
