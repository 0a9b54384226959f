const longestMs = 10_000;

let end: () => void;

/** Resolves when the first picture is there, or none comes: what the first view does not need is asked for after it. */
export const firstView = new Promise<void>((done) => {
  end = done;
  setTimeout(done, longestMs);
});

export const viewed = (): void => end();
