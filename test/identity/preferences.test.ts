import { expect, it } from 'vitest';
import { alice, newUser } from '../support/cast.ts';
import { describeMatrix, type Entry } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import type { Credentials } from '../support/service.ts';

const bob: Credentials = ['bob', 'password of bob'];

async function open(entry: Entry) {
  const world = await entry.open();
  await prepare(world, [newUser(alice), newUser(bob)]);
  const ask = async (request: string, body?: string, as = alice) =>
    (await world.send({ as, request: request.replace(' ', ' /API/user/'), body })).status;
  return { world, ask };
}

describeMatrix('preferences of a user', (entry) => {
  it('are kept, read and removed by their user without a role', async () => {
    const { world, ask } = await open(entry);
    expect(await ask('PUT alice/metadata/portico.ui.theme', 'dark')).toBe(200);
    const request = 'GET /API/user/alice/metadata/portico.ui.theme';
    const read = await world.send({ as: alice, request, headers: { accept: 'text/plain' } });
    expect(read.body).toBe('dark');
    expect(await ask('DELETE alice/metadata/portico.ui.theme')).toBe(200);
    expect(JSON.stringify(await world.service.store.read('SELECT key FROM key_value'))).not.toContain('portico.ui');
  });

  it.each([
    ['another key', 'PUT alice/metadata/quota'],
    ['a key that only looks like one', 'PUT alice/metadata/porticoxui.theme'],
    ['all keys by a wildcard', 'DELETE alice/metadata/*'],
    ['keys below by a wildcard', 'DELETE alice/metadata/portico.ui.a/**'],
    ['all metadata', 'DELETE alice/metadata'],
    ['the beginning without a name', 'PUT alice/metadata/portico.ui.'],
    ['preferences of another user', 'PUT bob/metadata/portico.ui.theme'],
  ])('change what needs a role: %s', async (_, request) => {
    const { ask } = await open(entry);
    expect(await ask(request, request.startsWith('PUT') ? 'x' : undefined)).toBe(403);
  });

  it('fill the database: 16 KB together are the most', async () => {
    const { ask } = await open(entry);
    expect(await ask('PUT alice/metadata/portico.ui.a', 'x'.repeat(16_000))).toBe(200);
    expect(await ask('PUT alice/metadata/portico.ui.b', 'x'.repeat(400))).toBe(400);
    expect(await ask('PUT alice/metadata/portico.ui.a', 'x'.repeat(100))).toBe(200);
    expect(await ask('PUT alice/metadata/portico.ui.b', 'x'.repeat(400))).toBe(200);
  });
});
