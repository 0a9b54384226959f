/** The style sheet of what is loaded late, as the build writes it into the page. What needs it is shown when it is there. */
const address = document.documentElement.dataset['styles'];
if (address !== undefined)
  await new Promise<void>((done) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => done();
    // Without its styles a page can still be read.
    link.onerror = () => done();
    document.head.append(link);
  });

export {};
