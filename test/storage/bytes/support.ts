import type { Sent, World } from '../../support/matrix.ts';
import { json } from '../../support/requests.ts';
import { uploader } from '../../support/world.ts';

export const files = '/API/storage/VX-1/file/data';

export const upload = (path: string, body: string, more: Partial<Sent> = {}): Sent => ({
  as: uploader,
  request: `POST ${files}?path=${encodeURIComponent(path)}`,
  body,
  ...more,
  headers: { ...json, 'content-type': 'application/octet-stream', ...more.headers },
});

export interface PartOf {
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly index: number;
}

export const part = ({ path, id, size, index }: PartOf, body: string, more: Partial<Sent> = {}): Sent =>
  upload(path, body, {
    ...more,
    request: `POST ${files}?path=${encodeURIComponent(path)}&transferId=${encodeURIComponent(id)}`,
    headers: { size: String(size), index: String(index), ...more.headers },
  });

/** Changes rows behind the back of the service. */
export const sqlIn = (sql: string) => (world: World) =>
  world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
