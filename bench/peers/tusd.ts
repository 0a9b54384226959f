import { join } from 'node:path';
import { uploadTus } from './client.ts';
import type { Peer } from './peer.ts';
import { goInstall } from './pocketbase.ts';

export const tusd: Peer = {
  name: 'tusd 2.9',
  ready: '/files/',
  get: (downloads) => goInstall(downloads, 'github.com/tus/tusd/v2/cmd/tusd@v2.9.1'),
  command: ({ folder, port, downloads }) => ({
    words: [
      join(downloads, 'bin/tusd'),
      ...['-host', '127.0.0.1', '-port', `${port}`, '-upload-dir', join(folder, 'files'), '-base-path', '/files/'],
    ],
  }),
  fill: async ({ port }) => [
    { name: tusd.name, tasks: { tus: { transfer: () => uploadTus(port, { path: '/files/' }) } } },
  ],
};
