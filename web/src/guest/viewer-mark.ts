import { effect, type ReadonlySignal } from '@preact/signals';
import type { GuestMarkType } from 'portico/types';

/** Parts of the page that show pictures and films, also on the whole screen. */
const places = '.stage, .large, .tile .picture, .preview, .player:has(> .pdf)';
/** Enough for a screen of 4K. */
const repeated = 320;

function markFor(place: Element, { text, place: where, strength }: GuestMarkType): HTMLElement {
  const own = document.createElement('div');
  own.ariaHidden = 'true';
  // Isolated: the direction of a name leaves the number where it is.
  const line = `\u2068${text.replaceAll(' ', '\u00a0')}\u2069`;
  own.textContent = where === 'tiles' ? Array(repeated).fill(line).join(' \u2003 ') : line;
  const isSmall = place.matches('.picture, .preview');
  const style = {
    all: 'initial',
    position: place.matches('.large') ? 'fixed' : 'absolute',
    inset: '0',
    'z-index': '1',
    display: 'grid',
    overflow: 'hidden',
    'align-content': where === 'bottom' ? 'end' : where === 'middle' ? 'center' : 'start',
    'text-align': 'center',
    'overflow-wrap': 'anywhere',
    font: `600 ${isSmall ? '9px' : 'clamp(12px, 2.4vmin, 24px)'}/${where === 'tiles' ? 4 : 1.3} sans-serif`,
    color: '#fff',
    'text-shadow': '0 0 2px #000, 1px 1px 1px #000',
    opacity: `${strength}%`,
    'pointer-events': 'none',
  };
  for (const [name, value] of Object.entries(style)) own.style.setProperty(name, value, 'important');
  return own;
}

/**
 * Lays the mark of a share over what the guest sees, and puts it back where it is taken away. This is no protection: who
 * knows the tools of a browser gets around it. Gives the function that ends it.
 */
export function keepMark(mark: ReadonlySignal<GuestMarkType | undefined>): () => void {
  const marks = new Map<Element, readonly [own: HTMLElement, copy: HTMLElement]>();
  const put = () => {
    const now = mark.peek();
    for (const [place, [own]] of marks) {
      if (now && !now.burn && place.isConnected) continue;
      own.remove();
      marks.delete(place);
    }
    if (!now || now.burn) return;
    for (const place of document.querySelectorAll(places)) {
      const [own, copy] = marks.get(place) ?? [];
      if (own && own.parentNode === place && own.isEqualNode(copy!)) continue;
      own?.remove();
      const next = markFor(place, now);
      marks.set(place, [next, next.cloneNode(true) as HTMLElement]);
      place.append(next);
    }
  };
  const observer = new MutationObserver(put);
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['style', 'class'],
  });
  const end = effect(() => {
    for (const [own] of marks.values()) own.remove();
    marks.clear();
    if (mark.value) put();
  });
  return () => {
    observer.disconnect();
    end();
    for (const [own] of marks.values()) own.remove();
  };
}
