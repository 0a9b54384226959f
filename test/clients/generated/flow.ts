import process from 'node:process';
import { PorticoClient, Refusal } from 'portico/client';

/** The flow of `flow.py` and `flow.go`, by `portico/client`: `flow.ts ADDRESS`. */

const [, , url = ''] = process.argv;
const { token } = await new PorticoClient({
  url,
  user: { name: 'admin', password: process.env['PASSWORD']! },
}).call('GET /token');
const portico = new PorticoClient({ url, token: token! });

const word = 'typescript';
const items: string[] = [];
for (let place = 1; place <= 3; place++) {
  const value = [{ value: `${word} ${place}` }];
  const { id } = await portico.call('POST /import/placeholder', {
    query: { container: 1 },
    body: { timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value }] }] },
  });
  items.push(id!);
}
const [item] = items;
const text = `the words of ${word}`;
const job = await portico.call('POST /import/placeholder/:item/:component/raw', {
  path: { item: item!, component: 'container' },
  query: { filename: 'words.txt' },
  body: new Blob([text]),
});
const { status } = await portico.jobEnd(job!.jobId!);
const shapes = await portico.call('GET /item/:item', { path: { item: item! }, query: { content: ['shape'] } });
const [file] = shapes.shape?.[0]?.binaryComponent?.[0]?.file ?? [];
const bytes = await portico.open('GET /storage/file/:file/data', { path: { file: file!.id! } });

const search = { text: [{ value: word }] };
const hits: number[] = [];
for await (const page of portico.pages('PUT /item', { query: { number: 2 }, body: search })) {
  hits.push('item' in page ? page.item!.length : 0);
}
const share = await portico.call('POST /item/:item/share', { path: { item: item! }, body: { allow: ['play'] } });
for (const id of items) await portico.call('DELETE /item/:item', { path: { item: id } });
const refusal = await portico.call('GET /item/:item', { path: { item: item! } }).catch((error) => error);

console.log(
  JSON.stringify({
    ...{ user: await portico.call('GET /whoami'), job: status, hits, share: share.allow },
    isKept: (await bytes.text()) === text,
    gone: refusal instanceof Refusal && refusal.status,
  }),
);
