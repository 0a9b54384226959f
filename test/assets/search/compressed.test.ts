import { expect, it } from 'vitest';
import { item } from '../../support/assets.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';

it('an answer to a search by PUT is sent as gzip, also with metadata, facets and a cursor', async () => {
  const world = await openWorld('fetch');
  for (let number = 0; number < 40; number++) await send(world, item({ title: `harbour ${number}` }));
  const headers = { ...json, 'accept-encoding': 'gzip, deflate, br' };
  const target = '/API/item?content=metadata,thumbnail&terse=true&noauth-url=true&number=40&cursor=*&count=true';
  const search = { text: [{ value: 'harbour' }], facet: [{ field: 'title', count: true }] };
  for (const request of [`PUT ${target}`, 'PUT /API/item?content=metadata', 'PUT /API/search?content=metadata']) {
    const [plain, packed] = [await world.send(by(request, search)), await world.send(by(request, search, headers))];
    expect([packed.status, packed.headers.get('content-encoding')], request).toEqual([200, 'gzip']);
    expect(plain.headers.get('content-encoding'), request).toBeNull();
    expect(plain.body.length, request).toBeGreaterThan(3000);
  }
});
