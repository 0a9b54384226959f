import { render } from 'preact';
import { loadMe, takeLink } from './api/session.ts';
import { loadLook } from './look.ts';
import { pages } from './pages.ts';
import { loadAhead } from './router.tsx';
import { App } from './shell/shell.tsx';

const root = document.getElementById('page')!;

loadAhead(pages);
// Nothing is drawn before it is known who asks: the login would flash.
takeLink()
  .then(loadMe)
  .then((session) => {
    if (session) loadLook().catch(() => undefined);
  })
  .catch(() => undefined)
  .finally(() => {
    // The brand of index.html: rendering would leave it there.
    root.replaceChildren();
    render(<App />, root);
  });
