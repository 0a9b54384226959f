const loaded = new Map<string, Promise<void>>();

/** Adds a style sheet of a page that is loaded on demand. The page is shown when its styles are there. */
export function style(address: string): Promise<void> {
  let ready = loaded.get(address);
  if (!ready) {
    ready = new Promise((done) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = address;
      link.onload = () => done();
      // Without its styles a page can still be read.
      link.onerror = () => done();
      document.head.append(link);
    });
    loaded.set(address, ready);
  }
  return ready;
}
