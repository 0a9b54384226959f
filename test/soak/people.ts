import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { PorticoClient } from '../../src/client/index.ts';
import { Refusal } from '../../src/client/refusal.ts';
import type { MetadataDocument } from '../../src/types.ts';
import type { Account, LoginProvider } from '../clients/login-provider.ts';
import type { Histories } from './history.ts';
import { adminPassword, type House } from './house.ts';
import type { Traffic } from './traffic.ts';

/** Item whose title one caller at a time changes. */
export interface Item {
  readonly id: string;
  /** Bytes of its original, as SHA-1, and the file that has them. */
  readonly bytes?: { readonly file: string; readonly sha1: string } | undefined;
  /** Whether somebody changes, shares or deletes it. */
  isTaken: boolean;
}

/** World that all callers share. */
export interface Scene {
  readonly house: House;
  readonly traffic: Traffic;
  readonly histories: Histories;
  readonly provider: LoginProvider;
  readonly accounts: readonly Account[];
  /** From 0 to 1, by the seed. */
  random(): number;
  complain(says: string): void;
  readonly items: Item[];
  /** A short sound, as a file. */
  readonly sound: Uint8Array;
  readonly storages: { readonly main: string; readonly hot: string };
  /** Item with a stream. Undefined: nothing here makes one. */
  readonly streamed: string | undefined;
  /** Tokens by user, for the whole run. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Number of a thing that is made: its name has it. */
  next(): number;
}

/** Somebody who does one thing again and again. */
export interface Actor {
  readonly name: string;
  /** Mean seconds between the end of a turn and the next. */
  readonly every: number;
  turn(scene: Scene): Promise<void>;
}

export const people = ['editor-1', 'editor-2', 'editor-3', 'editor-4'];
export const counted = 'quota-of-5';
export const provisioner = 'scim-provider';
export const quotaLimit = 5;
export const passwordOf = (name: string): string => `password of ${name}`;
/** Items that stay: beyond them the oldest go. */
const maxItems = 40;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Requests with a password, which may wait behind others that are checked. */
export const withPassword = (
  { house, traffic }: Pick<Scene, 'house' | 'traffic'>,
  name: string,
  allowed: readonly number[] = [],
  password = name === 'admin' ? adminPassword : passwordOf(name),
) => new PorticoClient({ url: house.address, user: { name, password }, fetch: traffic.fetch([503, ...allowed]) });

/** Requests with a token, as those of pages and programs. */
export const clientOf = ({ house, traffic, tokens }: Scene, name: string, allowed: readonly number[] = []) =>
  new PorticoClient({ url: house.address, token: tokens.get(name)!, fetch: traffic.fetch(allowed) });

const oneOf = <T>({ random }: Scene, all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
const titled = (value: string): MetadataDocument => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
});
const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
const isStatus = (error: unknown, ...statuses: readonly number[]): error is Refusal =>
  error instanceof Refusal && statuses.includes(error.status);

/** Asks again until there is an answer: for what does nothing twice. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isStatus(error, 0, 503, 507)) throw error;
      await pause(1_000);
    }
  }
}

/** Looks each second. Disturbances give it the time again. Undefined: it was not there in time. */
async function within<T>(scene: Scene, seconds: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let began = scene.traffic.now(); scene.traffic.now() < began + seconds * 1_000; ) {
    const result = await look();
    if (result !== undefined) return result;
    await pause(1_000);
    const last = scene.traffic.disturbedSince(began);
    if (last) began = Math.min(last.ended, scene.traffic.now());
  }
  return undefined;
}

/** An item with a free hand. Given back at the end of the turn. */
async function withItem(scene: Scene, act: (item: Item) => Promise<void>): Promise<void> {
  const item = oneOf(
    scene,
    scene.items.filter(({ isTaken }) => !isTaken),
  );
  if (!item) return;
  item.isTaken = true;
  try {
    await act(item);
  } finally {
    item.isTaken = false;
  }
}

export const titleOf = async (client: PorticoClient, item: string): Promise<string | undefined> => {
  const document = await client.call('GET /item/:item/metadata', { path: { item }, query: { field: ['title'] } });
  return /"value":"(t[\w.-]+)"/.exec(JSON.stringify(document))?.[1];
};

/** The job must end well. Gives its data. */
async function jobEnds(scene: Scene, client: PorticoClient, job: string): Promise<Readonly<Record<string, string>>> {
  const end = await untilAnswered(() => client.jobEnd(job));
  if (end.status !== 'FINISHED') {
    scene.complain(`Job ${job} ${end.type} ended as ${end.status}: ${JSON.stringify(end.data ?? end).slice(0, 500)}`);
    throw new Refusal(0, 'job', {});
  }
  return Object.fromEntries((end.data ?? []).map(({ key, value }) => [key, value ?? '']));
}

async function keep(
  scene: Scene,
  client: PorticoClient,
  id: string,
  title: string,
  file: string,
  bytes: Uint8Array,
): Promise<void> {
  // The title of an import is its first write, which nobody has beside.
  const write = scene.histories.begin('write', id, title);
  await untilAnswered(() => client.call('PUT /item/:item/metadata', { path: { item: id }, body: titled(title) }));
  scene.histories.end(write);
  scene.items.push({ id, isTaken: false, bytes: { file, sha1: sha1(bytes) } });
}

/** Bytes that no other file has. */
function newSound({ sound, next }: Scene): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...sound, ...new TextEncoder().encode(`${next()}`.padStart(16))]);
}

/** The first cookie of an answer. */
const cookieIn = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;

export const actors: readonly Actor[] = [
  {
    name: 'login by password',
    every: 5,
    async turn(scene) {
      const name = oneOf(scene, people);
      // Another address has not been seen, and a wrong password is refused whatever else happens.
      await withPassword(scene, name, [401], 'wrong')
        .call('GET /whoami')
        .then(
          () => scene.complain(`${name} came in with a wrong password`),
          () => undefined,
        );
      const said = await withPassword(scene, name).call('GET /whoami');
      if (!JSON.stringify(said).includes(name)) scene.complain(`${name} is ${JSON.stringify(said)}`);
    },
  },
  {
    name: 'login by token',
    every: 2,
    async turn(scene) {
      const name = oneOf(scene, people);
      const given = await clientOf(scene, name).open('GET /user/:name/token', {
        path: { name },
        query: { seconds: 5 },
        headers: { accept: 'text/plain' },
      });
      const token = (await given.text()).trim();
      await new PorticoClient({ url: scene.house.address, token, fetch: scene.traffic.fetch() }).call('GET /whoami');
    },
  },
  {
    name: 'login by provider',
    every: 10,
    async turn(scene) {
      const account = oneOf(scene, scene.accounts);
      const ask = scene.traffic.fetch();
      const get = (address: string, headers: Record<string, string> = {}) =>
        ask(address, { redirect: 'manual', headers: { accept: 'application/json', ...headers } });
      const begun = await get(`${scene.house.address}/APInoauth/login/company?page=%2Fui%2Flibrary`);
      const back = await scene.provider.loginAt(begun.headers.get('location') ?? '', account);
      const entered = await get(back, {
        cookie: cookieIn(begun),
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
      });
      const led = entered.headers.get('location');
      // Without a database nobody comes in, and the page says so.
      if (led !== '/ui/library' && scene.traffic.disturbedSince(scene.traffic.now() - 10_000)) return;
      const page = { cookie: cookieIn(entered), 'sec-fetch-site': 'same-origin' };
      const who = await (await get(`${scene.house.address}/API/whoami`, page)).text();
      if (!who.includes(account.name))
        return scene.complain(`${account.name} came back as ${who.slice(0, 200)}, led to ${led}`);
      await ask(`${scene.house.address}/API/session`, { method: 'DELETE', headers: { ...page, 'portico-ui': '1' } });
    },
  },
  {
    name: 'new item',
    every: 2,
    async turn(scene) {
      const client = clientOf(scene, oneOf(scene, people), [409]);
      const [key, title] = [`k${scene.next()}`, `t${scene.next()}`];
      const told = scene.histories.begin('create', key, title);
      const id = await untilAnswered(() =>
        client.call('POST /import/placeholder', { body: titled(title), headers: { 'idempotency-key': key } }),
      ).then(
        (item) => item.id!,
        // The answer was lost with the server, and the refusal names what it made.
        (error: unknown) => {
          if (isStatus(error, 409) && error.id !== undefined) return error.id;
          throw error;
        },
      );
      scene.histories.end(told, { id, value: title });
      scene.items.push({ id, isTaken: false });
    },
  },
  {
    name: 'open an item',
    every: 0.3,
    async turn(scene) {
      const item = oneOf(scene, scene.items);
      if (!item) return;
      // Somebody may delete it meanwhile.
      const client = clientOf(scene, 'admin', [404]);
      const told = scene.histories.begin('read', item.id);
      scene.histories.end(told, { value: await titleOf(client, item.id) });
      await client.call('GET /item/:item', {
        path: { item: item.id },
        query: { content: ['metadata', 'shape', 'access'] },
      });
    },
  },
  {
    name: 'change metadata',
    every: 0.5,
    turn: (scene) =>
      withItem(scene, async ({ id }) => {
        const value = `t${scene.next()}`;
        const told = scene.histories.begin('write', id, value);
        await clientOf(scene, 'admin').call('PUT /item/:item/metadata', { path: { item: id }, body: titled(value) });
        scene.histories.end(told);
      }),
  },
  {
    name: 'search',
    every: 1,
    turn: (scene) =>
      // Nobody changes it meanwhile, so that the next search has the title.
      withItem(scene, async ({ id }) => {
        const client = clientOf(scene, 'admin');
        const title = await titleOf(client, id);
        const body = { field: [{ name: 'title', value: [{ value: title! }] }] };
        const { item = [] } = await client.call('PUT /item', { body, query: { content: ['metadata'] } });
        if (!item.some((hit) => hit.id === id))
          scene.complain(`A search for the title "${title}" of ${id} did not find it`);
        await client.call('PUT /item', {
          body: { text: ['t1'] } as never,
          query: { number: 50, content: ['metadata'] },
        });
      }),
  },
  {
    name: 'upload by tus',
    every: 8,
    async turn(scene) {
      const client = clientOf(scene, oneOf(scene, people), [409]);
      const [bytes, title] = [newSound(scene), `t${scene.next()}`];
      const { item, file, job } = await client.upload(new Blob([bytes]), {
        import: 'true',
        filename: `${title}.wav`,
        storage: scene.storages.main,
      });
      if (item === undefined || file === undefined) return scene.complain(`An upload of ${title} became no item`);
      await keep(scene, client, item, title, file, bytes);
      if (job !== undefined) await jobEnds(scene, client, job);
    },
  },
  {
    name: 'upload in one go',
    every: 8,
    async turn(scene) {
      const client = clientOf(scene, oneOf(scene, people), [409]);
      const [bytes, key, title] = [newSound(scene), `k${scene.next()}`, `t${scene.next()}`];
      const told = scene.histories.begin('create', key);
      const query = { storageId: scene.storages.main, filename: `${title}.wav` } as object;
      const job = await untilAnswered(() =>
        client.call('POST /import/raw', { body: bytes, query, headers: { 'idempotency-key': key } }),
      ).then(
        (made) => made!.jobId!,
        (error: unknown) => {
          if (isStatus(error, 409) && error.id !== undefined) return error.id;
          throw error;
        },
      );
      Object.assign(told, { id: `job ${job}` });
      const { itemId, fileId } = await jobEnds(scene, client, job);
      await keep(scene, client, itemId!, title, fileId!, bytes);
    },
  },
  {
    name: 'download',
    every: 4,
    turn: (scene) =>
      withItem(scene, async ({ id, bytes }) => {
        if (!bytes) return;
        const answer = await clientOf(scene, 'admin').open('GET /storage/file/:file/data', {
          path: { file: bytes.file },
        });
        const got = sha1(new Uint8Array(await answer.arrayBuffer()));
        if (got !== bytes.sha1) scene.complain(`The original of ${id} has other bytes than were sent`);
      }),
  },
  {
    name: 'delete the oldest item',
    every: 0.5,
    async turn(scene) {
      if (scene.items.length <= maxItems) return;
      const item = scene.items.find(({ isTaken }) => !isTaken);
      if (!item) return;
      item.isTaken = true;
      scene.items.splice(scene.items.indexOf(item), 1);
      scene.histories.goes(item.id);
      await untilAnswered(() =>
        clientOf(scene, 'admin', [404]).call('DELETE /item/:item', { path: { item: item.id } }),
      ).catch((error) => {
        // The answer of an earlier try was lost.
        if (!isStatus(error, 404)) throw error;
      });
      scene.histories.gone(item.id);
    },
  },
  {
    name: 'share, as a guest',
    every: 8,
    turn: (scene) =>
      withItem(scene, async ({ id }) => {
        const maker = clientOf(scene, 'admin', [404]);
        const share = await maker.call('POST /item/:item/share', {
          path: { item: id },
          body: { title: 'Soak', allow: ['play'] } as never,
        });
        const guest = (path: string, init: RequestInit = {}, cookie = '', allowed: readonly number[] = []) =>
          scene.traffic.fetch(allowed)(`${scene.house.address}/APInoauth/share${path}`, {
            ...init,
            headers: {
              accept: 'application/json',
              'content-type': 'application/json',
              'sec-fetch-site': 'same-origin',
              cookie,
            },
          });
        const entered = await guest('', {
          method: 'POST',
          body: JSON.stringify({ token: (share as { token?: string }).token }),
        });
        const cookie = cookieIn(entered);
        const seen = await (await guest(`/${share.id}/item`, {}, cookie)).text();
        if (!seen.includes(id) && !scene.traffic.disturbedSince(scene.traffic.now() - 10_000))
          scene.complain(`A guest of ${share.id} does not see ${id}: ${seen.slice(0, 200)}`);
        await untilAnswered(() =>
          maker.call('DELETE /share/:share' as never, { path: { share: share.id! } } as never),
        ).catch(() => undefined);
        const after = await guest(`/${share.id}/item`, {}, cookie, [404]);
        if (after.ok) scene.complain(`A guest of ${share.id} comes in behind its end`);
      }),
  },
  {
    name: 'play a stream',
    every: 5,
    async turn(scene) {
      const { streamed } = scene;
      if (streamed === undefined) return;
      const ask = scene.traffic.fetch();
      const open = clientOf(scene, 'admin').open('GET /item/:item/stream', {
        path: { item: streamed },
        headers: { accept: 'application/vnd.apple.mpegurl' },
      });
      const addresses = (text: string) => Array.from(text.matchAll(/https?:\/\/[^"\s<]+/g), ([address]) => address);
      const [playlist] = addresses(await (await open).text()).filter((address) => address.includes('.m3u8'));
      const [part] = addresses(await (await ask(playlist!)).text());
      const bytes = await (await ask(part!, { headers: { range: 'bytes=0-99' } })).arrayBuffer();
      if (bytes.byteLength !== 100 && !scene.traffic.disturbedSince(scene.traffic.now() - 10_000))
        scene.complain(`A part of a stream has ${bytes.byteLength} bytes of 100`);
    },
  },
  {
    name: 'jobs about an item',
    every: 15,
    turn: (scene) =>
      withItem(scene, async ({ id, bytes }) => {
        if (!bytes) return;
        const client = clientOf(scene, 'admin', [409]);
        const { jobId } = await client.call('POST /item/:item/analyze', { path: { item: id }, body: {} });
        await jobEnds(scene, client, jobId!);
      }),
  },
  {
    name: 'quota',
    every: 20,
    async turn(scene) {
      const client = clientOf(scene, counted, [507]);
      const admin = clientOf(scene, 'admin', [404]);
      const made: string[] = [];
      try {
        for (let at = 0; at <= quotaLimit; at++) made.push((await client.call('POST /import/placeholder')).id!);
        scene.complain(`${counted} made ${made.length} items, ${quotaLimit} at most`);
      } catch (error) {
        if (!isStatus(error, 507)) throw error;
      } finally {
        const { rule = [] } = await untilAnswered(() => admin.call('GET /quota'));
        for (const { limit, usage } of rule.flatMap(({ resource = [] }) => resource))
          scene.histories.quotas.push({ limit: Number(limit), used: Number(usage) });
        // Also those whose answers were lost.
        const mine = await untilAnswered(() => client.call('GET /item', { query: { number: 20 } }));
        for (const { id } of mine.item ?? [])
          await untilAnswered(() => admin.call('DELETE /item/:item', { path: { item: id! } })).catch(() => undefined);
      }
    },
  },
  {
    name: 'a file in a hot folder',
    every: 15,
    async turn(scene) {
      const name = `hot-${scene.next()}.wav`;
      await writeFile(`${scene.house.media}/hot/${name}`, newSound(scene)).catch(() => undefined);
      const admin = clientOf(scene, 'admin', [404]);
      const body = { field: [{ name: 'title', value: [{ value: name }] }] };
      const look = async () => (await admin.call('PUT /item', { body }).catch(() => undefined))?.item?.[0]?.id;
      const id = await within(scene, 60, look);
      if (id === undefined) return scene.complain(`${name} lies in a hot folder, and became no item within a minute`);
      await untilAnswered(() => admin.call('DELETE /item/:item', { path: { item: id } })).catch(() => undefined);
    },
  },
  {
    name: 'provisioning by SCIM',
    every: 5,
    async turn(scene) {
      const name = `scim-${scene.next()}`;
      const ask = async (method: string, path: string, body?: object) =>
        scene.traffic.fetch([404, 409])(`${scene.house.address}/API/scim/v2/Users${path}`, {
          method,
          headers: {
            accept: 'application/scim+json',
            'content-type': 'application/scim+json',
            authorization: `Bearer ${scene.tokens.get(provisioner)}`,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
      const schema = 'urn:ietf:params:scim:schemas:core:2.0:User';
      await ask('POST', '', { schemas: [schema], userName: name, displayName: `The ${name}` });
      const filter = `?filter=${encodeURIComponent(`userName eq "${name}"`)}`;
      const listed = (await (await ask('GET', filter)).json()) as { Resources?: readonly { id: string }[] };
      const id = listed.Resources?.[0]?.id;
      if (id === undefined) {
        if (!scene.traffic.disturbedSince(scene.traffic.now() - 10_000))
          scene.complain(`${name} was made by SCIM, and is not there`);
        return;
      }
      const operation = { op: 'replace', path: 'active', value: false };
      await ask('PATCH', `/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [operation],
      });
      await ask('DELETE', `/${id}`);
    },
  },
];
