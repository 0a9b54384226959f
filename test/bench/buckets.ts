import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bucketKey } from './bucket-key.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, type Started, startService, startUnder } from './runtimes.ts';
import { upload } from './transfer.ts';

const size = 256 * 1024 * 1024;
const headers = {
  authorization: `Basic ${btoa('admin:bench')}`,
  accept: 'application/json',
  'content-type': 'application/json',
};

/**
 * Processor time of a server for an upload to a bucket, against the same upload to a folder. The store is a process of
 * its own.
 */
export async function benchBuckets(runtime: RuntimeName, rounds = 3): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const media = join(root, 'media');
  await mkdir(media);
  const bucket = await startUnder('node', 'test/bench/bucket-server.ts', []);
  const server = await startService(runtime, root, {
    PORTICO_MIN_FREE_BYTES: '0',
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const { accessKey, secret, region } = bucketKey;
  const storages = [
    `${pathToFileURL(media).href}/`,
    `s3://${accessKey}:${secret}@media/in/?endpoint=http://127.0.0.1:${bucket.port}&region=${region}`,
  ];
  for (const uri of storages) await makeStorage(server, uri);
  const costs: { file: number; bucket: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const cost = async (storage: string) => {
      const before = processorTime(server);
      await upload(server.port, `/API/storage/${storage}/file/data?path=film-${round}`, size);
      return processorTime(server) - before;
    };
    const pair = { file: await cost('VX-1'), bucket: await cost('VX-2') };
    // The first one warms up.
    if (round > 0) costs.push(pair);
  }
  await Promise.all([server.stop(), bucket.stop()]);
  await rm(root, { recursive: true, force: true });
  return [
    {
      name: 'processor time of an upload of 256 MiB to a folder, against to a bucket',
      ratio: median(costs.map((cost) => cost.file / cost.bucket)),
      floor: 0.5,
    },
    {
      name: 'the same upload to a bucket, milliseconds of processor time',
      value: median(costs.map((cost) => cost.bucket)),
    },
  ];
}

async function makeStorage({ port }: Started, uri: string): Promise<void> {
  const body = JSON.stringify({ scanInterval: -1, method: [{ uri, read: true, write: true, browse: true }] });
  const answer = await fetch(`http://127.0.0.1:${port}/API/storage`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`Expected 200: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Milliseconds: the system counts hundredths of a second. */
function processorTime({ process: { pid } }: Started): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
