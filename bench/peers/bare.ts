import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Request, rangeHeader, upload } from './client.ts';
import type { Command, Peer, Place } from './peer.ts';
import { run } from './tree.ts';
import { changesOf, valuesOf, wantedBy } from './values.ts';
import { rangeBytes } from './work.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const server = fileURLToPath(new URL('bare-server.ts', import.meta.url));
const command = ({ folder, port }: Place, ...more: string[]): Command => ({
  words: [process.execPath, '--import', tsx, server, folder, `${port}`, ...more],
});

const headers = { authorization: 'token bench' };
const get = (path: string): Request => ({ path, headers });
const search = (serial: number, more: object = {}): Request => ({
  ...get('/item'),
  method: 'PUT',
  body: { ...wantedBy(serial), ...more },
});

/** Baseline of the comparison. */
export const bare: Peer = {
  name: 'bare Hono + SQL',
  ready: '/whoami',
  command: (place) => command(place),
  async fill(place, items) {
    await run(command(place, `${items}`), place.folder);
    const item = (serial: number) => get(`/item/${(serial % items) + 1}`);
    return [
      {
        name: bare.name,
        item: (id) => get(`/item/${id}`),
        tasks: {
          token: () => get('/whoami'),
          basic: () => ({ path: '/whoami', headers: { authorization: `Basic ${btoa('erin:bench-erin')}` } }),
          create: (serial) => ({ ...get('/item'), method: 'POST', body: valuesOf(serial) }),
          read: item,
          update: (serial) => ({ ...item(serial), method: 'PUT', body: changesOf(serial) }),
          list: () => get('/item'),
          listUncounted: () => get('/item?count=false'),
          listIds: () => get('/item?ids=true'),
          search: (serial) => search(serial),
          searchIds: (serial) => search(serial, { ids: true }),
          facet: (serial) => search(serial, { facet: true }),
          upload: { transfer: () => upload(place.port, get('/file')).then(() => {}) },
          range: () => ({ path: '/file', headers: { ...headers, ...rangeHeader(rangeBytes) } }),
        },
      },
    ];
  },
};
