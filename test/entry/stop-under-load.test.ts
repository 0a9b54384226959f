import { join } from 'node:path';
import Database from 'libsql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { linked, linkedRows } from '../attack/linked.ts';
import { serveCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Room for a busy machine: how fast a stop is, `npm run attack` measures. */
const patience = 120_000;
const password = 'password of all';
const roles = ['_item_search', '_item_read', '_item_shape_read', '_file_read', '_metadata_read'];

type Ask = (user: string, method: string, path: string, body?: unknown) => Promise<Response>;

/** Queries on reader threads. */
async function running(ask: Ask): Promise<number> {
  const text = await (await ask('admin', 'GET', '/API/metrics')).text();
  return Number(/^portico_queries_running (\d+)$/m.exec(text)?.[1]);
}

it(
  'SIGTERM ends the process by its own stop while searches of four accounts run',
  async () => {
    const { path: root, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const environment = {
      PORTICO_ADMIN_PASSWORD: password,
      PORTICO_DATABASE: '',
      PORTICO_QUERY_SECONDS: '3600',
      PORTICO_STOP_TIMEOUT: '2',
    };
    const served = await serveCli({ root, environment });
    const ask: Ask = (user, method, path, body) =>
      fetch(`http://127.0.0.1:${served.port}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*;q=0.1',
          authorization: basic([user, password]),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const users = ['ann', 'bob', 'carl', 'dora'];
    for (const userName of users) {
      const group = roles.map((groupName) => ({ groupName }));
      expect((await ask('admin', 'POST', '/API/user', { userName, password, groupList: { group } })).status).toBe(200);
    }
    expect((await ask('admin', 'POST', '/API/import/placeholder', {})).status).toBe(200);
    const writer = new Database(join(root, 'portico.db'));
    writer.exec(['PRAGMA busy_timeout = 5000', ...linkedRows].join(';\n'));
    writer.close();

    const answers = [...users, ...users].map((user) =>
      ask(user, 'PUT', '/API/item?number=100', linked).then(
        ({ status }) => status,
        () => 'cut',
      ),
    );
    await vi.waitUntil(async () => (await running(ask)) > 0, patience);
    served.child.kill('SIGTERM');
    const { code, err } = await served.finished;
    const events = err.split('\n').flatMap((line) => /"event":"(stop[\w-]*)"/.exec(line)?.[1] ?? []);
    const isKilled = served.child.signalCode === 'SIGKILL';
    expect([code, events]).toEqual(isKilled ? [null, ['stopping', 'stopped-late']] : [0, ['stopping']]);
    // Searches that had ended by then would have been no load.
    expect(await Promise.all(answers)).not.toContain(200);
  },
  patience,
);
