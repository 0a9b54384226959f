import { join } from 'node:path';
import Database from 'libsql';
import { requestBytes } from '../load.ts';
import { median, type Row } from '../row.ts';
import type { Started } from '../runtimes.ts';
import { Client } from './client.ts';
import { commonWord } from './content.ts';
import { authorizationOf, type DataSet, readers } from './data-set.ts';

const rounds = 5;
/** Milliseconds in which a change is answered. */
const soon = 100;

/** An entry on a collection with very many items below it: how soon it is answered, and that the next search knows it. */
export async function benchRights(service: Started, set: DataSet): Promise<Row[]> {
  const [admin, late] = [new Client(service.port), new Client(service.port)];
  const request = (user: string, method: string, path: string, body = '') => {
    const headers = { authorization: authorizationOf(user), accept: 'application/json' };
    return requestBytes(
      method,
      `/API${path}`,
      body === '' ? headers : { ...headers, 'content-type': 'application/json' },
      body,
    );
  };
  const entries = `/collection/${set.large}/access`;
  const search = request(readers.late, 'PUT', '/item?number=0', JSON.stringify({ text: [{ value: commonWord }] }));
  const hits = async () => Number((JSON.parse((await late.ask(search)).body) as { hits: number }).hits);
  const expectHits = async (expected: number) => {
    const found = await hits();
    if (found !== expected) throw new Error(`Expected ${expected} hits after a change of rights: found "${found}"`);
  };
  const before = rowsOfEntities(set);
  const took: number[] = [];
  await expectHits(0);
  for (let round = 0; round < rounds; round++) {
    const body = JSON.stringify({ permission: 'READ', user: readers.late });
    const granted = await admin.ask(request('admin', 'POST', entries, body));
    await expectHits(set.largeItems / 10);
    const { id } = JSON.parse(granted.body) as { id: string };
    const taken = await admin.ask(request('admin', 'DELETE', `${entries}/${id}`));
    await expectHits(0);
    took.push(granted.took, taken.took);
  }
  admin.close();
  late.close();
  const after = rowsOfEntities(set);
  if (before !== after) throw new Error(`Expected a change of rights to write no item: found "${after}"`);
  return [
    {
      name: `an entry on ${set.largeItems.toLocaleString('en')} items below a collection, milliseconds`,
      ratio: soon / median(took),
      floor: 1,
      value: median(took),
    },
    { name: 'the same, slowest answer, milliseconds', value: Math.max(...took) },
  ];
}

/** Changes with each context of an item, and with each context. */
function rowsOfEntities({ root }: DataSet): string {
  const database = new Database(join(root, 'portico.db'), { readonly: true });
  const sql = `SELECT count(*), sum(context), total(context * serial), (SELECT count(*) || ' ' || max(id) FROM access_context)
    FROM item`;
  const row = database.prepare(sql).raw(true).get([]);
  database.close();
  return JSON.stringify(row);
}
