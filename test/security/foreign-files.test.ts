import { beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { ended } from '../support/files.ts';
import type { Answer, Sent } from '../support/matrix.ts';
import { asking, done, rowsOf, sqlIn } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { itemOf, sent, start } from '../support/transfers.ts';
import { importer, outsider, type RoomWorld, sharedWorld } from '../support/world.ts';

const ask = asking(importer);

/** Writes files and may not read them. */
const writer: Credentials = ['writer', 'password of writer'];
const json = { accept: 'application/json', 'content-type': 'application/json' };
const secretText = 'the secret of the importer';
const secret = `<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>${secretText}</value></field></timespan></MetadataDocument>`;
const address = 'memory:///in/secret.xml';

describe('a caller who gets 403 for an item gets its bytes through no other door', () => {
  let world: RoomWorld;
  /** Ids of the importer. */
  let [item, file] = ['', ''];
  /** Ids of the outsider. */
  let [own, shape, component, placeholder] = ['', '', '', ''];
  const shared = sharedWorld('imports');

  /** An item with a file of its own. */
  async function imported(as: Credentials, name: string): Promise<readonly [string, string, string, string]> {
    const job = await start(world, ask(`POST /API/import?uri=memory:///in/${name}`, undefined, as));
    await ended(world, job.jobId);
    const id = (await rowsOf(world, 'item')).at(-1)!['id'] as string;
    const [found] = (await itemOf(world, id)).shape;
    const binary = found!.binaryComponent![0] as unknown as { id: string; file: { id: string }[] };
    return [id, binary.file[0]!.id, found!.id, binary.id];
  }

  beforeAll(async () => {
    world = shared();
    const roles = [
      '_import',
      '_file_write',
      '_item_read',
      '_item_shape_read',
      '_item_shape_write',
      '_collection_write',
    ];
    await prepare(world, [newUser(writer, roles)]);
    await done(world, { ...ask('PUT /API/shape-tag/proxy', '{}', admin), headers: json });
    world.from.put('secret.xml', secret);
    world.from.put('own.txt', 'own');
    // Ids of items are others than those of files.
    for (let made = 0; made < 7; made++) await done(world, ask('POST /API/import/placeholder'));
    [item, file] = await imported(importer, 'secret.xml');
    [own, , shape, component] = await imported(outsider, 'own.txt');
    placeholder = (
      (await done(world, ask('POST /API/import/placeholder?container=1&video=1', undefined, outsider))) as {
        id: string;
      }
    ).id;
  });

  const encoded = encodeURIComponent;
  const door = (name: string, request: () => string, body?: object) => ({ name, request, body });
  const doors = [
    door('a sidecar by its id', () => `POST /API/import/sidecar/${own}?sidecar=${file}`),
    door('a sidecar by its address', () => `POST /API/import/sidecar/${own}?sidecar=${address}`),
    door('an import of its address', () => `POST /API/import?uri=${address}`),
    door('an import of its address, encoded twice', () => `POST /API/import?uri=${encoded(encoded(address))}`),
    door('an import of its address with one slash', () => 'POST /API/import?uri=memory:/in/secret.xml'),
    door(
      'an import of its address with encoded letters',
      () => `POST /API/import?uri=${encoded('memory:///in/%73ecret.xml')}`,
    ),
    door('an import of its address with a query', () => `POST /API/import?uri=${encoded(`${address}?a=1#b`)}`),
    door('an import whose sidecar it is', () => `POST /API/import?uri=memory:///in/none.txt&sidecar=${file}`),
    door(
      'an import whose sidecar has its address',
      () => `POST /API/import?uri=memory:///in/none.txt&sidecar=${address}`,
    ),
    door('allowReimport', () => `POST /API/storage/file/${file}/import?allowReimport=true`),
    door('allowReimport below /file', () => `POST /API/file/${file}/import?allowReimport=true`),
    door('allowReimport below its storage', () => `POST /API/storage/VX-1/file/${file}/import?allowReimport=true`),
    door('allowReimport by its path', () => 'POST /API/storage/VX-1/file/path/secret.xml/import?allowReimport=true'),
    door(
      'allowReimport by its address',
      () => `POST /API/storage/file/uri/${encoded(address)}/import?allowReimport=true`,
    ),
    door('another shape', () => `POST /API/item/${own}/shape?tag=proxy&allowReimport=true&fileId=${file}`),
    door('another shape from its address', () => `POST /API/item/${own}/shape?tag=proxy&uri=${address}`),
    door('an essence', () => `POST /API/item/${own}/shape/essence?allowReimport=true&fileId=${file}`),
    door('an essence from its address', () => `POST /API/item/${own}/shape/essence?uri=${address}`),
    door(
      'a component',
      () => `PUT /API/item/${own}/shape/${shape}/component/${component}/file/${file}?allowReimport=true`,
    ),
    door(
      'the file of a placeholder',
      () => `POST /API/import/placeholder/${placeholder}/container?allowReimport=true&fileId=${file}`,
    ),
    door('the address of a placeholder', () => `POST /API/import/placeholder/${placeholder}/container?uri=${address}`),
    door('the addresses of a placeholder', () => `POST /API/import/placeholder/${placeholder}`, { container: address }),
    door('an adoption', () => `POST /API/import/placeholder/${placeholder}/video/adopt/${file}`),
    door('the components of a shape', () => `POST /API/item/${own}/shape/create`, {
      binaryComponent: [{ file: [{ id: 'FILE' }] }],
    }),
    door('a project', () => `POST /API/collection/project/inspect?uri=${address}`),
    door('the sequences of a project', () => `POST /API/import/project/sequence?uri=${address}`),
  ];
  const ofWriter = [
    door('a link', () => `POST /API/storage/file/${file}/uri`),
    door('a copy', () => `POST /API/storage/file/${file}/storage/VX-2?filename=taken.xml`),
    door('a move', () => `POST /API/storage/file/${file}/storage/VX-2?filename=taken.xml&move=true`),
    door('a version of a project', () => `POST /API/import/project?uri=${address}`),
  ];

  async function isClosed(sending: Sent): Promise<Answer> {
    const before = await world.sequence();
    const answer = await world.send(sending);
    expect([answer.status, await world.sequence()], answer.body).toEqual([403, before]);
    expect(answer.body).not.toContain(secretText);
    expect(answer.body).not.toMatch(new RegExp(`${item}\\b`));
    return answer;
  }

  it.each(doors)('not through $name', async ({ request, body }) => {
    const text = body && JSON.stringify(body).replace('FILE', file);
    await isClosed({ ...ask(request(), text, outsider), headers: json });
  });

  it.each(ofWriter)('not through $name, with _file_write alone', async ({ request }) => {
    await isClosed({ ...ask(request(), undefined, writer), headers: json });
  });

  it('a file that belongs to no item is for everybody who imports, as ever', async () => {
    world.from.put('free.txt', 'free');
    await prepare(world, [ask('POST /API/storage/VX-1/file?path=free.txt&state=CLOSED', undefined, writer)]);
    const free = (await rowsOf(world, 'file')).at(-1)!['id'];
    const job = await start(world, ask(`POST /API/storage/file/${free}/import`, undefined, outsider));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  });

  it.each([
    ['READ on the item', {}],
    ['READ for its shapes', { operation: { shape: {} } }],
    ['READ for its addresses', { operation: { uri: {} } }],
  ])('with %s the file may be imported once more', async (_name, more) => {
    const entry = { user: outsider[0], permission: 'READ', ...more };
    const answer = await done<{ id: string }>(world, {
      ...ask(`POST /API/item/${item}/access`, JSON.stringify(entry), admin),
      headers: json,
    });
    const again = ask(`POST /API/storage/file/${file}/import?allowReimport=true`, undefined, outsider);
    const job = await start(world, again);
    await done(world, ask(`DELETE /API/item/${item}/access/${answer.id}`, undefined, admin));
    // The right goes before the job looks at the file.
    const end = await ended(world, job.jobId);
    expect([end.status, JSON.stringify(end).includes('_file_read')]).toEqual(['FAILED_TOTAL', true]);
    await isClosed(again);
  });

  it('a job asks again about an address that became a file of others after its request', async () => {
    world.from.put('later.xml', secret);
    const job = await start(
      world,
      ask(`POST /API/import/sidecar/${own}?sidecar=memory:///in/later.xml`, undefined, outsider),
    );
    await prepare(world, [ask('POST /API/storage/VX-1/file?path=later.xml&state=CLOSED', undefined, writer)]);
    const later = String((await rowsOf(world, 'file')).at(-1)!['id']);
    await sqlIn(
      world,
      `INSERT INTO file_use SELECT ?, item_id, shape_id, component_id || '-' FROM file_use WHERE file_id = ?`,
      later,
      file,
    );
    expect((await ended(world, job.jobId)).status).toBe('FAILED_TOTAL');
    expect((await itemOf(world, own)).fields['title']).toBeUndefined();
  });

  it('an upload of others belongs to their item before any component has it', async () => {
    const raw = await start(
      world,
      sent('POST /API/import/raw?filename=up.txt&storageId=VX-1&holdJob=true', secretText),
    );
    expect(raw.type).toBe('RAW_IMPORT');
    const uploaded = (await rowsOf(world, 'file')).at(-1)!['id'];
    await isClosed(ask(`POST /API/storage/file/${uploaded}/import?allowReimport=true`, undefined, outsider));
    await isClosed(
      ask(`PUT /API/item/${own}/shape/${shape}/component/${component}/file/${uploaded}`, undefined, outsider),
    );
  });
});
