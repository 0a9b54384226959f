import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attack, grid, hits, itSearches, openGrid, seedLibrary, title } from '../first-flows.ts';
import {
  bringAxe,
  type ClosableSite,
  hasBrowser,
  type Kind,
  metadataOf,
  type OpenOptions,
  openSite,
  violationsInBothSchemes,
} from '../support.ts';

let site: ClosableSite;

const open = (as: Kind, at?: string, options?: OpenOptions) => openGrid(site, as, at, options);

describe.runIf(hasBrowser)('the library', () => {
  beforeAll(async () => {
    site = await openSite();
    await seedLibrary(site);
    // A thousand items take time on a busy machine.
  }, 600_000);
  afterAll(() => site.close());

  itSearches(() => site);

  // `npm run bench -- node page` measures how long this holds the loop.
  it('draws few nodes while 30,000 pixels are scrolled', async () => {
    const page = await open('administrator');
    const max = await grid(page).evaluate(async (element) => {
      let nodes = 0;
      for (let top = 0; top < 30_000; top += 120) {
        element.scrollTop = top;
        await new Promise(requestAnimationFrame);
        nodes = Math.max(nodes, element.querySelectorAll('*').length);
      }
      return nodes;
    });
    expect(max).toBeGreaterThan(100);
    expect(max).toBeLessThan(500);
  });

  it('chooses all that a search finds, and sends the search instead of the items', async () => {
    const page = await open('administrator', '/?f=film_genre:Drama');
    await grid(page).focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 333' }).click();
    // More than one address takes cannot come back.
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.postData() ?? '');
    });
    await page.keyboard.press('c');
    await page.fill('dialog input', 'All drama');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => hits(page).textContent()).toBe('333 items');
    expect(sent.filter((body) => (body.match(/VX-\d+/g) ?? []).length > 1)).toEqual([]);
  });

  it('chooses all by Ctrl+A, and ranges over items that are not read yet, and leaves fields and dialogs alone', async () => {
    const page = await open('administrator');
    const chosen = page.getByRole('toolbar', { name: /^Actions for/ }).getByRole('status');
    await page.fill('#search', '');
    await page.press('#search', 'Control+a');
    expect(await chosen.count()).toBe(0);
    await page.locator('#entry-1').hover();
    await page.locator('#entry-1 .tick').click();
    await grid(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator('#entry-996 .tile').click({ modifiers: ['Shift'] });
    await expect.poll(() => chosen.textContent()).toBe('996 selected');
    await page.keyboard.press('Control+a');
    await expect.poll(() => chosen.textContent()).toBe('1,000 selected');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    for (const key of ['Control+a', 'e']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.selection').getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => chosen.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('entry-996');
  });

  it('is open at its end while nobody has counted it, grows to its end, and is counted where all are chosen', async () => {
    const page = await site.open({ as: 'administrator' });
    // Ten thousand items would take minutes to make.
    await page.route(/\/API\/item\?/, async (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const response = await route.fetch();
      const answer = await response.json();
      if (asked.get('count') === 'bounded') Object.assign(answer, { hits: 150, moreHits: true });
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${new URL(page.url()).origin}/ui/?f=film_genre:Drama`);
    await expect.poll(() => hits(page).textContent()).toBe('more than 150 items');
    await grid(page).focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all', exact: true }).click();
    await page.locator('.selection').getByText('333 selected').waitFor();
    await expect.poll(() => hits(page).textContent()).toBe('333 items');
    await page.reload();
    await expect.poll(() => hits(page).textContent()).toBe('more than 150 items');
    await grid(page).focus();
    for (let end = 0; end < 8 && (await hits(page).textContent()) !== '333 items'; end += 1) {
      await page.keyboard.press('End');
      await page.waitForTimeout(500);
    }
    expect(await hits(page).textContent()).toBe('333 items');
  });

  it('makes a collection, adds to it by dragging and by a key, orders it, and takes out of it', async () => {
    const other = await site.api<{ readonly id: string }>('POST', '/collection?name=Other%20hand');
    const { item } = await site.api<{ readonly item: readonly { readonly id: string }[] }>('PUT', '/item?number=2', {});
    for (const { id } of item) await site.api('PUT', `/collection/${other.id}/${id}`);
    const page = await site.open({ as: 'administrator', at: '/collections' });
    await page.getByRole('button', { name: 'New collection', exact: true }).click();
    await page.fill('dialog input', 'By hand');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.pathname.startsWith('/ui/collection/VX-'));
    const address = new URL(page.url()).pathname.slice(3);

    const library = await open('administrator', '/?sort=title&q=0020');
    await grid(library).focus();
    await library.keyboard.press('c');
    await library.getByRole('radio', { name: /By hand/ }).check();
    await library.getByRole('button', { name: 'Add', exact: true }).click();
    await library.getByText('1 item added to “By hand”.').waitFor();

    await page.goto(`${site.address}/ui${address}`);
    await page.waitForSelector('[role=grid] .title');
    await expect.poll(() => hits(page).textContent()).toBe('1 item');

    // From a collection that has items to this one.
    await page.getByRole('treeitem', { name: 'Other hand' }).click();
    await expect.poll(() => hits(page).textContent()).toBe('2 items');
    await page.locator('#entry-1').dragTo(page.getByRole('treeitem', { name: 'By hand' }));
    await page.getByText('1 item added to “By hand”.').waitFor();
    await page.getByRole('treeitem', { name: 'By hand' }).click();
    await expect.poll(() => hits(page).textContent()).toBe('2 items');

    const first = await title(page, 0).textContent();
    await grid(page).focus();
    await page.keyboard.press('>');
    await expect.poll(() => title(page, 1).textContent()).toBe(first);
    const second = await title(page, 0).textContent();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Take out of the collection' }).click();
    await expect.poll(() => hits(page).textContent()).toBe('1 item');
    const notice = page.locator('.toast');
    await notice.getByText('1 item taken out of the collection.').waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => hits(page).textContent()).toBe('2 items');
    await expect.poll(() => title(page, 1).textContent()).toBe(second);
    // Items that the other collection had before stay in it.
    await title(page, 1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to' }).click();
    await page.getByRole('radio', { name: /Other hand/ }).check();
    await page.getByRole('button', { name: 'Move to', exact: true }).click();
    await notice.getByText('1 item moved to “Other hand”.').waitFor();
    await expect.poll(() => hits(page).textContent()).toBe('1 item');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => hits(page).textContent()).toBe('2 items');
    const rest = await site.api<{ readonly item: readonly unknown[] }>('GET', `/collection/${other.id}/item`);
    expect(rest.item).toHaveLength(2);
    await title(page, 0).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to' }).click();
    await page.getByRole('radio', { name: /Other hand/ }).check();
    await page.getByRole('button', { name: 'Move to', exact: true }).click();
    await expect.poll(() => hits(page).textContent()).toBe('1 item');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForFunction(() => location.pathname === '/ui/collections');
  });

  it('adds by Enter to the one collection that matches, by arrows to another, and makes one by its own row', async () => {
    for (const name of ['Lone wharf', 'Twin pier', 'Twin pier two'])
      await site.api('POST', `/collection?name=${encodeURIComponent(name)}`);
    const page = await open('administrator', '/?sort=title&q=0021');
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox');
    const type = async (text: string) => {
      await grid(page).focus();
      await page.keyboard.press('c');
      await name.fill(text);
    };
    await type('lone');
    await dialog.getByRole('radio', { name: 'Lone wharf', checked: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 item added to “Lone wharf”.').waitFor();
    await type('twin');
    await dialog.getByRole('radio', { name: 'New collection “twin”' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await name.press('ArrowDown');
    await name.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('1 item added to “Twin pier two”.').waitFor();
    await type('twin');
    await dialog.getByRole('radio', { name: 'Twin pier two' }).waitFor();
    await name.press('ArrowUp');
    await dialog.getByRole('radio', { name: 'New collection “twin”', checked: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 item added to “twin”.').waitFor();
    await type('Twin pier');
    await dialog.getByRole('radio', { name: 'Twin pier', exact: true, checked: true }).waitFor();
    await page.keyboard.press('Escape');
    // Enter before the collections are there waits for them.
    const asked = new Promise<() => void>((resolve) => {
      void page.route('**/API/collection?*', (route) => resolve(() => void route.continue()), { times: 1 });
    });
    await type('lone');
    const answer = await asked;
    await page.keyboard.press('Enter');
    await dialog.getByText('Working …').waitFor();
    answer();
    await page.getByText('1 item added to “Lone wharf”.').waitFor();
  });

  it('says that chosen items have no file to download', async () => {
    const page = await open('administrator', '/?sort=title');
    await grid(page).focus();
    for (const key of ['x', 'ArrowRight', 'x']) await page.keyboard.press(key);
    await page.getByRole('toolbar').getByRole('button', { name: 'Download as ZIP' }).click();
    await page.getByText('There is no file to download here.').waitFor();
  });

  it('goes by a key from a tile to the first field of its form', async () => {
    const page = await open('administrator', '/?sort=title');
    await grid(page).focus();
    await page.keyboard.press('e');
    await page.waitForFunction(() => document.activeElement?.matches('.form .input'));
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).not.toMatch(/^e|e$/);
    expect(new URL(page.url()).search).toBe('?tab=metadata');
  });

  it('keeps a search, which goes on finding', async () => {
    const page = await open('administrator', '/?q=night');
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.fill('dialog input', 'Nights');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => page.locator('h1').textContent()).toContain('Nights');
    await expect.poll(() => hits(page).textContent()).toBe('20 items');
  });

  it('tells of new items without moving the grid, and draws changed ones again', async () => {
    const page = await open('administrator');
    const changed = await title(page, 1).textContent();
    const { item } = await site.api<{ readonly item: readonly { readonly id: string }[] }>('PUT', '/item?number=2', {});
    // Not the stream of the page before: what is changed then would be told to nobody.
    const stream = page.waitForEvent('framenavigated').then(() => page.waitForResponse(/API\/event/));
    await page.reload();
    await stream;
    await page.waitForSelector('[role=grid] .title');
    await site.api('PUT', `/item/${item[1]!.id}/metadata`, metadataOf({ title: 'Another title' }));
    await expect.poll(() => title(page, 1).textContent()).toBe('Another title');
    const { id } = await site.api<{ readonly id: string }>(
      'POST',
      '/import/placeholder',
      metadataOf({ title: 'Newest' }),
    );
    await page.getByRole('button', { name: '1 new: Show' }).waitFor();
    expect(await title(page, 1).textContent()).toBe('Another title');
    await page.getByRole('button', { name: '1 new: Show' }).click();
    await expect.poll(() => title(page, 0).textContent()).toBe('Newest');
    await site.api('DELETE', `/item/${id}`);
    await site.api('PUT', `/item/${item[1]!.id}/metadata`, metadataOf({ title: changed! }));
  });

  it('shows markup in a title as text', async () => {
    const page = await open('administrator', '/?q=onerror');
    expect(await title(page, 0).textContent()).toBe(attack);
    await grid(page).focus();
    await page.keyboard.press('i');
    await expect.poll(() => page.locator('.panel h2').textContent()).toBe(attack);
    expect(await page.locator('.results img[src="x"], .panel img[src="x"]').count()).toBe(0);
  });

  it.each([
    ['ltr', 'rtl', 'Harbour at night seen from the long northern pier of the old town'],
    ['rtl', 'ltr', 'הנמל בלילה כפי שהוא נראה מן הרציף הצפוני הארוך של העיר העתיקה'],
  ])('cuts a title written %s at its end, in a page that is read %s', async (reads, dir, long) => {
    const word = `cut-${reads}`;
    await site.api('POST', '/import/placeholder', metadataOf({ title: long, film_director: word }));
    const page = await open('administrator', `/?f=film_director:${word}`);
    await page.evaluate((to) => {
      document.documentElement.dir = to;
    }, dir);
    for (const view of ['tiles', 'table']) {
      if (view === 'table') await page.getByRole('radio', { name: 'Table' }).check();
      const shown = page.locator(view === 'table' ? '.virtual.table #entry-0 .title' : '#entry-0 .title');
      await shown.waitFor();
      const first = await shown.evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!;
        const range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, 1);
        const [box, letter] = [element.getBoundingClientRect(), range.getBoundingClientRect()];
        return {
          isCut: element.scrollWidth > element.clientWidth,
          isIn: letter.left >= box.left && letter.right <= box.right,
        };
      });
      expect([view, first]).toEqual([view, { isCut: true, isIn: true }]);
    }
    await site.api('DELETE', '/user/admin/metadata/portico.ui.library').catch(() => undefined);
  });

  it('shows a viewer nothing that is refused', async () => {
    const page = await site.open({ as: 'viewer' });
    await page.waitForSelector('.library .nothing, .library [role=grid]');
    expect(await page.getByRole('button', { name: /Delete|Add to|Save search/ }).count()).toBe(0);
    expect(page.refused).toEqual([]);
  });

  it.each([
    ['tiles', '/', ''],
    ['chips and marks', '/?q=night&f=film_genre:Drama&r=film_year:1970..', ''],
    ['a chosen item', '/', 'panel'],
    ['a table', '/', 'table'],
    ['a dialog', '/', 'dialog'],
    ['nothing found', '/?q=zzzz', ''],
    ['collections', '/collections', ''],
    ['a collection that is not there', '/collection/VX-999', ''],
    ['selected items', '/', 'selection'],
  ])('axe finds nothing in %s', async (_name, at, then) => {
    const page = await site.open({ as: 'administrator', at });
    await page.waitForSelector('[role=grid] .title, .empty, .note, .tree, .saved-list');
    if (then === 'panel') await grid(page).press('i');
    if (then === 'panel') await page.locator('.panel dl').waitFor();
    const savedView =
      then === 'table' &&
      page.waitForResponse((each) => each.request().method() === 'PUT' && each.url().endsWith('/user/admin/metadata'));
    if (then === 'table') await page.getByRole('radio', { name: 'Table' }).check();
    if (then === 'table') await page.locator('.virtual.table .title').first().waitFor();
    if (then === 'dialog') await grid(page).press('c');
    if (then === 'selection') await grid(page).press('x');
    if (then === 'selection') await page.locator('.selection').waitFor();
    await bringAxe(page);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    // The choice of a table is kept for the person.
    await savedView;
    if (then === 'table') await site.api('DELETE', '/user/admin/metadata/portico.ui.library').catch(() => undefined);
  });
});
