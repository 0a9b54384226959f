import { describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import type { JobSeen } from '../../support/files.ts';
import { ended } from '../../support/files.ts';
import { asking, bodyOf, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import type { RoomWorld, WorldOptions } from '../../support/world.ts';
import { begin, ben, eve, hour, later, past, soon, usage } from './support.ts';

const roles = [
  ...['_item_read', '_item_shape_read', '_item_shape_write', '_item_write', '_file_read', '_file_write', '_import'],
  ...[
    '_item_uri',
    '_export',
    '_item_uri',
    '_job_read',
    '_collection_read',
    '_collection_write',
    '_share_write',
    '_thumbnail_read',
  ],
];
const closed = [403, 'not-usable'];

/** Ben writes an item with an original. Eve does so, too, and is above the terms. */
async function opened(options: WorldOptions = {}) {
  const world = await openExports({}, options);
  await prepare(world, [
    newUser(ben, roles),
    newUser(eve, [...roles, '_usage_override']),
    ask('PUT /API/shape-tag/lowres', { format: 'mp4' }),
  ]);
  const item = await itemWith(world, 'in/a.mov');
  const shape = await shapeIn(world, item);
  const [file] = (await done<{ file: { id: string }[] }>(world, ask('GET /API/storage/VX-1/file'))).file;
  for (const [user] of [ben, eve])
    await done(world, ask(`POST /API/item/${item}/access`, { user, permission: 'WRITE' }));
  return { world, item, shape, file: file!.id };
}

const ask = asking(admin);

async function shapeIn(world: RoomWorld, item: string, tag = 'original'): Promise<string> {
  const { uri } = await done<{ uri: string[] }>(world, ask(`GET /API/item/${item}/shape?tag=${tag}`));
  return uri[0]!;
}

const set = (world: RoomWorld, entity: string, terms: object) => done(world, usage(entity, terms, admin));

/** Asks for documents and for bytes. */
const asked = (world: RoomWorld, request: string, as: Credentials) => {
  const sent = { as, request, headers: { accept: 'application/json, */*;q=0.5' } };
  return world.send(request.startsWith('GET ') ? sent : { ...sent, body: {} });
};
const codeOf = async (...request: Parameters<typeof asked>) => {
  const { status, headers } = await asked(...request);
  return [status, headers.get('portico-error')];
};

describe('outside of its rights an item', () => {
  it.each([
    [
      'ended',
      { usableUntil: past, reason: 'Licence' },
      `Expected a use before 2029-06-01T00:00:00.000Z, when its rights ended: "Licence"`,
    ],
    ['begin later', { usableFrom: soon }, 'Expected a use from 2030-01-01T02:00:00.000Z on, when its rights begin'],
  ])('leaves by no door, where they %s, but for who is above the terms', async (_, terms, says) => {
    const { world, item, shape, file } = await opened();
    const { containerComponent } = await done<{ containerComponent: { id: string } }>(
      world,
      ask(`GET /API/item/${item}/shape/${shape}`),
    );
    const own = await itemWith(world, 'in/own.mov');
    const other = await shapeIn(world, own);
    for (const [user] of [ben, eve])
      await done(world, ask(`POST /API/item/${own}/access`, { user, permission: 'WRITE' }));
    const at = `/API/item/${item}/shape/${shape}`;
    const doors = [
      `GET ${at}/data`,
      `GET ${at}/component/${containerComponent.id}/data`,
      `GET /API/file/${file}/data`,
      `GET /API/storage/file/${file}/data`,
      `POST /API/file/${file}/uri`,
      `POST /API/item/${item}/export?uri=memory:///out/`,
      `POST ${at}/export?uri=memory:///out/`,
      `POST ${at}/component/${containerComponent.id}/copy/item/${own}/shape/${other}`,
      `POST /API/file/${file}/import?allowReimport=true`,
      `POST /API/item/${own}/shape?tag=lowres&allowReimport=true&fileId=${file}`,
      `POST /API/import?uri=memory:///in/in/a.mov`,
      `POST /API/item/${item}/transcode?tag=lowres&destinationItem=${own}`,
      `POST /API/item/${item}/share`,
    ];
    for (const door of doors) expect([door, (await codeOf(world, door, ben))[1]]).not.toEqual([door, 'not-usable']);
    await set(world, `item/${item}`, terms);
    for (const door of doors) {
      const answer = await asked(world, door, ben);
      expect([door, answer.status, answer.headers.get('portico-error')]).toEqual([door, ...closed]);
      expect(bodyOf<{ forbidden: { explanation: string } }>(answer).forbidden.explanation).toBe(says);
      expect([door, (await codeOf(world, door, eve))[1]]).not.toEqual([door, 'not-usable']);
    }
    await done(world, ask(`DELETE /API/item/${item}/usage`));
    expect((await asked(world, doors[0]!, ben)).body).toBe('bytes of in/a.mov');
  });

  it('has no address of its files anywhere, but for who is above the terms', async () => {
    const { world, item, shape, file } = await opened();
    const readers = [ben, eve];
    const places = [
      `GET /API/item/${item}/uri`,
      `GET /API/item/${item}?content=uri`,
      `GET /API/item?content=uri`,
      `GET /API/item/${item}?content=shape`,
      `GET /API/item/${item}/shape/${shape}`,
      `GET /API/item/${item}/shape/${shape}/file`,
      `GET /API/item/${item}/shape/version/0`,
      `GET /API/file/${file}/shape`,
    ];
    const told = async (place: string, as: Credentials) => {
      const { status, body } = await asked(world, place, as);
      return [place, status, body.includes('memory://')];
    };
    for (const place of places) for (const as of readers) expect(await told(place, as)).toEqual([place, 200, true]);
    await set(world, `item/${item}`, { usableUntil: past });
    for (const place of places) {
      expect(await told(place, ben)).toEqual([place, 200, false]);
      expect(await told(place, eve)).toEqual([place, 200, true]);
    }
  });

  it('is closed by a collection above it, by its item, and by each shape that has a file', async () => {
    const { world, item, shape, file } = await opened();
    const { id: inner } = await done<{ id: string }>(world, ask('POST /API/collection?name=Inner'));
    const { id: outer } = await done<{ id: string }>(world, ask('POST /API/collection?name=Outer'));
    await done(world, ask(`PUT /API/collection/${inner}/${item}`));
    await done(world, ask(`PUT /API/collection/${outer}/${inner}?type=collection`));
    const read = (of: string) => codeOf(world, `GET /API/${of}/data`, ben);
    for (const entity of [`collection/${outer}`, `item/${item}`, `item/${item}/shape/${shape}`]) {
      await set(world, entity, { usableUntil: past });
      expect([await read(`item/${item}/shape/${shape}`), await read(`file/${file}`)]).toEqual([closed, closed]);
      await done(world, ask(`DELETE /API/${entity}/usage`));
    }
    expect([await read(`item/${item}/shape/${shape}`), await read(`file/${file}`)]).toEqual([
      [200, null],
      [200, null],
    ]);
  });

  it('attack: leaves by no copy of a closed shape in another version', async () => {
    const { world, item, shape } = await opened();
    await set(world, `item/${item}/shape/${shape}`, { usableUntil: past });
    const { id } = await done<{ id: string }>(
      world,
      ask(`POST /API/item/${item}/shape/${shape}/version`, undefined, ben),
    );
    expect(await codeOf(world, `GET /API/item/${item}/shape/${id}/data`, ben)).toEqual(closed);
  });

  it('attack: is not closed by the collection of somebody who may only read it', async () => {
    const { world, item, shape } = await opened();
    const mallory: Credentials = ['mallory', 'p'];
    await prepare(world, [newUser(mallory, [...roles, '_usage_write'])]);
    await done(world, ask(`POST /API/item/${item}/access`, { user: 'mallory', permission: 'READ' }));
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=Trap', undefined, mallory));
    await done(world, ask(`PUT /API/collection/${id}/${item}`, undefined, mallory));
    await done(world, usage(`collection/${id}`, { usableUntil: past }, mallory));
    expect((await asked(world, `GET /API/item/${item}/shape/${shape}/data`, ben)).status).toBe(200);
  });

  it('is passed over in the export of a collection, which fails without "all=false"', async () => {
    const { world, item } = await opened();
    const other = await itemWith(world, 'in/b.mov');
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=Both'));
    for (const each of [item, other]) await done(world, ask(`PUT /API/collection/${id}/${each}`));
    for (const entity of [`item/${item}`, `item/${other}`, `collection/${id}`])
      await done(world, ask(`POST /API/${entity}/access`, { user: 'ben', permission: 'READ' }));
    await set(world, `item/${item}`, { usableUntil: past });
    const at = `/collection/${id}/export?uri=memory%3A%2F%2F%2Fout%2F`;
    const failed = await exported(world, at, ben);
    expect([failed.status, whyOf(failed)]).toEqual([
      'FAILED_TOTAL',
      expect.stringMatching(`^${item}: Expected a use before`),
    ]);
    const passed = await exported(world, `${at}&all=false`, ben);
    expect([urisOf(passed).length, JSON.stringify(passed.log)]).toEqual([
      1,
      expect.stringContaining('Passed over 1 shapes that terms of use close'),
    ]);
  });
});

describe('an item whose rights end', () => {
  it('while an export waits is not exported', async () => {
    const { world, item } = await opened();
    const { jobId } = await done<JobSeen>(
      world,
      ask(`POST /API/item/${item}/export?uri=memory:///out/`, undefined, ben),
    );
    await set(world, `item/${item}`, { usableUntil: past });
    const job = await ended(world, jobId);
    expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining('when its rights ended')]);
    expect([...world.to.files.keys()]).toEqual([]);
  });

  it.each([
    ['comes', { usableUntil: begin }, {}],
    ['is set', {}, { usableUntil: past }],
  ])(
    'while a file is copied out is not exported either, and leaves no part of it: the end %s',
    async (_, before, amid) => {
      let copies = async () => {};
      const scheme: WorldOptions['scheme'] = (inner) => ({
        ...inner,
        open(...given) {
          const driver = inner.open(...given);
          return {
            ...driver,
            async read(...read) {
              const opened = await driver.read(...read);
              await copies();
              return opened;
            },
          };
        },
      });
      const { world, item } = await opened({ scheme });
      if ('usableUntil' in before) await set(world, `item/${item}`, before);
      copies = async () => {
        if ('usableUntil' in amid) await set(world, `item/${item}`, amid);
        await world.clock.advance(hour);
      };
      const { jobId } = await done<JobSeen>(
        world,
        ask(`POST /API/item/${item}/export?uri=memory:///out/&allowMissing=false`, undefined, ben),
      );
      const job = await ended(world, jobId);
      expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining('its rights to last')]);
      expect([world.to.files.size, world.to.staged.size]).toEqual([0, 0]);
    },
  );

  it('ends its links at the same time, however long they were to last, and earlier where the time is moved', async () => {
    const { world, item, file } = await opened();
    await set(world, `item/${item}`, { usableUntil: begin });
    const link = async (as: Credentials) =>
      (await done<{ uri: string[] }>(world, ask(`POST /API/file/${file}/uri?duration=720`, undefined, as))).uri[0]!;
    const [bens, eves] = [await link(ben), await link(eve)];
    const read = async (uri: string) => (await world.send({ request: `GET ${uri}` })).status;
    expect(Number(/expires=(\d+)/.exec(bens)![1]) * 1000).toBe(Date.parse(begin));
    expect([await read(bens), await read(eves)]).toEqual([200, 200]);
    await set(world, `item/${item}`, { usableUntil: past });
    expect([await read(bens), await read(eves)]).toEqual([403, 200]);
    // Nobody makes a link of those above the terms of another one.
    expect([await read(`${bens}&above=true`), await read(eves.replace('&above=true', ''))]).toEqual([403, 403]);
    await set(world, `item/${item}`, { usableUntil: later });
    await world.clock.advance(hour);
    expect([await read(bens), await read(eves)]).toEqual([403, 200]);
  });

  it('is kept in no cache until then', async () => {
    const { world, item, shape } = await opened();
    const caching = async (as: Credentials) =>
      (await asked(world, `GET /API/item/${item}/shape/${shape}/data`, as)).headers.get('cache-control');
    expect(await caching(ben)).toBe(null);
    await set(world, `item/${item}`, { usableUntil: begin });
    expect([await caching(ben), await caching(eve)]).toEqual(['private, no-cache', null]);
  });

  const doors = ['data of a shape', 'data of a file', 'link', 'ZIP'] as const;
  /** Begins to take a film of three megabytes. */
  async function taken(door: (typeof doors)[number], as: Credentials = ben) {
    const { world } = await opened();
    const big = await itemWith(world, 'in/big.mov', { bytes: 'x'.repeat(3_000_000) });
    for (const user of ['ben', 'eve'])
      await done(world, ask(`POST /API/item/${big}/access`, { user, permission: 'READ' }));
    const files = `GET /API/item/${big}/shape/${await shapeIn(world, big)}/file`;
    const { id: file } = (await done<{ file: { id: string }[] }>(world, ask(files))).file[0]!;
    const addressOf = {
      'data of a shape': async () => `http://localhost/API/item/${big}/shape/${await shapeIn(world, big)}/data`,
      'data of a file': async () => `http://localhost/API/file/${file}/data`,
      link: async () =>
        (await done<{ uri: string[] }>(world, ask(`POST /API/file/${file}/uri`, undefined, as))).uri[0]!,
      ZIP: async () => (await done<{ uri: string }>(world, ask('POST /API/item/archive', { item: [big] }, as))).uri,
    };
    const address = addressOf[door];
    const begins = async () => {
      const headers = { authorization: `Basic ${btoa(as.join(':'))}` };
      const reader = (await world.service.fetch(new Request(await address(), { headers }))).body!.getReader();
      expect((await reader.read()).done).toBe(false);
      // A ZIP has the head of its file first.
      if (door === 'ZIP') expect((await reader.read()).done).toBe(false);
      return reader;
    };
    const rest = async (reader: Awaited<ReturnType<typeof begins>>) => {
      let length = 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.byteLength;
      return length;
    };
    return { world, big, begins, rest };
  }

  it.each(doors)('amid a download breaks it off: %s', async (door) => {
    const { world, big, begins, rest } = await taken(door);
    await set(world, `item/${big}`, { usableUntil: begin });
    const reader = await begins();
    await world.clock.advance(hour);
    await expect(rest(reader)).rejects.toThrow(/^An? (?:download|archive) broke off: the log says why$/);
  });

  it.each(doors)(
    'is left within two seconds by bytes on their way, where the end is set meanwhile: %s',
    async (door) => {
      const { world, big, begins, rest } = await taken(door);
      const reader = await begins();
      await set(world, `item/${big}`, { usableUntil: past });
      await world.clock.advance(1_999);
      expect((await reader.read()).done).toBe(false);
      await world.clock.advance(1);
      await expect(reader.read()).rejects.toThrow(/^An? (?:download|archive) broke off: the log says why$/);
      // An end that is moved away again, and one for who is above the terms, break nothing off.
      await set(world, `item/${big}`, { usableUntil: begin });
      const next = await begins();
      await set(world, `item/${big}`, { usableUntil: later });
      await world.clock.advance(hour);
      expect(await rest(next)).toBeGreaterThan(1_000_000);
      const above = await taken(door, eve);
      await set(above.world, `item/${above.big}`, { usableUntil: later });
      const eves = await above.begins();
      await set(above.world, `item/${above.big}`, { usableUntil: past });
      await above.world.clock.advance(hour);
      expect(await above.rest(eves)).toBeGreaterThan(1_000_000);
    },
  );
});
