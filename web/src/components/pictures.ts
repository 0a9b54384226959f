/** A tile that scrolls by within this time asks for no picture. */
const restMs = 40;
/** Without a scroll for this time, a page rests. */
const stillMs = 100;
/** Pictures that are asked for at once while something scrolls: those that wait can still be overtaken. */
const atOnce = 6;
/** Pictures that are wanted within this time come in their order. */
const togetherMs = 30;

interface Wanted {
  readonly at: number;
  readonly start: () => void;
}

let movedAt = Number.NEGATIVE_INFINITY;
let running = 0;
let look: ReturnType<typeof setTimeout> | undefined;
const waiting = new Set<Wanted>();

const isMoving = (): boolean => performance.now() - movedAt < stillMs;

document.addEventListener(
  'scroll',
  () => {
    movedAt = performance.now();
  },
  { capture: true, passive: true },
);

/** While something scrolls, the newest go first: older ones are gone before their pictures come. */
function next(): void {
  while (waiting.size > 0 && (running < atOnce || !isMoving())) {
    const all = [...waiting];
    const newest = all.at(-1)!.at;
    const first = isMoving() ? all.find(({ at }) => newest - at < togetherMs)! : all[0]!;
    waiting.delete(first);
    first.start();
  }
  clearTimeout(look);
  if (waiting.size > 0) look = setTimeout(next, stillMs);
}

/** Loads a picture into its element, unless the function that it gives is called before. */
export function askForPicture(image: HTMLImageElement, path: string): () => void {
  let isRunning = false;
  const end = () => {
    if (!isRunning) return;
    isRunning = false;
    running -= 1;
    // The other tiles of a row that leaves go first.
    queueMicrotask(next);
  };
  const wanted = {
    at: performance.now() + restMs,
    start() {
      isRunning = true;
      running += 1;
      image.src = path;
    },
  };
  const timer = setTimeout(() => {
    waiting.add(wanted);
    next();
  }, restMs);
  const events = ['load', 'error'];
  for (const name of events) image.addEventListener(name, end);
  return () => {
    clearTimeout(timer);
    waiting.delete(wanted);
    for (const name of events) image.removeEventListener(name, end);
    image.removeAttribute('src');
    end();
  };
}
