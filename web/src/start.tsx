import { render } from 'preact';
import { offline, Refusal } from './api/client.ts';
import { loadMe, takeLink, wasIn } from './api/session.ts';
import { loadLook } from './look.ts';
import { askAhead } from './pages/library/results.ts';
import { pages } from './pages.ts';
import { loadAhead, navigate, path } from './router.tsx';
import { App, AwayNotice } from './shell/shell.tsx';

// Small parts of several pages: files of their own would weigh more.
import './components/table.tsx';
import './pages/item/news.ts';
import './pages/upload/files.ts';

const root = document.getElementById('page')!;

if (path.peek() === '/' && wasIn()) askAhead();
loadAhead(pages);
begin();

async function begin(): Promise<void> {
  // In the address, so that a reload asks again for the password.
  if (await takeLink().catch(() => false)) navigate('/first?step=password', { replace: true });
  const session = await whoAsks().catch(() => undefined);
  if (session) loadLook().catch(() => undefined);
  // The brand of index.html: rendering would leave it there.
  root.replaceChildren();
  render(<App />, root);
}

/** Nothing is drawn before it is known who asks: the login would flash. A service without its data is waited for. */
async function whoAsks(): ReturnType<typeof loadMe> {
  for (;;) {
    try {
      return await loadMe();
    } catch (error) {
      if (!(error instanceof Refusal && error.isAway)) throw error;
      root.replaceChildren();
      render(<AwayNotice />, root);
      await untilBack();
      render(null, root);
    }
  }
}

const untilBack = (): Promise<void> =>
  new Promise((done) => {
    const end = offline.subscribe((what) => {
      if (what) return;
      // The first call comes before the subscription is there to end.
      queueMicrotask(() => end());
      done();
    });
  });
