import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { askJson, authorization } from './item-root.ts';
import type { Row } from './row.ts';
import { initialise, type RuntimeName, type Started, startService } from './runtimes.ts';

/** Peak of the memory of a server with a small heap that imports a table of metadata. */

const [rows, columns] = [100_000, 8];
/** Megabytes of the old generation of each thread, and those that the whole process may reach. */
const [heap, max] = [256, 350];

const fields = Array.from({ length: columns - 1 }, (_, at) => `bench_${at}`);

/** Mebibytes of the process by Linux: those of now, or their peak. */
function memoryOf({ process: { pid } }: Started, word: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${word}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

function* lines(): Generator<string> {
  yield `itemId,${fields.join(',')}\n`;
  for (let at = 1; at <= rows; at++) yield `VX-${at},${fields.map((name) => `${name} of ${at}`).join(',')}\n`;
}

export async function benchTableMemory(runtime: RuntimeName): Promise<Row[]> {
  if (runtime !== 'node' || process.platform !== 'linux') return [];
  const root = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  try {
    await initialise(runtime, root);
    const database = new Database(join(root, 'portico.db'));
    database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO item (id, serial, created_at) SELECT 'VX-' || i, i, 0 FROM n`);
    database.close();
    const service = await startService(runtime, root, {}, [`--max-old-space-size=${heap}`]);
    try {
      return await imported(service);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function imported(service: Started): Promise<Row[]> {
  for (const name of fields) await askJson(service, `PUT /API/metadata-field/${name}`, { type: 'string' });
  const before = memoryOf(service, 'VmRSS');
  const answer = await fetch(`http://127.0.0.1:${service.port}/API/import/metadata-table`, {
    method: 'POST',
    headers: { authorization, accept: 'application/json', 'content-type': 'text/csv' },
    body: [...lines()].join(''),
  });
  const { jobId } = (await answer.json()) as { readonly jobId: string };
  let status = '';
  while (!/^(FINISHED|FAILED|ABORTED)/.test(status)) {
    await pause(1000);
    status = (await askJson(service, `GET /API/job/${jobId}`))['status']!;
  }
  if (status !== 'FINISHED') throw new Error(`Expected a job that finishes: ${status}`);
  const peak = memoryOf(service, 'VmHWM');
  const table = `${rows.toLocaleString('en')} rows of ${columns} columns`;
  return [
    {
      name: `${max} MiB, against the peak of a server that imports ${table}`,
      ratio: max / peak,
      floor: 1,
      value: peak,
    },
    { name: 'what it had before, MiB', value: before },
  ];
}
