import { describe, expect, it } from 'vitest';
import { startOfTime } from '../support/clock.ts';
import { by, jsonOf, plain, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { fetchEntry, mediaOptions, newStorage, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, keeper, looker } from '../support/world.ts';

const missing = 'VX-1000000';
const url = 'memory:///srv/TEST_LOCATION/';
const storageMissing =
  '{"notFound":{"type":"Storage","id":"VX-1000000","context":null},"internalServer":null,"forbidden":null,"notYetImplemented":null,"conflict":null,"invalidInput":null,"licenseFault":null,"fileAlreadyExists":null,"notAuthorized":null}';

const first = `{"id":"VX-1","uri":"memory:///in/","bandwidth":0,"read":true,"write":true,"browse":true,"type":"NONE"}`;

const rows: readonly Scenario[] = [
  {
    name: 'a storage lists its methods as recorded, with the bandwidth',
    ...by('GET /API/storage/VX-1/method'),
    status: 200,
    says: { exact: `{"method":[${first}]}` },
  },
  {
    name: 'a single method is answered as a list of one',
    ...by('GET /API/storage/VX-1/method/VX-1'),
    status: 200,
    says: { exact: `{"method":[${first}]}` },
  },
  {
    name: 'one method comes in XML',
    ...by('GET /API/storage/VX-1/method/VX-1', undefined, xml),
    status: 200,
    says: {
      contains: [
        '<method><id>VX-1</id><uri>memory:///in/</uri><bandwidth>0</bandwidth><read>true</read><write>true</write><browse>true</browse><type>NONE</type></method></StorageMethodListDocument>',
      ],
    },
  },
  {
    name: 'an unknown method is an empty list, as recorded',
    ...by(`GET /API/storage/VX-1/method/${missing}`),
    status: 200,
    says: { exact: '{}' },
  },
  {
    name: 'a method of another storage is an empty list',
    given: [storageAt('other')],
    ...by('GET /API/storage/VX-2/method/VX-1'),
    status: 200,
    says: { exact: '{}' },
  },
  {
    name: 'a method of an unknown storage is not found as recorded',
    ...by(`GET /API/storage/${missing}/method/VX-1`),
    status: 404,
    says: { exact: storageMissing },
  },
  { name: 'methods of an unknown storage are not found', ...by(`GET /API/storage/${missing}/method`), status: 404 },
  ...(['GET', 'PUT', 'DELETE'] as const)
    .map(
      (method): Scenario => ({
        name: `${method}: no route is meant where the path has no id, as recorded, whatever the caller accepts`,
        ...by(`${method} /API/storage/${missing}/method/test?url=test`, undefined, plain),
        status: 404,
        answers: { 'content-type': 'application/json' },
        says: { exact: '{"code":404,"message":"HTTP 404 Not Found"}' },
      }),
    )
    .map((row, index) => (index === 0 ? { ...row, headers: { accept: 'application/json' } } : row)),
  ...(
    [
      ['read=true', 'VX-1 VX-2'],
      ['read=false', 'VX-1 VX-2 VX-3'],
      ['write=true', 'VX-1 VX-3'],
      ['browse=true', 'VX-1'],
      ['browse=1&write=true', 'VX-1'],
      ['url=memory:///b/', 'VX-2'],
      ['url=memory:///?/', 'VX-2 VX-3'],
      ['url=*n/', 'VX-1'],
    ] as const
  ).map(
    ([query, expected]): Scenario => ({
      name: `the list with ${query} has ${expected}`,
      given: [
        by('PUT /API/storage/VX-1/method?url=memory:///b/&write=false&browse=false'),
        by('PUT /API/storage/VX-1/method?url=memory:///c/&read=false&browse=false'),
      ],
      ...by(`GET /API/storage/VX-1/method?${query}`),
      status: 200,
      says: { jsonPart: { method: expected.split(' ').map((id) => ({ id })) } },
    }),
  ),
  {
    name: 'a method is added by its address, and answered as one line of text',
    ...by(`PUT /API/storage/VX-1/method?url=${url}&bandwidth=7`, undefined, {}),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: `VX-2\t${url}\tNONE\r\n` },
  },
  {
    name: 'the same address changes its method, and keeps what is not named',
    given: [by(`PUT /API/storage/VX-1/method?url=${url}&read=false&bandwidth=7&type=HSM`, undefined, plain)],
    ...by(`PUT /API/storage/VX-1/method?url=${url}&write=false`),
    headers: { accept: 'application/json' },
    status: 200,
    says: {
      json: {
        method: [{ id: 'VX-2', uri: url, bandwidth: 7, read: false, write: false, browse: true, type: 'HSM' }],
      },
    },
  },
  {
    name: 'a method gets another address by its id, and keeps the rest',
    given: [by('PUT /API/storage/VX-1/method/VX-1?url=memory:///in/&read=false', undefined, plain)],
    ...by(`PUT /API/storage/VX-1/method/VX-1?url=${url}`, undefined, plain),
    status: 200,
    says: { exact: `VX-1\t${url}\tNONE\r\n` },
  },
  {
    name: 'an address without a scheme is refused',
    ...by('PUT /API/storage/VX-1/method/VX-1?url=test', undefined, plain),
    status: 400,
    says: { contains: ['400 An invalid parameter was entered\r\n', 'Context: storage\r\n', 'ID: VX-1\r\n'] },
  },
  {
    name: 'no address is refused in the words of the recording',
    ...by('PUT /API/storage/VX-1/method/VX-1?read=False', undefined, plain),
    status: 400,
    says: {
      contains: ['400 An invalid parameter was entered\r\n', 'Context: storage\r\n', 'Reason: Expected the address'],
    },
  },
  { name: 'no address adds no method', ...by('PUT /API/storage/VX-1/method', undefined, plain), status: 400 },
  {
    name: 'an unknown method is not changed, whatever its address, as recorded',
    ...by(`PUT /API/storage/VX-1/method/${missing}?url=test`, undefined, plain),
    status: 404,
    says: { exact: `404 A resource could not be found\r\nType: storage-method\r\nID: ${missing}\r\n` },
  },
  {
    name: 'an unknown storage gets no method',
    ...by(`PUT /API/storage/${missing}/method?url=${url}`, undefined, plain),
    status: 404,
  },
  {
    name: 'an address that another method has is refused',
    given: [by(`PUT /API/storage/VX-1/method?url=${url}`, undefined, plain)],
    ...by(`PUT /API/storage/VX-1/method/VX-1?url=${url}`, undefined, plain),
    status: 409,
  },
  {
    name: 'a bandwidth is a number',
    ...by(`PUT /API/storage/VX-1/method?url=${url}&bandwidth=fast`, undefined, plain),
    status: 400,
  },
  {
    name: 'a method goes',
    ...by('DELETE /API/storage/VX-1/method/VX-1?url=ignored', undefined, plain),
    status: 204,
    says: { exact: '' },
  },
  { name: 'an unknown method does not go', ...by(`DELETE /API/storage/VX-1/method/${missing}`), status: 404 },
  {
    name: 'a method of another storage does not go',
    given: [storageAt('b')],
    ...by('DELETE /API/storage/VX-2/method/VX-1'),
    status: 404,
  },
  { name: 'a method goes by its address', ...by('DELETE /API/storage/VX-1/method?url=memory:///in/'), status: 204 },
  { name: 'an unknown address does not go', ...by('DELETE /API/storage/VX-1/method?url=memory:///x/'), status: 404 },
  { name: 'no address does not go', ...by('DELETE /API/storage/VX-1/method'), status: 400 },
  {
    name: 'a keeper adds methods',
    ...by(`PUT /API/storage/VX-1/method?url=${url}`, undefined, plain),
    as: keeper,
    status: 200,
  },
  {
    name: 'a reader adds none',
    ...by(`PUT /API/storage/VX-1/method?url=${url}`, undefined, plain),
    as: looker,
    status: 403,
  },
];

describe('storage methods', () => {
  itHolds(fetchEntry, rows, mediaOptions({ given: [...givenTo('storages'), storageAt('in')] }));

  it('results of a scan stay with an equal address, and go with another one', async () => {
    const world = await openStorages();
    await send(world, storageAt('in'));
    const seen = {
      sql: "UPDATE storage_method SET last_success = ?, last_failure = 5, failure_message = 'was away', identity = 'disk'",
      args: [startOfTime],
    };
    await world.service.store.commit({ changes: [seen], events: [] }, { user: 'scan' });
    const told = { lastSuccess: '2030-01-01T00:00:00.000+0000', failureMessage: 'was away' };
    await send(world, by('PUT /API/storage/VX-1', { method: [{ uri: 'memory:///in/', write: false }] }));
    expect(await jsonOf(world, 'GET /API/storage/VX-1')).toMatchObject({
      method: [{ id: 'VX-1', write: false, ...told }],
    });
    await send(world, by('PUT /API/storage/VX-1/method/VX-1?url=memory:///new/', undefined, plain));
    const { method } = await jsonOf<{ method: object[] }>(world, 'GET /API/storage/VX-1');
    expect(Object.keys(method[0]!)).toEqual(['id', 'uri', 'read', 'write', 'browse', 'type']);
    expect(await world.service.store.read('SELECT identity FROM storage_method')).toEqual([[null]]);
  });
});

describe('addresses of methods', () => {
  const at = (uri: string, status: number, more: Partial<Scenario> = {}): Scenario => ({
    name: `${uri.slice(0, 60)}: ${status}`,
    ...newStorage({ method: [{ uri }] }),
    status,
    ...(status === 200 && { events: [['storage/create', 'VX-1']] }),
    ...more,
  });
  const kept = (uri: string): Scenario =>
    at(uri, 200, {
      name: `${uri} is kept although nothing here reads it, and the storage is OFFLINE`,
      says: {
        jsonPart: {
          state: 'OFFLINE',
          method: [{ uri, lastFailure: '2030-01-01T00:00:00.000+0000' }],
        },
        contains: ['Expected one of the schemes that this server reads (', 'memory'],
      },
    });
  itHolds(
    fetchEntry,
    [
      at('memory:///srv/in/', 200, { says: { jsonPart: { state: 'NONE' } } }),
      ...[
        'ftp://host/in/',
        'sftp://host/',
        'gs://bucket/',
        'azure://container/',
        'smb://host/share/',
        'omms://host/',
      ].map(kept),
      at('file://p/', 400, { says: { contains: ['three slashes'] } }),
      at('file:p', 400),
      at('nonsense://host/', 400, { says: { contains: ['a scheme of storages'] } }),
      at('javascript:alert(1)', 400),
      at('no scheme at all', 400),
      at('http:/host/', 400, { says: { contains: ['two slashes'] } }),
      at('http:///host/', 400, { says: { contains: ['a host'] } }),
      at('http:\\\\host/', 400),
      at('http://host:port/', 400),
      at('http://a b/', 400),
      at(`ftp://host/${'a'.repeat(2000)}`, 400),
      at('ftp://na%ZZme@host/', 400),
      at('picky:///inside/', 200),
      at('picky:///outside/', 400, { says: { contains: ['Expected a folder below one of the roots', 'storage'] } }),
    ],
    mediaOptions(),
  );

  it('a storage is OFFLINE as long as none of its methods can be read here', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'ftp://host/in/' }] }));
    const state = async () => (await jsonOf(world, 'GET /API/storage/VX-1'))['state'];
    expect(await state()).toBe('OFFLINE');
    await send(world, by('PUT /API/storage/VX-1/method?url=memory:///in/', undefined, plain));
    expect(await state()).toBe('NONE');
    await send(world, by('DELETE /API/storage/VX-1/method/VX-2'));
    expect(await state()).toBe('OFFLINE');
    await send(world, by('PUT /API/storage/VX-1', { method: [{ id: 'VX-1', uri: 'memory:///in/' }] }));
    expect(await state()).toBe('NONE');
    expect((await jsonOf<{ method: object[] }>(world, 'GET /API/storage/VX-1')).method[0]).not.toHaveProperty(
      'failureMessage',
    );
  });

  it('keeps a method whose place is closed, says why, and opens nothing there', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'picky:///closed/' }] }));
    await send(world, by('PUT /API/storage/VX-1/method/VX-1?url=picky:///closed/2/', undefined, plain));
    const { state, method } = await jsonOf<{ state: string; method: object[] }>(world, 'GET /API/storage/VX-1');
    expect(state).toBe('OFFLINE');
    expect(method[0]).toMatchObject({
      uri: 'picky:///closed/2/',
      failureMessage: 'Expected a folder that the operator lists',
    });
    const { status, body } = await world.send(by('POST /API/storage/VX-1/file/data?path=a.mov', 'bytes'));
    expect([status, body]).toEqual([403, expect.stringContaining('Expected a folder that the operator lists')]);
  });

  it('fails an import from a closed place at once, with the reason', async () => {
    const world = await openStorages();
    await send(world, newStorage({ method: [{ uri: 'picky:///closed/' }] }));
    const { body } = await send(world, by('POST /API/import?uri=picky:///closed/a.mov'));
    const { jobId } = JSON.parse(body) as { jobId: string };
    await world.service.tick();
    const job = await jsonOf<{ status: string; log: object }>(world, `GET /API/job/${jobId}`);
    expect(job.status).toBe('FAILED_TOTAL');
    expect(JSON.stringify(job.log)).toContain('Expected a folder that the operator lists');
  });

  it('file:///p/ and file:/p/ are both good', async () => {
    const world = await openStorages();
    for (const uri of ['file:///srv/p/', 'file:/srv/p/']) {
      const { status, body } = await world.send(newStorage({ method: [{ uri }] }));
      expect([status, JSON.parse(body).method[0].uri]).toEqual([200, uri]);
    }
  });
});
