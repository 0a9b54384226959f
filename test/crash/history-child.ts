import { openFor } from './deliveries-service.ts';
import { gone, limit, prepare } from './history-service.ts';
import { ask } from './jobs-service.ts';

/** Clients that make, change, read and delete items until the process is killed. Each line tells what one of them saw. */
const [url, life, address] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url);
await prepare(service, address);

let count = 0;
const tell = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const titled = (value: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value }] }] }] });
const firstId = (text: string): string | undefined => /"id":"(VX-\d+)"/.exec(text)?.[1];
const titleIn = (text: string): string | undefined => /"value":"(t[\w.]+)"/.exec(text)?.[1];

/** A request, told before it is sent and behind its answer. */
async function told(
  operation: { readonly kind: string; readonly key: string; readonly value?: string },
  [request, body, headers]: [string, object?, Record<string, string>?],
  resultOf: (text: string) => object,
): Promise<string | undefined> {
  const number = `${life}-${++count}`;
  tell({ number, ...operation });
  const { status, text } = await ask(service, request, body, headers);
  if (status < 300) tell({ number, ok: true, ...resultOf(text) });
  else tell(status === 404 && operation.kind === 'read' ? { number, ok: true, value: gone } : { number });
  return status < 300 ? text : undefined;
}

const remove = (id: string) => told({ kind: 'delete', key: id }, [`DELETE /API/item/${id}`], () => ({}));

process.stdout.write('ready\n');
// Earlier lives leave items, of which no client knows the newest ones.
for (const [id] of await service.store.read('SELECT id FROM item')) await remove(String(id));
void service.work();

/** Items of this life, of all clients. */
const items: string[] = [];

async function turn(client: number, at: number): Promise<void> {
  const name = `${life}.${client}.${at}`;
  const key = `k${name}`;
  const create = () =>
    told(
      { kind: 'create', key, value: `t${name}` },
      ['POST /API/import/placeholder', titled(`t${name}`), { 'idempotency-key': key }],
      (text) => ({ id: firstId(text) }),
    );
  // A client that asks twice with one key gets one item.
  const collecting = ask(service, `POST /API/collection?name=${name}`);
  const [made] = await Promise.all([create(), client % 2 === 0 ? create() : undefined]);
  const collection = `/API/collection/${firstId((await collecting).text)}`;
  const id = made && firstId(made);
  if (id !== undefined) items.push(id);
  const item = items[(client + at) % Math.max(1, items.length)];
  if (item === undefined) return;
  const place = `/API/item/${item}/metadata`;
  const read = () => told({ kind: 'read', key: item }, [`GET ${place}`], (text) => ({ value: titleIn(text) }));
  const value = `t${name}.b`;
  await Promise.all([
    read(),
    told({ kind: 'write', key: item, value }, [`PUT ${place}`, titled(value)], () => ({})),
    read(),
    ask(service, `PUT ${collection}/${item}`),
    ask(service, `PUT ${collection}/rename?name=${name}.b`),
    ask(service, `POST /API/item/${item}/shape/create`, { audioComponent: [{ codec: 'aac' }] }),
  ]);
  await read();
  const { text } = await ask(service, 'GET /API/quota');
  tell({ quota: Number(/"usage":(\d+)/.exec(text)?.[1]) });
  if (items.length < limit - 1) return;
  await remove(items.shift()!);
}

async function client(number: number): Promise<void> {
  for (let at = 0; ; at++) await turn(number, at);
}

await Promise.all([client(0), client(1), client(2)]);
