import { expect, it } from 'vitest';
import { testClock } from '../../support/clock.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { group, openProvider, type Provider, patch, type Read, user } from './support.ts';

const filtered = (kind: 'Users' | 'Groups', filter: string, more = '') =>
  `GET /${kind}?filter=${encodeURIComponent(filter)}${more}`;

const namesIn = ({ json }: Read): string[] =>
  json.Resources.map(({ userName, displayName }: Read) => userName ?? displayName);

/** All pages of a list, by their cursors. */
async function pagesOf({ ask }: Provider, list: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const told: Read = await ask(`GET ${list}&cursor=${cursor}`);
    expect([told.status, told.json.startIndex]).toEqual([200, undefined]);
    expect(told.json.itemsPerPage).toBe(told.json.Resources.length);
    pages.push(namesIn(told));
    cursor = told.json.nextCursor;
  }
  return pages;
}

describeMatrix('lists of a provider', ({ open }) => {
  it('go on by cursors, in both orders and directions, also while users come and go', async () => {
    const at = await openProvider(open, { clock: testClock() });
    for (const name of ['u1', 'u2', 'u3']) {
      await at.world.clock.advance(1000);
      await at.ask('POST /Users', user(name));
    }
    expect(await pagesOf(at, '/Users?count=2')).toEqual([['admin', 'provider'], ['u1', 'u2'], ['u3']]);
    expect(await pagesOf(at, '/Users?count=2&sortBy=userName&sortOrder=descending')).toEqual([
      ['u3', 'u2'],
      ['u1', 'provider'],
      ['admin'],
    ]);
    expect(await pagesOf(at, '/Users?count=2&sortBy=meta.lastModified&sortOrder=descending')).toEqual([
      ['u3', 'u2'],
      ['u1', expect.any(String)],
      [expect.any(String)],
    ]);
    const first = await at.ask('GET /Users?count=3&cursor=');
    expect(first.json.totalResults).toBe(5);
    const { id } = first.json.Resources[1];
    expect(namesIn(await at.ask(`GET /Users?count=3&cursor=${first.json.nextCursor}`))).toEqual(['u2', 'u3']);
    await prepare(at.world, [{ as: admin, request: 'DELETE /API/user/u1' }]);
    expect(namesIn(await at.ask(`GET /Users?count=3&cursor=${first.json.nextCursor}`))).toEqual(['u2', 'u3']);
    expect(id).not.toBe('');
  });

  it('tell what has changed since a time, and in which order', async () => {
    const at = await openProvider(open, { clock: testClock() });
    const { ask, world } = at;
    const [ann, bob] = [await ask('POST /Users', user('ann')), await ask('POST /Users', user('bob'))];
    const crew = await ask('POST /Groups', group('crew'));
    expect(ann.json.meta.lastModified).toBe(ann.json.meta.created);
    await world.clock.advance(60_000);
    const since = new Date(world.clock.now() - 1).toISOString();
    const changed = async (kind: 'Users' | 'Groups', by = 'gt', time = since, more = '') =>
      namesIn(await ask(filtered(kind, `meta.lastModified ${by} "${time}"`, more)));
    expect([await changed('Users'), await changed('Groups')]).toEqual([[], []]);

    await ask(`PATCH /Users/${bob.json.id}`, patch({ op: 'replace', path: 'title', value: 'x' }));
    await world.clock.advance(1000);
    await prepare(world, [
      { as: admin, request: 'PUT /API/user/ann/realname', body: 'Ann', headers: { 'content-type': 'text/plain' } },
    ]);
    await ask(`PATCH /Groups/${crew.json.id}`, patch({ op: 'add', path: 'externalId', value: 'e' }));
    expect(await changed('Users')).toEqual(['bob', 'ann']);
    expect(await changed('Users', 'ge', since, '&sortBy=meta.lastModified&sortOrder=descending')).toEqual([
      'ann',
      'bob',
    ]);
    expect(await changed('Groups')).toEqual(['crew']);
    const told = await ask(`GET /Users/${bob.json.id}`);
    const { lastModified, created } = told.json.meta;
    expect(Date.parse(lastModified)).toBe(Date.parse(created) + 60_000);
    expect(await changed('Users', 'gt', lastModified)).toEqual(['ann']);
    expect(await changed('Users', 'lt', since)).not.toContain('ann');
    const both = `meta.lastModified ge "${lastModified}" and meta.lastModified le "${lastModified}"`;
    expect((await ask(filtered('Users', both))).json).toMatchObject({
      totalResults: 1,
      Resources: [{ userName: 'bob' }],
    });
    const page = await ask(filtered('Users', `meta.lastModified gt "${since}"`, '&count=1&cursor='));
    expect([page.json.totalResults, namesIn(page)]).toEqual([2, ['bob']]);
    expect(
      namesIn(
        await ask(filtered('Users', `meta.lastModified gt "${since}"`, `&count=1&cursor=${page.json.nextCursor}`)),
      ),
    ).toEqual(['ann']);
    const exact = `userName eq "bob" and meta.lastModified gt "${since}"`;
    expect(namesIn(await ask(filtered('Users', exact)))).toEqual(['bob']);
    for (const filter of [
      'meta.lastModified gt "yesterday"',
      `meta.lastModified gt "${since}" and title pr`,
      'groups pr',
    ])
      expect([filter, (await ask(filtered('Users', filter))).json.scimType]).toEqual([filter, 'invalidFilter']);
  });

  it('refuse what is no cursor of theirs, and positions that are none', async () => {
    const { ask } = await openProvider(open);
    const { nextCursor } = (await ask('GET /Users?count=1&cursor=')).json;
    for (const query of [
      'cursor=x',
      'cursor=bnVsbA',
      `cursor=${'A'.repeat(3000)}`,
      `cursor=${nextCursor}&sortOrder=descending`,
      `cursor=${nextCursor}&sortBy=meta.lastModified`,
      `cursor=${nextCursor}&startIndex=1`,
    ]) {
      const { status, json } = await ask(`GET /Users?${query}`);
      expect([query, status, json.scimType]).toEqual([query, 400, 'invalidCursor']);
    }
    expect((await ask('GET /Users?startIndex=0&count=-1')).json).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    expect((await ask('GET /Users?startIndex=999999999')).json).toMatchObject({ totalResults: 2, Resources: [] });
    for (const query of ['startIndex=x', 'count=1.5', 'sortBy=title', 'sortOrder=sideways'])
      expect([query, (await ask(`GET /Users?${query}`)).status]).toEqual([query, 400]);
    const config = (await ask('GET /ServiceProviderConfig')).json;
    expect(config).toMatchObject({
      sort: { supported: true },
      pagination: { cursor: true, index: true, maxPageSize: 100 },
    });
  });
});
