/** The style sheets of what is loaded late, as the build writes them into the page. What needs them is shown when they are there. */
const addresses = document.documentElement.dataset['styles']?.split(' ') ?? [];
await Promise.all(
  addresses.map(
    (href) =>
      new Promise((done) => {
        // Without its styles a page can still be read.
        const link = { rel: 'stylesheet', href, onload: done, onerror: done };
        document.head.append(Object.assign(document.createElement('link'), link));
      }),
  ),
);

export {};
