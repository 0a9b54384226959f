import { expect } from 'vitest';
import { newUser } from '../../support/cast.ts';
import type { Answer, Entry, Sent, World } from '../../support/matrix.ts';
import { asking, bodyOf, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, type ServiceOptions } from '../../support/service.ts';

/** Any part of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what an answer has.
export type Read = any;

export const maker: Credentials = ['maker', 'password of maker'];
export const other: Credentials = ['other', 'password of other'];
const roles = [
  ...['_share_read', '_share_write', '_item_read', '_item_write', '_item_shape_read', '_item_shape_write', '_import'],
  ...['_collection_read', '_collection_write', '_library_read', '_library_write', '_file_read', '_file_write'],
  ...[
    '_annotation_write',
    '_shape_tag_read',
    '_metadata_read',
    '_metadata_write',
    '_accesscontrol_read',
    '_accesscontrol_write',
  ],
];

export interface Guest {
  readonly id: string;
  readonly cookie: string;
  readonly told: Read;
}

export const film = 'frames of a film';

/** A service with two users who share. */
export async function openShares(open: Entry['open'], options: ServiceOptions = {}) {
  const world = await open({ ...options, settings: { minFreeBytes: 0, ...options.settings } });
  const storage = {
    type: 'LOCAL',
    capacity: 1_000_000_000,
    method: [{ uri: 'memory:///in/', read: true, write: true }],
  };
  await prepare(world, [
    newUser(maker, roles),
    newUser(other, roles),
    { as: admin, request: 'POST /API/storage', body: storage },
    { as: admin, request: 'PUT /API/shape-tag/lowres', body: {} },
    { as: admin, request: 'PUT /API/shape-tag/web', body: {} },
  ]);
  return { world, ...asked(world) };
}

export type Opened = Awaited<ReturnType<typeof openShares>>;

function asked(world: World) {
  const ask = asking(maker);
  const told = (request: string, body?: Sent['body'], as: Credentials = maker): Promise<Read> =>
    done(world, ask(`${request.replace(' /', ' /API/')}`, body, as));
  const send = (request: string, body?: Sent['body'], as: Credentials = maker): Promise<Answer> =>
    world.send(ask(`${request.replace(' /', ' /API/')}`, body, as));

  /** As a browser sends it from a page of the service. */
  async function by(cookie: string, request: string, more: Partial<Sent> = {}): Promise<Answer> {
    const headers = {
      accept: 'application/json, */*;q=0.5',
      host: 'localhost',
      'sec-fetch-site': 'same-origin',
      ...(cookie !== '' && { cookie }),
      ...more.headers,
    };
    return world.send({ ...more, request, headers });
  }

  const enter = (token: string, more: object = {}, cookie = ''): Promise<Answer> =>
    by(cookie, 'POST /APInoauth/share', { body: { token, ...more } });

  return {
    told,
    send,
    by,
    enter,
    item: async (title: string, as = maker): Promise<string> => {
      const document = {
        timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: title }] }] }],
      };
      return (await told('POST /import/placeholder?container=1', document, as)).id;
    },
    /** A shape with a file of its own. */
    shape: async (item: string, tag = 'lowres', mimeType = 'video/mp4', as = maker, more = {}): Promise<string> => {
      const { id: file } = await told(`POST /storage/VX-1/file/data?path=${item}-${tag}.mp4`, film, as);
      const document = { tag: [tag], mimeType: [mimeType], containerComponent: { file: [{ id: file }] }, ...more };
      return (await told(`POST /item/${item}/shape/create`, document, as)).id;
    },
    collection: async (name: string, ...items: readonly string[]): Promise<string> => {
      const { id } = await told(`POST /collection?name=${encodeURIComponent(name)}`);
      for (const each of items) await told(`PUT /collection/${id}/${each}`);
      return id;
    },
    share: (target: string, document: object = {}): Promise<Read> => told(`POST /${target}/share`, document),
    guest: async (token: string, more: object = {}): Promise<Guest> => {
      const answer = await enter(token, more);
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"id"')]);
      const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
      const said = bodyOf<Read>(answer);
      return { id: said.id, cookie, told: said };
    },
    /** Reads a path below the share as the guest. */
    get: ({ id, cookie }: Pick<Guest, 'id' | 'cookie'>, path = '', more: Partial<Sent> = {}) =>
      by(cookie, `GET /APInoauth/share/${id}${path}`, more),
  };
}

export const isGone = ({ status, headers }: Answer): string => `${status} ${headers.get('portico-error')}`;
export const gone = '404 no-such-entity';
