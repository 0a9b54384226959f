import { describe, expect, it } from 'vitest';
import { createVault } from '../../src/core/lib/vault.ts';
import { methodPurpose } from '../../src/storage/drivers.ts';
import type { World } from '../support/matrix.ts';
import { testRandom } from '../support/random.ts';
import { by, jsonOf, plain, send } from '../support/requests.ts';
import { testSecretKey } from '../support/service.ts';
import { newStorage, openStorages } from '../support/storages.ts';

const secret = 'cAnArY-9c1d';
const address = `ftp://keyname:${secret}@host/in/`;
const masked = 'ftp://***@host/in/';

async function row(world: World, id = 'VX-1') {
  const [found] = await world.service.store.read('SELECT uri, user_name, sealed FROM storage_method WHERE id = ?', [
    id,
  ]);
  const [uri, user, sealed] = found ?? [];
  const vault = createVault(testSecretKey, testRandom());
  const opened = typeof sealed === 'string' ? await vault.open(sealed, methodPurpose(id)) : sealed;
  return { uri, user, secret: opened };
}

describe('names and passwords of addresses', () => {
  it('are split off, sealed, and shown to nobody', async () => {
    const world = await openStorages();
    const answers = [
      await send(world, newStorage({ method: [{ uri: address }] })),
      await send(world, by('GET /API/storage/VX-1')),
      await send(world, by('GET /API/storage')),
      await send(world, by('GET /API/storage/VX-1/method')),
      await send(world, by(`PUT /API/storage/VX-1/method?url=${encodeURIComponent(address)}`, undefined, plain)),
      await send(world, by('PUT /API/storage/VX-1', { method: [{ uri: address }] })),
    ];
    for (const { body } of answers) {
      expect(body).toContain(masked);
      expect(body).not.toContain(secret);
      expect(body).not.toContain('keyname');
    }
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: 'keyname', secret });
  });

  it('are in no log, no audit row, no event and no refusal', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'memory:///in/' }] }));
    const encoded = encodeURIComponent(address);
    const asked = [
      by(`PUT /API/storage/VX-1/method?url=${address}`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=${encoded}`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=${encodeURIComponent(encoded)}`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=nonsense://k:${secret}@host/`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=ftp://k:a/${secret}@host/`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=ftp:k:${secret}@host/`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=http:/k:${secret}@host/`, undefined, plain),
      by(`PUT /API/storage/VX-1/method?url=ftp://k:${secret}@host:x/`, undefined, plain),
      by(`PUT /API/storage/VX-9/method?url=${address}`, undefined, plain),
      by(`PUT /API/storage/VX-1/method/x?url=${address}`, undefined, plain),
      by(`DELETE /API/storage/VX-1/method?url=ftp://k:${secret}@nowhere/`),
      by(`GET /API/storage?url=${address}`),
      by(`GET /API/storage/VX-1/method?url=${address}`),
      by(`POST /API/storage/import?path=nonsense://k:${secret}@host/`, {}),
      newStorage({ method: [{ uri: `nonsense://k:${secret}@host/` }] }),
      newStorage({ method: [{ uri: `picky://k:${secret}@host/outside/` }] }),
      newStorage({ method: [{ uri: `ftp://k:${secret}%ZZ@host/` }] }),
      newStorage({ method: [{ uri: `ftp://k:${secret}@host/${'a'.repeat(2000)}` }] }),
    ];
    const bodies = [];
    for (const sent of asked) bodies.push((await world.send(sent)).body);
    await world.clock.advance(5000);
    const kept = await Promise.all(
      ['audit', 'event', 'storage', 'storage_method'].map((table) =>
        world.service.store.read(`SELECT * FROM ${table}`),
      ),
    );
    const all = JSON.stringify([bodies, kept, world.printed]);
    expect(all).not.toContain(secret);
    expect(all).toContain('***');
  });

  it('stay where the mask comes back with the same address', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: address }] }));
    const document = await jsonOf(world, 'GET /API/storage/VX-1');
    await send(world, by('PUT /API/storage/VX-1', document));
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: 'keyname', secret });
    for (const uri of [masked, 'ftp://***:***@host/in/', 'ftp://keyname:***@host/in/']) {
      await send(world, by(`PUT /API/storage/VX-1/method?url=${uri}&write=false`, undefined, plain));
      await send(world, by(`PUT /API/storage/VX-1/method/VX-1?url=${uri}`, undefined, plain));
      expect(await row(world), uri).toEqual({ uri: 'ftp://host/in/', user: 'keyname', secret });
    }
  });

  it('a mask sends no secret to another host, and stands for none that was not given', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: address }, { uri: 'memory:///in/' }] }));
    const refused = [
      by('PUT /API/storage/VX-1/method/VX-1?url=ftp://***@evil.example/in/', undefined, plain),
      by('PUT /API/storage/VX-1/method/VX-1?url=ftp://***@host:2121/in/', undefined, plain),
      by('PUT /API/storage/VX-1/method/VX-1?url=ftp://other:***@host/in/', undefined, plain),
      by('PUT /API/storage/VX-1/method/VX-2?url=ftp://***@host/in/', undefined, plain),
      by('PUT /API/storage/VX-1/method?url=memory://***@/in/', undefined, plain),
      by('PUT /API/storage/VX-1', { method: [{ id: 'VX-1', uri: 'ftp://***@evil.example/in/' }] }),
      newStorage({ method: [{ uri: masked }] }),
    ];
    for (const sent of refused) {
      const { status, body } = await world.send(sent);
      expect([status, body], sent.request).toEqual([400, expect.stringContaining('not their mask')]);
    }
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: 'keyname', secret });
  });

  it('a name alone is kept and masked, and an address without one forgets both', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'ftp://anonymous@host/in/' }] }));
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: 'anonymous', secret: null });
    await send(world, by('PUT /API/storage/VX-1/method?url=ftp://***@host/in/', undefined, plain));
    expect(await row(world)).toMatchObject({ user: 'anonymous' });
    const { body } = await send(world, by('PUT /API/storage/VX-1/method?url=ftp://host/in/', undefined, plain));
    expect(body).toContain('\tftp://host/in/\t');
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: null, secret: null });
  });

  it('percent-encoded ones are read as they are meant', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'ftp://a%40b:p%2Fw%3A%40@host/in/' }] }));
    expect(await row(world)).toEqual({ uri: 'ftp://host/in/', user: 'a@b', secret: 'p/w:@' });
  });

  it('without a secret key a secret is refused with the name of the setting', async () => {
    const world = await openStorages({ secretKey: null });
    const { status, headers, body } = await world.send(newStorage({ method: [{ uri: address }] }));
    expect([status, headers.get('portico-error')]).toEqual([403, 'not-allowed']);
    expect(body).toContain('PORTICO_SECRET_KEY');
    expect(body).not.toContain(secret);
    await send(world, newStorage({ method: [{ uri: 'ftp://anonymous@host/' }] }));
  });

  it('what a driver says of a failure shows no secret', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: address }] }));
    const failed = { sql: 'UPDATE storage_method SET failure_message = ?', args: [`Cannot reach ${address}`] };
    await world.service.store.commit({ changes: [failed], events: [] }, { user: 'scan' });
    const { body } = await send(world, by('GET /API/storage/VX-1/method'));
    expect(body).toContain('Cannot reach ftp://***@host/in/');
    expect(body).not.toContain(secret);
  });
});
