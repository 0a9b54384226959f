import type { Service } from '../../src/composition/service.ts';
import { type Answered, openFor, send } from './uploads-service.ts';

/** Makes items and collections, changes and deletes them, until it is killed. Prints what was acknowledged. */
const [url, life, media] = process.argv.slice(2) as [string, string, string];
const service = await openFor(url, media);

const ask = (request: string, body?: object): Promise<Answered> =>
  send(service as Service, { request, ...(body && { body }) });
const title = (value: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value }] }] }] });
/** Lines from before the child is ready: the first requests of a process take long. */
let early: string[] | undefined = [];
function says(...words: readonly string[]): void {
  const line = `${words.join(' ')}\n`;
  if (early) early.push(line);
  else process.stdout.write(line);
}

async function once(turn: string): Promise<void> {
  const [{ id: item }, { id: collection }] = await Promise.all([
    ask('POST /API/import/placeholder?container=1&video=1', title(turn)),
    ask(`POST /API/collection?name=${turn}`),
  ]);
  says('made', item, collection);
  await ask(`PUT /API/collection/${collection}/${item}`);
  await Promise.all([
    ask(`PUT /API/item/${item}/metadata`, title(`${turn}-b`)),
    ask(`POST /API/item/${item}/shape/create`, { audioComponent: [{ codec: 'aac' }] }),
    ask(`PUT /API/collection/${collection}/rename?name=${turn}-b`),
  ]);
  says('put', item, `${turn}-b`);
  if (Number(turn.split('-')[1]) % 2 === 0) return;
  says('going', item);
  await ask(`DELETE /API/item/${item}`);
  says('gone', item);
}

await Promise.all([once(`${life}-1`), once(`${life}-2`)]);
process.stdout.write(`ready\n${early.join('')}`);
early = undefined;
for (let turn = 4; ; turn += 2) await Promise.all([once(`${life}-${turn}`), once(`${life}-${turn + 1}`)]);
